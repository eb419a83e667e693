import type { RefusalTitle } from '../../../domain/errors.ts';
import type { StatementSentence } from '../../../domain/refusal-reasons.ts';
import type { Translated, Translations } from './translations.ts';

/** The titles of refusals. The compiler reports a title without translations, and a row without a title. */
const TITLES = {
  'The resource has changed since the version in If-Match': {
    fr: 'La ressource a changé depuis la version nommée dans la demande',
    pt: 'O recurso mudou desde a versão indicada no pedido',
  },
  'A required header is missing': { fr: 'Un en-tête obligatoire est absent', pt: 'Falta um cabeçalho obrigatório' },
  'The request is not valid': { fr: 'La requête n’est pas valide', pt: 'O pedido não é válido' },
  'The body is not valid JSON': { fr: 'Le corps n’est pas du JSON valide', pt: 'O corpo não é JSON válido' },
  'The id in the path is malformed or of the wrong type': {
    fr: 'Le chemin contient un identifiant mal formé ou d’un autre type',
    pt: 'O caminho contém um identificador malformado ou de outro tipo',
  },
  'The path does not have this method': {
    fr: 'Ce chemin n’accepte pas cette méthode',
    pt: 'O caminho não aceita este método',
  },
  'The company has reached the maximum number of these': {
    fr: 'L’entreprise en a déjà le nombre maximal',
    pt: 'A empresa já tem o número máximo destes',
  },
  'A one-time password is required': {
    fr: 'Un code à usage unique est requis',
    pt: 'É necessário um código de utilização única',
  },
  'This operation needs an API key': {
    fr: 'Cette opération exige une clé d’API',
    pt: 'Esta operação exige uma chave de API',
  },
  'The credential is missing, unknown, revoked or expired': {
    fr: 'L’identifiant d’accès est absent, inconnu, révoqué ou expiré',
    pt: 'A credencial falta, é desconhecida, foi revogada ou expirou',
  },
  'E-mail, password or code is wrong': {
    fr: 'L’e-mail, le mot de passe ou le code est incorrect',
    pt: 'O e-mail ou a palavra-passe está errado',
  },
  'The refresh token is unknown, used or expired': {
    fr: 'Le jeton de renouvellement est inconnu, utilisé ou expiré',
    pt: 'O token de renovação é desconhecido, foi usado ou expirou',
  },
  'The signature does not match': { fr: 'La signature ne correspond pas', pt: 'A assinatura não corresponde' },
  'The credential does not permit this': {
    fr: 'L’identifiant d’accès ne le permet pas',
    pt: 'A credencial não o permite',
  },
  'The credential belongs to another company': {
    fr: 'L’identifiant d’accès appartient à une autre entreprise',
    pt: 'A credencial pertence a outra empresa',
  },
  'The owner and the keys of the owner are protected': {
    fr: 'Le propriétaire et ses clés sont protégés',
    pt: 'O proprietário e as suas chaves estão protegidos',
  },
  'Only the other party can answer a proposal': {
    fr: 'C’est à l’autre partie de répondre à une proposition',
    pt: 'Quem responde a uma proposta é a parte que não a fez',
  },
  'The user is blacklisted': { fr: 'L’utilisateur est sur liste noire', pt: 'O utilizador está na lista negra' },
  'A second factor is required': {
    fr: 'Un second facteur est exigé',
    pt: 'É necessário um segundo fator',
  },
  'Change the temporary password first': {
    fr: 'Le mot de passe provisoire doit d’abord être changé',
    pt: 'A palavra-passe temporária tem de ser alterada primeiro',
  },
  'Resource not found': { fr: 'Cette ressource n’existe pas', pt: 'Este recurso não existe' },
  'The resource is in the wrong state for this': {
    fr: 'L’état de la ressource ne le permet pas',
    pt: 'O estado do recurso não o permite',
  },
  'The resource already exists': { fr: 'Cet élément existe déjà', pt: 'Já existe' },
  'The reference is already used': { fr: 'La référence est déjà utilisée', pt: 'A referência já está a ser usada' },
  'Another proposal is waiting for an answer': {
    fr: 'Une autre proposition attend une réponse',
    pt: 'Outra proposta aguarda resposta',
  },
  'The first request with this idempotency key is still in progress': {
    fr: 'La première requête avec cette clé d’idempotence est encore en cours',
    pt: 'O primeiro pedido com esta chave de idempotência ainda está em curso',
  },
  'The payment of the escrow was charged back': {
    fr: 'Le paiement du séquestre a fait l’objet d’une rétrofacturation',
    pt: 'O pagamento da custódia foi estornado',
  },
  'The payment link has expired': { fr: 'Le lien de paiement a expiré', pt: 'O link de pagamento expirou' },
  'The body is too large': { fr: 'Le corps est trop volumineux', pt: 'O corpo é demasiado grande' },
  'The media type is not supported': {
    fr: 'Le type de média n’est pas pris en charge',
    pt: 'O tipo de média não é suportado',
  },
  'The owner of the account has an open debt': {
    fr: 'Le titulaire du compte doit de l’argent',
    pt: 'O titular da conta deve dinheiro',
  },
  'The bank details are not in effect yet': {
    fr: 'Les coordonnées bancaires ne sont pas encore en vigueur',
    pt: 'Os dados bancários ainda não estão em vigor',
  },
  'The company has not received enough money for the payout': {
    fr: 'Les fonds reçus pour l’entreprise ne couvrent pas le versement',
    pt: 'O dinheiro recebido para a empresa não cobre o pagamento',
  },
  'The available balance does not cover the amount': {
    fr: 'Le solde disponible ne couvre pas le montant',
    pt: 'O saldo disponível não cobre o montante',
  },
  'The company has not listed the host of this address': {
    fr: 'L’adresse mène à un hôte que l’entreprise n’a pas déclaré',
    pt: 'O endereço conduz a um anfitrião que a empresa não indicou',
  },
  'White text is not readable on this colour': {
    fr: 'Un texte blanc n’est pas lisible sur cette couleur',
    pt: 'O texto branco não é legível sobre esta cor',
  },
  'The split plan does not sum to the amount': {
    fr: 'La somme du plan de répartition ne correspond pas au montant',
    pt: 'A soma do plano de repartição não corresponde ao montante',
  },
  'The split plan exceeds the held amount': {
    fr: 'Le plan de répartition dépasse les fonds retenus',
    pt: 'O plano de repartição excede o que está retido',
  },
  'Milestone percentages do not total 100': {
    fr: 'Le total des pourcentages des jalons n’est pas 100',
    pt: 'As percentagens das etapas não totalizam 100',
  },
  'The escrow has no such item': {
    fr: 'Le séquestre ne contient pas cet article',
    pt: 'A custódia não tem este artigo',
  },
  'Financial institution not found': {
    fr: 'Cet établissement financier n’existe pas',
    pt: 'Esta instituição financeira não existe',
  },
  'The quantity exceeds the order': {
    fr: 'La quantité dépasse celle commandée',
    pt: 'A quantidade excede a encomendada',
  },
  'The price differs from the order': {
    fr: 'Le prix n’est pas celui de la commande',
    pt: 'O preço não é o da encomenda',
  },
  'The message was sent more than a day ago': {
    fr: 'Le message a été envoyé il y a plus d’un jour',
    pt: 'A mensagem foi enviada há mais de um dia',
  },
  'The account does not belong to that party': {
    fr: 'Le compte n’appartient pas à cette partie',
    pt: 'A conta não pertence a essa parte',
  },
  'The account is frozen': { fr: 'Le compte est gelé', pt: 'A conta está congelada' },
  'The account is a contra account and cannot be frozen': {
    fr: 'Le compte est une contrepartie comptable et ne peut pas être gelé',
    pt: 'A conta é uma contrapartida contabilística e não pode ser congelada',
  },
  'The currencies differ': { fr: 'Les devises diffèrent', pt: 'As moedas são diferentes' },
  'Buyer and seller are the same': {
    fr: 'L’acheteur et le vendeur sont la même personne',
    pt: 'O comprador e o vendedor são a mesma pessoa',
  },
  'User not found': { fr: 'Cet utilisateur n’existe pas', pt: 'Este utilizador não existe' },
  'Administrator not found': { fr: 'Cet administrateur n’existe pas', pt: 'Este administrador não existe' },
  'The one-time password is wrong': {
    fr: 'Le code à usage unique est incorrect',
    pt: 'O código de utilização única está errado',
  },
  'The one-time password has expired': {
    fr: 'Le code à usage unique a expiré',
    pt: 'O código de utilização única expirou',
  },
  'The amount is too large': { fr: 'Le montant est trop élevé', pt: 'O montante é demasiado elevado' },
  'The statement has too many entries': {
    fr: 'Le relevé contient trop d’écritures',
    pt: 'O extrato tem demasiados movimentos',
  },
  'The stored bank details cannot be read': {
    fr: 'Les coordonnées bancaires enregistrées sont illisibles',
    pt: 'Os dados bancários guardados não podem ser lidos',
  },
  'The file is not a valid bank statement': {
    fr: 'Le fichier n’est pas un relevé bancaire juste',
    pt: 'O ficheiro não é um extrato bancário certo',
  },
  'The idempotency key was used for another request': {
    fr: 'La clé d’idempotence a servi à une autre requête',
    pt: 'A chave de idempotência foi usada noutro pedido',
  },
  'Too many requests': { fr: 'Trop de requêtes', pt: 'Demasiados pedidos' },
  'Too many wrong one-time passwords': {
    fr: 'Trop de codes à usage unique incorrects',
    pt: 'Demasiados códigos de utilização única errados',
  },
  'A provider cannot be reached': {
    fr: 'Un prestataire est injoignable',
    pt: 'Não é possível contactar um fornecedor',
  },
  'A part of the service cannot be reached': {
    fr: 'Une partie du service est injoignable',
    pt: 'Não é possível contactar uma parte do serviço',
  },
} as const satisfies { readonly [Title in RefusalTitle]: Translations };

