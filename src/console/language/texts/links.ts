import type { Translated } from './translations.ts';

/** Texts of the pages of links. */
export const LINKS = {
  'Payment link': { fr: 'Lien de paiement', pt: 'Link de pagamento' },
  'Payment links': { fr: 'Liens de paiement', pt: 'Links de pagamento' },
  'Payment link {reference}': { fr: 'Lien de paiement {reference}', pt: 'Link de pagamento {reference}' },
  'New link': { fr: 'Nouveau lien', pt: 'Novo link' },
  'A link takes one payment and funds its escrow.': {
    fr: 'Un lien reçoit un seul paiement et alimente son séquestre.',
    pt: 'Um link recebe um pagamento e financia a sua custódia.',
  },
  'No payment links yet': { fr: 'Pas encore de liens de paiement', pt: 'Ainda não há links de pagamento' },
  'Create one and send its address or QR code to the buyer.': {
    fr: 'Créez-en un et envoyez son adresse ou son code QR à l’acheteur.',
    pt: 'Crie um e envie o endereço ou o código QR ao comprador.',
  },
  Attempts: { fr: 'Tentatives', pt: 'Tentativas' },
  'Attempts to pay': { fr: 'Tentatives de paiement', pt: 'Tentativas de pagamento' },
  'No attempt yet': { fr: 'Pas encore de tentative', pt: 'Ainda sem tentativas' },
  'Nobody has started a payment on this link.': {
    fr: 'Personne n’a commencé de paiement avec ce lien.',
    pt: 'Ninguém iniciou um pagamento com este link.',
  },
  By: { fr: 'Moyen', pt: 'Meio' },
  Started: { fr: 'Début', pt: 'Início' },
  'At the provider': { fr: 'Chez le prestataire', pt: 'No prestador' },
  'Next check': { fr: 'Prochaine vérification', pt: 'Próxima verificação' },
  '{count} so far': { fr: '{count} jusqu’ici', pt: '{count} até agora' },
  'The refund is under way': { fr: 'Le remboursement est en cours', pt: 'O reembolso está em curso' },
  'The gateway refused the refund': {
    fr: 'La passerelle a refusé le remboursement',
    pt: 'O gateway recusou o reembolso',
  },
  '{amount} of the payment was taken back: charged back, refunded at the gateway or reversed.': {
    fr: '{amount} du paiement ont été repris : rétrofacturation, remboursement à la passerelle ou annulation.',
    pt: '{amount} do pagamento foi retirado: estorno, reembolso no gateway ou anulação.',
  },
  'After the payment': { fr: 'Après le paiement', pt: 'Após o pagamento' },
  'If the buyer cancels': { fr: 'Si l’acheteur annule', pt: 'Se o comprador cancelar' },
  Timeline: { fr: 'Chronologie', pt: 'Cronologia' },
  'the address': { fr: 'l’adresse', pt: 'o endereço' },
  'Anybody who has this address can pay. Send it to the buyer only.': {
    fr: 'Toute personne qui a cette adresse peut payer. Ne l’envoyez qu’à l’acheteur.',
    pt: 'Quem tiver este endereço pode pagar. Envie-o apenas ao comprador.',
  },
  'Nobody can pay on this link any more. Its checkout says why.': {
    fr: 'Plus personne ne peut payer avec ce lien. Sa page de paiement dit pourquoi.',
    pt: 'Já ninguém pode pagar com este link. A sua página de pagamento diz porquê.',
  },
  'The address of the payment link as a QR code': {
    fr: 'L’adresse du lien de paiement sous forme de code QR',
    pt: 'O endereço do link de pagamento como código QR',
  },
  'Open the checkout': { fr: 'Ouvrir la page de paiement', pt: 'Abrir a página de pagamento' },
  'The language of the buyer’s browser': {
    fr: 'La langue du navigateur de l’acheteur',
    pt: 'O idioma do navegador do comprador',
  },
  English: { fr: 'Anglais', pt: 'Inglês' },
  French: { fr: 'Français', pt: 'Francês' },
  Portuguese: { fr: 'Portugais', pt: 'Português' },
  'Items for sale': { fr: 'Objet de la vente', pt: 'O que é vendido' },
  'Create link': { fr: 'Créer le lien', pt: 'Criar o link' },
  'More items': { fr: 'Autres articles', pt: 'Mais artigos' },
  'Item {number}': { fr: 'Article {number}', pt: 'Artigo {number}' },
  'Price of one': { fr: 'Prix unitaire', pt: 'Preço unitário' },
  Memo: { fr: 'Libellé', pt: 'Descritivo' },
  'At least one item is needed.': { fr: 'Il faut au moins un article.', pt: 'É necessário pelo menos um artigo.' },
  'The link is created. Send its address or QR code to the buyer.': {
    fr: 'Le lien est créé. Envoyez son adresse ou son code QR à l’acheteur.',
    pt: 'O link foi criado. Envie o endereço ou o código QR ao comprador.',
  },
  'Fees, release, milestones, language, return addresses': {
    fr: 'Frais, libération, jalons, langue, adresses de retour',
    pt: 'Comissões, libertação, etapas, idioma, endereços de retorno',
  },
  'Who pays the fees': { fr: 'Qui paie les frais', pt: 'Quem paga as comissões' },
  'The seller, out of the price': { fr: 'Le vendeur, sur le prix', pt: 'O vendedor, a partir do preço' },
  'The buyer, on top of the price': { fr: 'L’acheteur, en plus du prix', pt: 'O comprador, além do preço' },
  'Hours until it expires': { fr: 'Heures avant l’expiration', pt: 'Horas até expirar' },
  'Empty: {count} hours': { fr: 'Vide : {count} heures', pt: 'Vazio: {count} horas' },
  'Empty: the setting of the company. Not with milestones.': {
    fr: 'Vide : le réglage de l’entreprise. Incompatible avec les jalons.',
    pt: 'Vazio: a definição da empresa. Não se aplica com etapas.',
  },
  'Parts of the price that are released one by one. They add up to 100 %.': {
    fr: 'Parts du prix libérées une à une. Leur total est de 100 %.',
    pt: 'Partes do preço que são libertadas uma a uma. Somam 100 %.',
  },
  'Milestone {number}': { fr: 'Jalon {number}', pt: 'Etapa {number}' },
  'Per cent of the price, {number}': { fr: 'Pourcentage du prix, {number}', pt: 'Percentagem do preço, {number}' },
  'Language of the checkout': { fr: 'Langue de la page de paiement', pt: 'Idioma da página de pagamento' },
  'Address after the payment': { fr: 'Adresse après le paiement', pt: 'Endereço após o pagamento' },
  'Address if the buyer cancels': { fr: 'Adresse si l’acheteur annule', pt: 'Endereço se o comprador cancelar' },
  'On a checkout host of the settings': {
    fr: 'Sur un hôte de paiement indiqué dans les réglages',
    pt: 'Num anfitrião de pagamento das definições',
  },
  'Enter a title.': { fr: 'Saisissez un titre.', pt: 'Indique um título.' },
  'Enter a percentage such as {example}.': {
    fr: 'Saisissez un pourcentage tel que {example}.',
    pt: 'Indique uma percentagem como {example}.',
  },
  'The provider has not decided, and is asked again later': {
    fr: 'Le prestataire n’a pas tranché ; il sera interrogé plus tard',
    pt: 'O prestador ainda não decidiu e será consultado mais tarde',
  },
  'The provider is asked again soon': {
    fr: 'Le prestataire est interrogé bientôt',
    pt: 'O prestador é consultado em breve',
  },
  'The gateway reported a change': {
    fr: 'La passerelle a signalé un changement',
    pt: 'A entidade de pagamento comunicou uma alteração',
  },
  'The money came after the link had ended': {
    fr: 'L’argent est arrivé après la fin du lien',
    pt: 'O dinheiro chegou depois do fim do link',
  },
  'Card gateway': { fr: 'Passerelle de cartes', pt: 'Entidade de cartões' },
  'Mobile money operator': { fr: 'Opérateur d’argent mobile', pt: 'Operador de dinheiro móvel' },
  '{amount} came after the order was cancelled and goes back to where it came from.': {
    fr: '{amount} est arrivé après l’annulation de la commande et retourne à sa source.',
    pt: '{amount} chegou depois de a encomenda ser cancelada e volta à origem.',
  },
  '{amount} came after the link had ended, and went to the buyer’s balance. Tell the buyer, who can pay another link with the rest.':
    {
      fr: '{amount} est arrivé après la fin du lien et a été porté au solde de l’acheteur. Prévenez l’acheteur, qui peut payer un autre lien avec ce qu’il en reste.',
      pt: '{amount} chegou depois do fim do link e foi para o saldo do comprador. Avise o comprador, que pode pagar outro link com o que restar.',
    },
  'New link for this buyer': { fr: 'Nouveau lien pour cet acheteur', pt: 'Novo link para este comprador' },
  'See the buyer’s balance': { fr: 'Voir le solde de l’acheteur', pt: 'Ver o saldo do comprador' },
  'Give it back': { fr: 'Le rendre', pt: 'Devolver' },
  'Send by e-mail': { fr: 'Envoyer par e-mail', pt: 'Enviar por e-mail' },
  'Send by WhatsApp': { fr: 'Envoyer par WhatsApp', pt: 'Enviar por WhatsApp' },
  'Cancel the order': { fr: 'Annuler la commande', pt: 'Cancelar a encomenda' },
  'Name, phone number or id of a user. The page of a user has a button for a new link.': {
    fr: 'Nom, téléphone ou identifiant d’un utilisateur. La page d’un utilisateur a un bouton pour un nouveau lien.',
    pt: 'Nome, telefone ou identificador de um utilizador. A página de um utilizador tem um botão para um novo link.',
  },
  'Name, phone number or id. Without one: the default seller of the company, else the company.': {
    fr: 'Nom, téléphone ou identifiant. Sans vendeur : le vendeur par défaut de l’entreprise, sinon l’entreprise.',
    pt: 'Nome, telefone ou identificador. Sem vendedor: o vendedor predefinido da empresa, senão a empresa.',
  },
  'Nobody has this name, number or id.': {
    fr: 'Personne n’a ce nom, ce numéro ou cet identifiant.',
    pt: 'Ninguém tem este nome, número ou identificador.',
  },
  'Several people match: {names}. Type the number.': {
    fr: 'Plusieurs personnes correspondent : {names}. Saisissez le numéro.',
    pt: 'Várias pessoas correspondem: {names}. Escreva o número.',
  },
  'The buyer pays': { fr: 'L’acheteur paie', pt: 'O comprador paga' },
} as const satisfies Translated;
