import type { Texts } from './english.ts';
import { counter } from './plural.ts';

const days = counter('pt-PT', { one: 'dia', other: 'dias' });
const hours = counter('pt-PT', { one: 'hora', other: 'horas' });
const minutes = counter('pt-PT', { one: 'minuto', other: 'minutos' });

/** Portuguese as written in Mozambique, Angola and Portugal. */
export const PORTUGUESE: Texts = {
  secure: 'Pagamento seguro em garantia',
  testMode: { name: 'Modo de teste', text: 'Este não é um pagamento real. Nenhum dinheiro é transferido.' },
  title: {
    open: (amount, company) => `Pagar ${amount} – ${company}`,
    card: (amount, company) => `Pagar ${amount} com cartão – ${company}`,
    processing: (amount) => `A aguardar o seu pagamento de ${amount}`,
    paid: (amount) => `Pago: ${amount}`,
  },

  summary: {
    youPay: 'Vai pagar',
    youPaid: 'Pagou',
    amount: 'Montante',
    seller: 'Vendedor',
    through: 'Através de',
    buyer: 'Preparado para',
    order: 'Encomenda',
    validUntil: 'Válido até',
    items: 'A sua encomenda',
    quantity: (quantity, price) => `${quantity} × ${price}`,
    fees: 'Taxas',
    adjustment: 'Ajuste',
    total: 'A pagar',
    paid: 'Pago',
  },
  timeLeft: {
    days: (dayCount, hourCount) => `ainda ${days(dayCount)} e ${hours(hourCount)}`,
    hours: (hourCount, minuteCount) => `ainda ${hours(hourCount)} e ${minutes(minuteCount)}`,
    minutes: (minuteCount) => `ainda ${minutes(minuteCount)}`,
    moments: 'menos de um minuto restante',
  },

  escrow: {
    heading: 'O seu dinheiro fica em garantia e ainda não é entregue',
    lead: (company) =>
      `A ${company} guarda o seu pagamento em garantia. O vendedor sabe que o dinheiro existe, mas ainda não o pode usar.`,
    steps: [
      { title: 'Paga', text: () => 'O dinheiro fica bloqueado apenas para esta encomenda.' },
      { title: 'Recebe a encomenda', text: () => 'Confirme que corresponde ao combinado.' },
      { title: 'O vendedor recebe', text: (company) => `O dinheiro fica bloqueado até a ${company} o libertar.` },
    ],
    problem: (company) =>
      `Há algum problema? Avise a ${company} antes de o dinheiro ser libertado. A ${company} pode então mantê-lo bloqueado até o problema ser resolvido, e o que não for pago ao vendedor é-lhe devolvido.`,
    autoRelease: (hourCount) =>
      `Se não comunicar nenhum problema, o dinheiro é libertado automaticamente ${hours(hourCount)} depois de a entrega ser registada.`,
  },

  methods: {
    heading: 'Como quer pagar?',
    card: {
      name: 'Cartão ou transferência',
      hint: 'Visa, Mastercard, transferência bancária',
      text: 'Os dados do seu cartão seguem diretamente para a plataforma de pagamento. Nem nós nem o vendedor os vemos.',
      button: 'Continuar para o formulário do cartão',
    },
    mobile: {
      name: 'Carteira móvel',
      hint: 'Confirme no seu telemóvel',
      label: 'Número da carteira móvel',
      help: 'No formato nacional, ou com + e o indicativo do país.',
      button: (amount) => `Pedir ${amount} ao meu telemóvel`,
    },
    balance: {
      name: 'O seu saldo',
      hint: (company) => `Dinheiro que já tem na ${company}`,
      text: (company) => `Enviamos um código por WhatsApp para o número que a ${company} tem registado em seu nome.`,
      send: 'Enviar-me um código',
      sendAgain: 'Enviar outro código',
      label: 'Código de seis algarismos',
      help: 'Enviámo-lo por WhatsApp. É válido durante cinco minutos.',
      button: (amount) => `Pagar ${amount} com o meu saldo`,
    },
  },
  reject: {
    summary: 'Não quero pagar',
    text: 'A encomenda é cancelada e este link deixa de funcionar. Esta ação não pode ser anulada.',
    button: 'Recusar e cancelar a encomenda',
  },
  backTo: (company) => `Voltar à página da ${company}`,
  leave: (company) => `Voltar à página da ${company} sem pagar`,
  help: 'Ajuda:',
  terms: 'Termos e condições',

  card: {
    heading: 'Pagamento com cartão ou transferência',
    loading:
      'O formulário seguro da plataforma de pagamento está a carregar. Precisa de JavaScript. Sem JavaScript, pode pagar com a carteira móvel ou com o seu saldo.',
    trouble:
      'Se não aparecer nenhum formulário, a plataforma de pagamento pode estar sobrecarregada. Nada foi cobrado.',
    back: 'Escolher outra forma de pagamento',
  },

  processing: {
    heading: {
      card: 'O seu pagamento está a ser confirmado',
      mobile_money: 'Agora veja o seu telemóvel',
      checking: 'Estamos a verificar o seu pagamento',
    },
    card: 'O seu banco ainda não confirmou o pagamento. Pode demorar alguns minutos, ou mais tempo no caso de uma transferência.',
    mobile: (amount, lastDigits) =>
      `Enviámos um pedido de ${amount} para o telemóvel terminado em ${lastDigits}. Confirme-o nesse telemóvel. Depois, esta página é atualizada automaticamente.`,
    lapse: (minuteCount) =>
      `Se não for confirmado no prazo de ${minutes(minuteCount)}, o pedido caduca e poderá escolher outra forma de pagamento.`,
    checking:
      'Ainda não recebemos resposta da plataforma de pagamento. Se já concluiu o pagamento, aguarde aqui e não volte a pagar.',
    refresh: 'Esta página é atualizada automaticamente. Pode fechá-la: o seu pagamento continua.',
    again: 'Verificar agora',
    back: 'Não paguei: escolher como pagar',
  },

  paid: {
    headings: {
      unpaid: 'Esta encomenda ainda não foi paga',
      held: 'Obrigado. O seu pagamento está concluído.',
      partly_sent: 'Parte da sua encomenda foi enviada',
      sent: 'A sua encomenda foi enviada',
      partly_received: 'Recebeu parte da sua encomenda',
      received: 'Recebeu a sua encomenda',
      disputed: 'Há um litígio sobre esta encomenda',
      taken_back: 'O seu pagamento foi retirado',
      released: 'Esta encomenda está concluída',
      divided: 'Esta encomenda está concluída',
      refunded: 'O seu dinheiro foi devolvido',
      never_paid: 'Esta encomenda foi cancelada',
      returned: 'Esta encomenda foi cancelada',
      resolved: 'O litígio sobre esta encomenda está resolvido',
    },
    where: {
      unpaid: () => 'Não há dinheiro em garantia para ela.',
      held: () => 'O seu dinheiro está agora em garantia. O vendedor já o sabe e pode enviar a sua encomenda.',
      partly_sent: () => 'O vendedor comunicou o envio de parte da sua encomenda. O seu dinheiro continua em garantia.',
      sent: () => 'O vendedor comunicou o envio da sua encomenda. O seu dinheiro continua em garantia.',
      partly_received: () => 'Confirmou que recebeu parte da sua encomenda. O seu dinheiro continua em garantia.',
      received: () => 'Confirmou que recebeu a sua encomenda. O seu dinheiro continua em garantia.',
      disputed: (company) =>
        `O seu dinheiro fica bloqueado até o litígio ser resolvido. Tem dúvidas? Contacte a ${company}.`,
      taken_back: (company) =>
        `Enquanto isso não for regularizado, nada é libertado por esta encomenda. Tem dúvidas? Contacte a ${company}.`,
      released: () => 'O dinheiro foi entregue ao vendedor.',
      divided: () => 'O dinheiro foi repartido como combinado.',
      refunded: () => 'A encomenda terminou como combinado.',
      never_paid: () => 'Nunca foi paga, por isso nenhum dinheiro foi movimentado.',
      returned: null,
      resolved: null,
    },
    releaseAt: (at) => `É entregue ao vendedor em ${at}, a menos que comunique um problema antes dessa data.`,
    stillHeld: (amount) => `${amount} continuam em garantia.`,
    retryAt: (at) => `A entrega do dinheiro foi recusada. Será tentada de novo em ${at}.`,
    agreed: {
      mine: (amount) => `Como combinado com o vendedor, recebe de volta ${amount} do dinheiro em garantia.`,
      nothing: 'Como combinado com o vendedor, não recebe de volta nada do dinheiro em garantia.',
      theirs: (amount) => `O vendedor recebe ${amount}.`,
      theyGetNothing: 'O vendedor não recebe nada.',
      at: (at) =>
        at === null
          ? 'O dinheiro continua em garantia até ser pago.'
          : `Isto acontece em ${at}, a menos que comunique um problema antes dessa data.`,
    },
    sellerGotNothing: 'O vendedor não recebeu nada.',
    partReleased: (amount) => `${amount} foram entregues ao vendedor.`,
    partReturned: (amount, company) => `${amount} voltaram ao seu saldo na ${company}.`,
    takenBack: (amount) => `${amount} do seu pagamento foram retirados (contestação ou reembolso).`,
    settled: (amount) => `${amount} do dinheiro em garantia liquidaram isso.`,
    madeGood: 'Isso está regularizado.',
    taken: (amount, company) => `${amount} do seu dinheiro na ${company} foram usados para isso.`,
    owed: (amount, company) => `Ainda deve ${amount} à ${company} por isso.`,
    other: (amount, company) => `${amount} do dinheiro em garantia liquidaram outras dívidas suas na ${company}.`,
    at: 'Pago em',
    method: 'Forma de pagamento',
    methods: { card: 'Cartão ou transferência', mobile_money: 'Carteira móvel', balance: 'Saldo' },
    receipt: 'Número do recibo',
    download: 'Descarregar o recibo (PDF)',
  },
  expired: {
    heading: 'Este link de pagamento expirou',
    text: (company) =>
      `Não foi pago a tempo e a encomenda foi cancelada. Se ainda a quiser, peça um novo link à ${company}.`,
  },
  rejected: {
    heading: 'Cancelou esta encomenda',
    text: (company) =>
      `Optou por não pagar, por isso este link já não funciona. Se foi um engano, peça um novo link à ${company}.`,
  },
  cancelled: {
    heading: 'Esta encomenda foi cancelada',
    text: (company) =>
      `A ${company} cancelou a encomenda antes do pagamento e este link já não funciona. Um pagamento que ainda chegue ser-lhe-á devolvido. Se tiver dúvidas, contacte a ${company}.`,
  },
  lateMoney: (company) =>
    `O dinheiro para esta encomenda chegou demasiado tarde para ser usado. É seu e está agora no seu saldo na ${company}.`,

  receipt: {
    title: 'Recibo',
    testMode: 'MODO DE TESTE – este recibo não corresponde a um pagamento real',
    issued: 'Emitido em',
    company: { tax: 'N.º fiscal', registration: 'N.º de registo' },
  },

  errors: {
    not_found: {
      title: 'Não encontramos este pagamento',
      text: 'Confirme que abriu o link completo. Se continuar a não funcionar, peça um novo a quem lho enviou.',
    },
    busy: {
      title: 'Um momento, por favor',
      text: 'Houve demasiados pedidos a partir da sua ligação. Espere um minuto e volte a carregar esta página.',
    },
    unavailable: {
      title: 'O serviço de pagamento está indisponível de momento',
      text: 'Nada se perdeu: se já pagou, o seu pagamento está seguro. Volte a carregar esta página dentro de um minuto.',
    },
    invalid: {
      title: 'Esta página não pode ser aberta desta forma',
      text: 'Abra o link de pagamento que recebeu e comece de novo.',
    },
    failed: {
      title: 'Ocorreu um erro do nosso lado',
      text: 'Nada se perdeu: se já pagou, o seu pagamento está seguro. Volte a abrir o link de pagamento dentro de um minuto.',
    },
  },

  notices: {
    code_sent: 'Se não receber um código por WhatsApp dentro de um minuto, peça outro.',
    otp_required: 'Introduza o código de seis algarismos que lhe enviámos.',
    otp_invalid: 'O código está errado. Veja a última mensagem e tente de novo.',
    otp_expired: 'O código expirou. Peça outro.',
    otp_locked: 'Foram introduzidos demasiados códigos errados. Peça outro.',
    insufficient_funds: 'O seu saldo não é suficiente. Escolha outra forma de pagamento.',
    account_frozen: 'De momento não é possível usar o seu saldo. Escolha outra forma de pagamento.',
    user_blacklisted: 'Este pagamento não pode ser aceite. Contacte a empresa que lhe enviou o link.',
    phone_invalid:
      'Este número de telefone não é válido. Introduza-o completo, por exemplo 0771 234 567 ou +263 771 234 567.',
    too_many_requests: 'Demasiadas tentativas. Espere um pouco ou escolha outra forma de pagamento.',
    provider_unavailable:
      'Esta forma de pagamento está indisponível de momento. Nada foi cobrado. Tente de novo dentro de um minuto ou escolha outra forma.',
    dependency_unavailable:
      'Não foi possível confirmar a operação a tempo. Ainda pode ser concluída: veja esta página dentro de um minuto antes de tentar de novo.',
    declined: 'O seu último pagamento foi recusado e nada foi cobrado. Tente de novo ou escolha outra forma.',
    lapsed:
      'O pedido enviado para o seu telemóvel não foi confirmado a tempo e nada foi cobrado. Tente de novo ou escolha outra forma.',
  },
};