/** What is wrong with a file of the bank or a statement. The compiler reports a sentence without translations, as above. */
const STATEMENTS = {
  'a document type is not accepted': {
    fr: 'un type de document (DOCTYPE) n’est pas accepté',
    pt: 'um tipo de documento (DOCTYPE) não é aceite',
  },
  'the XML is not well-formed in line {count}': {
    fr: 'le XML est mal formé à la ligne {count}',
    pt: 'o XML está malformado na linha {count}',
  },
  'the file has no namespace': {
    fr: 'le fichier n’a pas d’espace de noms',
    pt: 'o ficheiro não tem espaço de nomes',
  },
  'the file has another namespace: {value}': {
    fr: 'le fichier a un autre espace de noms (xmlns) : {value}',
    pt: 'o ficheiro tem outro espaço de nomes: {value}',
  },
  'the XML is nested more than {count} levels': {
    fr: 'le XML a plus de {count} niveaux',
    pt: 'o XML tem mais de {count} níveis',
  },
  'the file has no element': {
    fr: 'le fichier ne contient aucun élément',
    pt: 'o ficheiro não tem nenhum elemento',
  },
  'the file is not in UTF-8': {
    fr: 'le fichier n’est pas en UTF-8',
    pt: 'o ficheiro não está em UTF-8',
  },
  'the encoding {value} is not read': {
    fr: 'l’encodage {value} n’est pas lu',
    pt: 'a codificação {value} não é lida',
  },
  'the version {value} of camt.053 is not read, only 001.02 and 001.08': {
    fr: 'la version {value} de camt.053 n’est pas lue, seulement 001.02 et 001.08',
    pt: 'a versão {value} de camt.053 não é lida, só 001.02 e 001.08',
  },
  'the file has no statement': {
    fr: 'le fichier ne contient aucun relevé',
    pt: 'o ficheiro não tem nenhum extrato',
  },
  'the opening balance and the booked entries do not add up to the closing balance': {
    fr: 'le solde d’ouverture et les écritures comptabilisées ne donnent pas le solde de clôture',
    pt: 'o saldo inicial e os movimentos registados não dão o saldo final',
  },
  'an entry has another currency than the account': {
    fr: 'une écriture a une autre devise que le compte',
    pt: 'um movimento tem outra moeda que a conta',
  },
  'the account (Acct) has no IBAN and no other id': {
    fr: 'le compte (Acct) n’a ni IBAN ni autre identifiant',
    pt: 'a conta (Acct) não tem IBAN nem outro identificador',
  },
  'the opening balance (OPBD, PRCD) or the closing balance (CLBD) is missing': {
    fr: 'le solde d’ouverture (OPBD, PRCD) ou de clôture (CLBD) manque',
    pt: 'falta o saldo inicial (OPBD, PRCD) ou o saldo final (CLBD)',
  },
  'the currency {value} is not supported': {
    fr: 'la devise {value} n’est pas une de celles du service',
    pt: 'a moeda {value} não é uma das do serviço',
  },
  'the closing balance has no currency': {
    fr: 'le solde de clôture n’a pas de devise',
    pt: 'o saldo final não tem moeda',
  },
  'the account and its balances have several currencies': {
    fr: 'le compte et ses soldes ont plusieurs devises',
    pt: 'a conta e os seus saldos têm várias moedas',
  },
  'the closing balance has no date': {
    fr: 'le solde de clôture n’a pas de date',
    pt: 'o saldo final não tem data',
  },
  'an element {value} does not say whether it is a credit or a debit (CdtDbtInd)': {
    fr: 'un élément {value} ne dit pas s’il est un crédit ou un débit (CdtDbtInd)',
    pt: 'um elemento {value} não diz se é um crédito ou um débito (CdtDbtInd)',
  },
  'an amount is missing, or is not a number with at most two decimals': {
    fr: 'un montant manque, ou n’est pas un nombre avec deux décimales au plus',
    pt: 'falta um montante, ou não é um número com duas casas decimais no máximo',
  },
  '{value} is not a date': {
    fr: '{value} n’est pas une date',
    pt: '{value} não é uma data',
  },
  'the file has more than {count} statements': {
    fr: 'le fichier contient plus de {count} relevés',
    pt: 'o ficheiro tem mais de {count} extratos',
  },
  'the file has more than {count} entries': {
    fr: 'le fichier contient plus de {count} écritures',
    pt: 'o ficheiro tem mais de {count} movimentos',
  },
  'the window has more than {count} entries; ask for a shorter one': {
    fr: 'la période contient plus de {count} écritures ; demandez-en une plus courte',
    pt: 'o período tem mais de {count} movimentos; peça um mais curto',
  },
  'the file needs too much memory': {
    fr: 'le fichier demande trop de mémoire',
    pt: 'o ficheiro precisa de demasiada memória',
  },
} as const satisfies { readonly [Sentence in StatementSentence]: Translations };

