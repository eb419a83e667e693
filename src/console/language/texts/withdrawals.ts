import type { FailureSentence } from '../../../domain/withdrawal/failure-reasons.ts';
import type { Translated, Translations } from './translations.ts';

/** Why a bank did not pay. The compiler reports a sentence without translations, and a row without a sentence. */
const FAILURES = {
  'The account number is wrong or does not exist.': {
    fr: 'Le numéro de compte est faux ou n’existe pas.',
    pt: 'O número de conta está errado ou não existe.',
  },
  'The account of the payer is wrong.': {
    fr: 'Le compte du payeur est faux.',
    pt: 'A conta do pagador está errada.',
  },
  'The account number of the recipient is wrong.': {
    fr: 'Le numéro de compte du bénéficiaire est faux.',
    pt: 'O número de conta do beneficiário está errado.',
  },
  'The account is closed.': {
    fr: 'Le compte est clôturé.',
    pt: 'A conta está encerrada.',
  },
  'The account of the payer is closed.': {
    fr: 'Le compte du payeur est clôturé.',
    pt: 'A conta do pagador está encerrada.',
  },
  'The account is blocked for this payment.': {
    fr: 'Le compte est bloqué pour ce paiement.',
    pt: 'A conta está bloqueada para este pagamento.',
  },
  'The account of the recipient is closed.': {
    fr: 'Le compte du bénéficiaire est clôturé.',
    pt: 'A conta do beneficiário está encerrada.',
  },
  'The account is of a kind that cannot take this payment.': {
    fr: 'Ce type de compte ne peut pas recevoir ce paiement.',
    pt: 'Este tipo de conta não pode receber este pagamento.',
  },
  'The bank does not allow this kind of payment on the account.': {
    fr: 'La banque n’autorise pas ce type de paiement sur le compte.',
    pt: 'O banco não permite este tipo de pagamento na conta.',
  },
  'The bank does not know this kind of payment.': {
    fr: 'La banque ne connaît pas ce type de paiement.',
    pt: 'O banco não conhece este tipo de pagamento.',
  },
  'The amount is zero.': {
    fr: 'Le montant est nul.',
    pt: 'O montante é zero.',
  },
  'The amount is more than the bank allows.': {
    fr: 'Le montant dépasse ce que la banque autorise.',
    pt: 'O montante excede o que o banco permite.',
  },
  'The bank does not take this currency.': {
    fr: 'La banque n’accepte pas cette devise.',
    pt: 'O banco não aceita esta moeda.',
  },
  'The account that pays has not enough money.': {
    fr: 'Le compte qui paie n’est pas assez approvisionné.',
    pt: 'A conta que paga não tem dinheiro suficiente.',
  },
  'The bank has seen the same payment before.': {
    fr: 'La banque a déjà reçu le même paiement.',
    pt: 'O banco já recebeu o mesmo pagamento.',
  },
  'The amount is not the agreed one.': {
    fr: 'Le montant n’est pas celui convenu.',
    pt: 'O montante não é o acordado.',
  },
  'The amount is not valid.': {
    fr: 'Le montant n’est pas valide.',
    pt: 'O montante não é válido.',
  },
  'The name does not belong to the account.': {
    fr: 'Le nom ne correspond pas au compte.',
    pt: 'O nome não corresponde à conta.',
  },
  'The address of the recipient is missing or wrong.': {
    fr: 'L’adresse du bénéficiaire manque ou est fausse.',
    pt: 'A morada do beneficiário falta ou está errada.',
  },
  'The bank does not know the payer.': {
    fr: 'La banque ne connaît pas le payeur.',
    pt: 'O banco não conhece o pagador.',
  },
  'The bank does not know the recipient.': {
    fr: 'La banque ne connaît pas le bénéficiaire.',
    pt: 'O banco não conhece o beneficiário.',
  },
  'The bank of the recipient does not take part in this scheme.': {
    fr: 'La banque du bénéficiaire ne participe pas à ce système de paiement.',
    pt: 'O banco do beneficiário não participa neste sistema de pagamentos.',
  },
  'The currency is not the one of the account.': {
    fr: 'La devise n’est pas celle du compte.',
    pt: 'A moeda não é a da conta.',
  },
  'The payment was cancelled at the request of the payer.': {
    fr: 'Le paiement a été annulé à la demande du payeur.',
    pt: 'O pagamento foi cancelado a pedido do pagador.',
  },
  'The date is not valid.': {
    fr: 'La date n’est pas valide.',
    pt: 'A data não é válida.',
  },
  'The bank could not read the payment.': {
    fr: 'La banque n’a pas pu lire le paiement.',
    pt: 'O banco não conseguiu ler o pagamento.',
  },
  'The payment was returned after a request to cancel it.': {
    fr: 'Le paiement a été retourné après une demande d’annulation.',
    pt: 'O pagamento foi devolvido após um pedido de cancelamento.',
  },
  'The bank suspects fraud.': {
    fr: 'La banque soupçonne une fraude.',
    pt: 'O banco suspeita de fraude.',
  },
  'The payment was reported as fraud.': {
    fr: 'Le paiement a été signalé comme frauduleux.',
    pt: 'O pagamento foi denunciado como fraude.',
  },
  'The recipient has died.': {
    fr: 'Le bénéficiaire est décédé.',
    pt: 'O beneficiário faleceu.',
  },
  'The recipient does not say why the payment was refused.': {
    fr: 'Le bénéficiaire ne dit pas pourquoi le paiement a été refusé.',
    pt: 'O beneficiário não diz porque foi recusado o pagamento.',
  },
  'The bank does not say why it refused the payment.': {
    fr: 'La banque ne dit pas pourquoi elle a refusé le paiement.',
    pt: 'O banco não diz porque recusou o pagamento.',
  },
  'The bank gives its reason in words only. Ask the bank.': {
    fr: 'La banque ne donne son motif qu’en toutes lettres. Adressez-vous à elle.',
    pt: 'O banco indica o motivo apenas por palavras. Pergunte ao banco.',
  },
  'The payment breaks a rule of the bank.': {
    fr: 'Le paiement enfreint une règle de la banque.',
    pt: 'O pagamento viola uma regra do banco.',
  },
  'The code of the bank or branch is wrong.': {
    fr: 'Le code de la banque ou de l’agence est faux.',
    pt: 'O código do banco ou do balcão está errado.',
  },
  'The code of the bank of the payer is wrong.': {
    fr: 'Le code de la banque du payeur est faux.',
    pt: 'O código do banco do pagador está errado.',
  },
  'The code of the bank of the recipient is wrong.': {
    fr: 'Le code de la banque du bénéficiaire est faux.',
    pt: 'O código do banco do beneficiário está errado.',
  },
  'The account or identification of the payer is missing.': {
    fr: 'Le compte ou l’identification du payeur manque.',
    pt: 'Falta a conta ou a identificação do pagador.',
  },
  'The name or address of the payer is missing.': {
    fr: 'Le nom ou l’adresse du payeur manque.',
    pt: 'Falta o nome ou a morada do pagador.',
  },
  'The name or address of the recipient is missing.': {
    fr: 'Le nom ou l’adresse du bénéficiaire manque.',
    pt: 'Falta o nome ou a morada do beneficiário.',
  },
  'The bank refused the payment for a legal reason.': {
    fr: 'La banque a refusé le paiement pour un motif légal.',
    pt: 'O banco recusou o pagamento por um motivo legal.',
  },
  'The recipient is not on the list of allowed recipients.': {
    fr: 'Le bénéficiaire n’est pas sur la liste des bénéficiaires autorisés.',
    pt: 'O beneficiário não está na lista de beneficiários permitidos.',
  },
  'The recipient is on the list of refused recipients.': {
    fr: 'Le bénéficiaire est sur la liste des bénéficiaires refusés.',
    pt: 'O beneficiário está na lista de beneficiários recusados.',
  },
  'The bank had a technical problem.': {
    fr: 'La banque a eu un problème technique.',
    pt: 'O banco teve um problema técnico.',
  },
  'The payment came after the end of the bank day.': {
    fr: 'Le paiement est arrivé après la fin de la journée bancaire.',
    pt: 'O pagamento chegou depois do fim do dia bancário.',
  },
} as const satisfies { readonly [Sentence in FailureSentence]: Translations };

/** Texts of the pages of withdrawals. */
export const WITHDRAWALS = {
  ...FAILURES,
  'The bank refused the payment with the code {code}.': {
    fr: 'La banque a refusé le paiement avec le code {code}.',
    pt: 'O banco recusou o pagamento com o código {code}.',
  },
  'Since the page was shown: {events}. The withdrawal is now: {status}.': {
    fr: 'Depuis l’affichage de la page : {events}. Le retrait est maintenant : {status}.',
    pt: 'Desde que a página foi mostrada: {events}. O levantamento está agora: {status}.',
  },
  '{event} ({actor})': { fr: '{event} ({actor})', pt: '{event} ({actor})' },
  'Money on its way to bank accounts, and what the bank said about it.': {
    fr: 'Les fonds en route vers des comptes bancaires, et les réponses de la banque.',
    pt: 'O dinheiro a caminho de contas bancárias e as respostas do banco.',
  },
  To: { fr: 'À', pt: 'Para' },
  'Bank’s reason': { fr: 'Motif de la banque', pt: 'Motivo do banco' },
  'No withdrawals yet': { fr: 'Pas encore de retraits', pt: 'Ainda não há levantamentos' },
  'A withdrawal pays money from an account to a bank.': {
    fr: 'Un retrait verse les fonds d’un compte vers une banque.',
    pt: 'Um levantamento transfere dinheiro de uma conta para um banco.',
  },
  'New withdrawal': { fr: 'Nouveau retrait', pt: 'Novo levantamento' },
  'The bank refused a file or a batch, but not provably this payment. Look for {reference} in the bank’s statement; platform staff book what it shows.':
    {
      fr: 'La banque a refusé un fichier ou un lot, sans qu’il soit prouvé que ce paiement est concerné. Cherchez {reference} dans le relevé bancaire ; l’équipe de la plateforme comptabilise ce qu’il indique.',
      pt: 'O banco recusou um ficheiro ou um lote, mas não está provado que inclua este pagamento. Procure {reference} no extrato bancário; a equipa da plataforma regista o que este indica.',
    },
  'The bank rejected one of several attempts to pay, and did not say which. Look for {reference} in the bank’s statement; platform staff book what it shows.':
    {
      fr: 'La banque a rejeté une tentative de paiement parmi plusieurs, sans dire laquelle. Cherchez {reference} dans le relevé bancaire ; l’équipe de la plateforme comptabilise ce qu’il indique.',
      pt: 'O banco rejeitou uma de várias tentativas de pagamento e não disse qual. Procure {reference} no extrato bancário; a equipa da plataforma regista o que este indica.',
    },
  'The bank reported the payment as cancelled, and may still pay it. Look for {reference} in the bank’s statement; platform staff book what it shows.':
    {
      fr: 'La banque a signalé le paiement comme annulé, mais peut encore l’exécuter. Cherchez {reference} dans le relevé bancaire ; l’équipe de la plateforme comptabilise ce qu’il indique.',
      pt: 'O banco comunicou o pagamento como cancelado, mas ainda o pode executar. Procure {reference} no extrato bancário; a equipa da plataforma regista o que este indica.',
    },
  'Our records of this payment do not agree, so nothing was sent to the bank. Look for {reference} in the bank’s statement; platform staff book what it shows.':
    {
      fr: 'Nos enregistrements de ce paiement ne concordent pas : rien n’a été transmis à la banque. Cherchez {reference} dans le relevé bancaire ; l’équipe de la plateforme comptabilise ce qu’il indique.',
      pt: 'Os nossos registos deste pagamento não coincidem, por isso nada foi comunicado ao banco. Procure {reference} no extrato bancário; a equipa da plataforma regista o que este indica.',
    },
  'The account was frozen before the bank had the payment {reference}, so it was not sent. Once the freeze is lifted, resume it (the platform alone, if it froze the account), or cancel it.':
    {
      fr: 'Le compte a été gelé avant que la banque ait le paiement {reference} : il n’a pas été envoyé. Une fois le gel levé, reprenez-le (la plateforme seule, si elle a gelé le compte), ou annulez-le.',
      pt: 'A conta foi congelada antes de o banco ter o pagamento {reference}, por isso não foi enviado. Depois de levantado o congelamento, retome-o (só a plataforma, se foi ela que congelou a conta) ou cancele-o.',
    },
  'The user was blacklisted before the bank had the payment {reference}, so it was not sent. Once the user is cleared, resume it; or cancel it.':
    {
      fr: 'L’utilisateur a été mis sur liste noire avant que la banque ait le paiement {reference} : il n’a pas été transmis. Une fois l’utilisateur en règle, reprenez-le ; ou annulez-le.',
      pt: 'O utilizador foi posto na lista negra antes de o banco ter o pagamento {reference}, por isso não foi enviado. Quando o utilizador estiver sem restrições, retome-o; ou cancele-o.',
    },
  'Before the bank has the payment': {
    fr: 'Avant que la banque ait le paiement',
    pt: 'Antes de o banco ter o pagamento',
  },
  'Resume the payment': { fr: 'Reprendre le paiement', pt: 'Retomar o pagamento' },
  'The payment goes to the bank, if its account is open and its user is clear.': {
    fr: 'Le paiement part à la banque, si son compte est ouvert et son utilisateur en règle.',
    pt: 'O pagamento segue para o banco, se a conta estiver aberta e o utilizador sem restrições.',
  },
  Resume: { fr: 'Reprendre', pt: 'Retomar' },
  'Cancel the withdrawal': { fr: 'Annuler le retrait', pt: 'Cancelar o levantamento' },
  'Not sent yet': { fr: 'Pas encore envoyé', pt: 'Ainda não enviado' },
  'Held back': { fr: 'Bloqué', pt: 'Retido' },
  'The bank has the payment since {time}, so it can no longer be cancelled. If the bank rejects it, the money comes back by itself.':
    {
      fr: 'La banque a le paiement depuis le {time} : il ne peut plus être annulé. Si la banque le rejette, les fonds reviennent d’eux-mêmes.',
      pt: 'O banco tem o pagamento desde {time}, por isso já não pode ser cancelado. Se o banco o rejeitar, o dinheiro volta por si.',
    },
  'The payment was handed to the bank, which may pay it, so it can no longer be cancelled. If the bank rejects it, the money comes back by itself.':
    {
      fr: 'Le paiement a été remis à la banque, qui peut l’exécuter : il ne peut plus être annulé. Si la banque le rejette, les fonds reviennent d’eux-mêmes.',
      pt: 'O pagamento foi entregue ao banco, que o pode executar, por isso já não pode ser cancelado. Se o banco o rejeitar, o dinheiro volta por si.',
    },
  'Cancel it': { fr: 'L’annuler', pt: 'Cancelá-lo' },
  'The payment goes to the bank.': { fr: 'Le paiement part à la banque.', pt: 'O pagamento segue para o banco.' },
  'The withdrawal is cancelled. The money is back on the account.': {
    fr: 'Le retrait est annulé. Les fonds sont de retour sur le compte.',
    pt: 'O levantamento está cancelado. O dinheiro voltou à conta.',
  },
  '{description} The bank’s code is {code}.': {
    fr: '{description} Le code de la banque est {code}.',
    pt: '{description} O código do banco é {code}.',
  },
  'Withdrawal {reference}': { fr: 'Retrait {reference}', pt: 'Levantamento {reference}' },
  '{bank}, branch {branch}': { fr: '{bank}, agence {branch}', pt: '{bank}, balcão {branch}' },
  'Account number': { fr: 'Numéro de compte', pt: 'Número de conta' },
  'Reference at the bank': { fr: 'Référence auprès de la banque', pt: 'Referência no banco' },
  'The outcome is booked. The withdrawal is now: {status}.': {
    fr: 'Le résultat est comptabilisé. État du retrait : {status}.',
    pt: 'O resultado foi registado. Estado do levantamento: {status}.',
  },
  'Book what the bank’s statement shows': {
    fr: 'Comptabiliser ce qu’indique le relevé bancaire',
    pt: 'Registar o que consta do extrato bancário',
  },
  'The bank paid it': { fr: 'La banque l’a payé', pt: 'O banco pagou' },
  'The withdrawal is settled. If its money was given back, it is taken again.': {
    fr: 'Le retrait est réglé. Si ses fonds avaient été rendus, ils sont repris.',
    pt: 'O levantamento fica liquidado. Se o dinheiro tinha sido devolvido, é novamente retirado.',
  },
  'Book as paid': { fr: 'Comptabiliser comme payé', pt: 'Registar como pago' },
  'The bank did not pay it': { fr: 'La banque ne l’a pas payé', pt: 'O banco não pagou' },
  'The amount and its tax go back to the account.': {
    fr: 'Le montant et sa taxe retournent sur le compte.',
    pt: 'O montante e o respetivo imposto voltam para a conta.',
  },
  'Reason code': { fr: 'Code du motif', pt: 'Código do motivo' },
  'ISO 20022, four characters: AC04': {
    fr: 'ISO 20022, quatre caractères : AC04',
    pt: 'ISO 20022, quatro caracteres: AC04',
  },
  'Book as not paid': { fr: 'Comptabiliser comme non payé', pt: 'Registar como não pago' },
  'The withdrawal is requested. The bank’s answer appears here.': {
    fr: 'Le retrait est demandé. La réponse de la banque apparaîtra ici.',
    pt: 'O levantamento foi pedido. A resposta do banco aparecerá aqui.',
  },
  'From which account': { fr: 'Depuis quel compte', pt: 'De que conta' },
  'For a user’s account, open the user’s page and choose the account there.': {
    fr: 'Pour le compte d’un utilisateur, ouvrez sa page et choisissez-y le compte.',
    pt: 'Para a conta de um utilizador, abra a página dele e escolha aí a conta.',
  },
  'Can be withdrawn, tax included': {
    fr: 'Disponible au retrait, taxe comprise',
    pt: 'Disponível para levantamento, com imposto',
  },
  'How much': { fr: 'Combien', pt: 'Quanto' },
  'See what it costs': { fr: 'Voir le coût', pt: 'Ver o custo' },
  'What it costs': { fr: 'Coût', pt: 'Custo' },
  'The balance does not cover this now, so the withdrawal would be refused.': {
    fr: 'Le compte ne dispose pas de ce montant pour le moment : le retrait serait refusé.',
    pt: 'A conta não tem este montante neste momento, por isso o levantamento seria recusado.',
  },
  'To the bank': { fr: 'Vers la banque', pt: 'Para o banco' },
  'Taken from the account': { fr: 'Prélevé sur le compte', pt: 'Retirado da conta' },
  'Where to': { fr: 'Destination', pt: 'Destino' },
  'Leave the four bank fields empty to pay to the bank details of the account’s ledger.': {
    fr: 'Laissez les quatre champs bancaires vides pour verser aux coordonnées bancaires du grand livre du compte.',
    pt: 'Deixe os quatro campos bancários vazios para pagar para os dados bancários do livro-razão da conta.',
  },
  'Branch code': { fr: 'Code d’agence', pt: 'Código do balcão' },
  'Name of the account’s owner': { fr: 'Nom du titulaire du compte', pt: 'Nome do titular da conta' },
  'The money went back to the account of {owner}.': {
    fr: 'L’argent est revenu sur le compte de {owner}.',
    pt: 'O dinheiro voltou para a conta de {owner}.',
  },
  'Pay again to other bank details': {
    fr: 'Verser de nouveau vers d’autres coordonnées',
    pt: 'Pagar de novo para outros dados bancários',
  },
  'The company has not received enough money for this, so the withdrawal would be refused.': {
    fr: 'L’entreprise n’a pas reçu assez d’argent pour cela : le retrait serait refusé.',
    pt: 'A empresa não recebeu dinheiro suficiente para isto, por isso o levantamento seria recusado.',
  },
} as const satisfies Translated;