/** Why something was refused or failed. */
export const PROBLEMS = {
  ...TITLES,
  ...STATEMENTS,
  'Your role does not permit this. Ask an owner or an administrator of the company.': {
    fr: 'Votre rôle ne le permet pas. Adressez-vous à un propriétaire ou à un administrateur de l’entreprise.',
    pt: 'A sua função não o permite. Fale com um proprietário ou administrador da empresa.',
  },
  'This belongs to another company.': {
    fr: 'Cet élément appartient à une autre entreprise que la vôtre.',
    pt: 'Isto pertence a outra empresa.',
  },
  'The e-mail address or the password is wrong.': {
    fr: 'L’adresse e-mail ou le mot de passe est incorrect.',
    pt: 'O endereço de e-mail ou a palavra-passe está errado.',
  },
  'The current state does not allow this, or it changed after the page was shown. Nothing was done.': {
    fr: 'L’état a changé depuis l’affichage de la page, ou ne permet pas cette action. Rien n’a été fait.',
    pt: 'O estado mudou desde que a página foi apresentada, ou não permite esta ação. Nada foi feito.',
  },
  'Answer the open proposal first.': {
    fr: 'Une autre proposition attend une réponse. Il faut d’abord y répondre.',
    pt: 'Outra proposta aguarda resposta. É preciso responder-lhe primeiro.',
  },
  'Still processing. Sending the form again is safe.': {
    fr: 'Traitement en cours. Vous pouvez renvoyer le formulaire sans risque.',
    pt: 'Ainda em processamento. Pode enviar o formulário de novo sem risco.',
  },
  'This form was already sent with other values, which may have taken effect. Check, then open the page again.': {
    fr: 'Ce formulaire a déjà été envoyé avec d’autres valeurs, et cela a pu être exécuté. Vérifiez-le, puis ouvrez la page à nouveau.',
    pt: 'Este formulário já foi enviado com outros valores, e isso pode ter sido executado. Verifique e depois abra a página de novo.',
  },
  'This changed after the page was shown, so nothing was done. Check the current values before you send the form.': {
    fr: 'Ceci a changé depuis l’affichage de la page : rien n’a été fait. Vérifiez les valeurs actuelles avant d’envoyer le formulaire.',
    pt: 'Isto mudou desde que a página foi mostrada: nada foi feito. Verifique os valores atuais antes de enviar o formulário.',
  },
  'Nothing was saved: someone else changed this.': {
    fr: 'Rien n’a été enregistré : quelqu’un d’autre a fait une modification.',
    pt: 'Nada foi guardado: outra pessoa alterou isto.',
  },
  'Someone else changed this. It is now: {value}': {
    fr: 'Quelqu’un d’autre a modifié ceci. La valeur est maintenant : {value}',
    pt: 'Outra pessoa alterou isto. O valor é agora: {value}',
  },
  'The administrator was already added, and the temporary password was shown. If you did not see it, remove the administrator and add them again.':
    {
      fr: 'L’administrateur a déjà été ajouté, et le mot de passe provisoire a été affiché. Si vous ne l’avez pas vu, retirez l’administrateur et ajoutez-le à nouveau.',
      pt: 'O administrador já foi adicionado, e a palavra-passe temporária foi mostrada. Se não a viu, remova o administrador e adicione-o de novo.',
    },
  'This was already done, and the secret was shown. If you did not see it, create another one and remove this one.': {
    fr: 'C’est déjà fait, et le secret a été affiché. Si vous ne l’avez pas vu, créez-en un autre et supprimez celui-ci.',
    pt: 'Isto já foi feito, e o segredo foi mostrado. Se não o viu, crie outro e remova este.',
  },
  'The parts exceed the held amount.': {
    fr: 'La somme des parts dépasse les fonds retenus.',
    pt: 'A soma das partes excede o dinheiro retido.',
  },
  'The parts do not add up to the amount.': {
    fr: 'La somme des parts ne correspond pas au montant.',
    pt: 'A soma das partes não corresponde ao montante.',
  },
  'The user is blacklisted, so this is not possible. Nothing was moved.': {
    fr: 'L’utilisateur est sur liste noire, donc ce n’est pas possible. Aucun fonds n’a été déplacé.',
    pt: 'O utilizador está na lista negra, por isso não é possível. Nada foi movimentado.',
  },
  'The account is frozen. Nothing was moved.': {
    fr: 'Le compte est gelé. Aucun fonds n’a été déplacé.',
    pt: 'A conta está congelada. Nada foi movimentado.',
  },
  'The available balance does not cover the amount. Nothing was moved.': {
    fr: 'Le solde disponible ne couvre pas le montant. Aucun fonds n’a été déplacé.',
    pt: 'O saldo disponível não cobre o montante. Nada foi movimentado.',
  },
  'The payment that funded the escrow was charged back, so it cannot be released.': {
    fr: 'Le paiement qui alimentait le séquestre a fait l’objet d’une rétrofacturation : les fonds ne peuvent pas être libérés.',
    pt: 'O pagamento que financiou a custódia foi estornado, por isso não pode ser libertado.',
  },
  'The company has not received enough money for this payout.': {
    fr: 'Les fonds reçus pour l’entreprise ne couvrent pas ce versement.',
    pt: 'O dinheiro recebido para a empresa não cobre este pagamento.',
  },
  'Too many requests or files in a short time. Wait a moment and try again.': {
    fr: 'Trop de requêtes ou de fichiers en peu de temps. Patientez un instant et réessayez.',
    pt: 'Demasiados pedidos ou ficheiros em pouco tempo. Aguarde um momento e tente de novo.',
  },
  'A part of the service is not responding. Nothing is lost: try again in a moment.': {
    fr: 'Une partie du service ne répond pas. Rien n’est perdu : réessayez dans un instant.',
    pt: 'Uma parte do serviço não responde. Nada se perdeu: tente de novo dentro de momentos.',
  },
  'A provider is not responding. Nothing is lost: try again in a moment.': {
    fr: 'Un prestataire ne répond pas. Rien n’est perdu : réessayez dans un instant.',
    pt: 'Um fornecedor não responde. Nada se perdeu: tente de novo dentro de momentos.',
  },
  'The form is too long, so nothing was done. Shorten its texts, and send it again.': {
    fr: 'Le formulaire est trop long : rien n’a été fait. Raccourcissez ses textes et envoyez-le à nouveau.',
    pt: 'O formulário é demasiado longo, por isso nada foi feito. Encurte os textos e envie-o de novo.',
  },
  'Your browser keeps what you typed: go back to the form.': {
    fr: 'Votre navigateur garde ce que vous avez saisi : revenez au formulaire.',
    pt: 'O seu navegador guarda o que escreveu: volte ao formulário.',
  },
  'Not found in the company that the console shows.': {
    fr: 'Cet élément n’existe pas, ou n’appartient pas à l’entreprise que vous consultez.',
    pt: 'Isto não existe, ou não pertence à empresa que está a consultar.',
  },
  'Nothing was done: the form was opened before you logged in. Check the form and send it again.': {
    fr: 'Rien n’a été fait : le formulaire a été ouvert avant votre connexion. Vérifiez son contenu et envoyez-le à nouveau.',
    pt: 'Nada foi feito: o formulário foi aberto antes de iniciar sessão. Verifique o conteúdo e envie-o de novo.',
  },
  'Nothing was done: the form belongs to another company than the one shown now.': {
    fr: 'Rien n’a été fait : le formulaire a été ouvert pour une autre entreprise que celle affichée maintenant.',
    pt: 'Nada foi feito: o formulário foi aberto para outra empresa, e não para a que as páginas mostram agora.',
  },
  'Nothing was done. You act for the form’s company again: check the form and send it again.': {
    fr: 'Rien n’a été fait : vous agissez de nouveau pour l’entreprise du formulaire. Vérifiez ce qu’il dit et renvoyez-le.',
    pt: 'Nada foi feito: atua de novo pela empresa do formulário. Verifique o que diz e envie-o de novo.',
  },
  'Nothing was done: the form does not name its company. Open the page again.': {
    fr: 'Rien n’a été fait : le formulaire ne dit pas pour quelle entreprise il a été ouvert. Ouvrez la page à nouveau.',
    pt: 'Nada foi feito: o formulário não diz para que empresa foi aberto. Abra a página de novo.',
  },
  'Some fields are not valid.': { fr: 'Certains champs ne sont pas valides.', pt: 'Alguns campos não são válidos.' },
  'Something went wrong on our side. Trying again is safe.': {
    fr: 'Une erreur s’est produite de notre côté. Rien n’a été fait deux fois : vous pouvez réessayer.',
    pt: 'Ocorreu um erro do nosso lado. Nada foi feito duas vezes: pode tentar de novo.',
  },
  'Nothing was done: the form is not as the page sends it. Open the page again.': {
    fr: 'Rien n’a été fait : le formulaire n’est pas tel que la page l’envoie. Ouvrez la page de nouveau.',
    pt: 'Nada foi feito: o formulário não está como a página o envia. Abra a página de novo.',
  },
  'Send one file at a time.': { fr: 'Envoyez un seul fichier à la fois.', pt: 'Envie um ficheiro de cada vez.' },
  'Only the platform does this. Ask its staff.': {
    fr: 'Seule la plateforme le fait. Adressez-vous à son équipe.',
    pt: 'Só a plataforma o faz. Fale com a sua equipa.',
  },
  'Another administrator, who was there before the change, has to approve it.': {
    fr: 'Un autre administrateur, présent avant la modification, doit l’approuver.',
    pt: 'Outro administrador, que já existia antes da alteração, tem de a aprovar.',
  },
} as const satisfies Translated;
