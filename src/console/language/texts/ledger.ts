import type { Translated } from './translations.ts';

/** Texts of the pages of ledger. */
export const LEDGER = {
  'Frozen by': { fr: 'Gelé par', pt: 'Congelada por' },
  'the platform, which alone lifts it': {
    fr: 'la plateforme, qui seule lève le gel',
    pt: 'a plataforma, a única que o levanta',
  },
  'The user is blacklisted, so nothing can be withdrawn from this account.': {
    fr: 'L’utilisateur est sur liste noire, donc aucun retrait n’est possible depuis ce compte.',
    pt: 'O utilizador está na lista negra, por isso nada pode ser levantado desta conta.',
  },
  Ledger: { fr: 'Grand livre', pt: 'Livro-razão' },
  'The company’s own accounts. Accounts of users are on the users’ pages.': {
    fr: 'Les comptes propres de l’entreprise. Les comptes des utilisateurs se trouvent sur leurs pages.',
    pt: 'As contas próprias da empresa. As contas dos utilizadores estão nas páginas deles.',
  },
  'No accounts': { fr: 'Aucun compte', pt: 'Sem contas' },
  'The company has no accounts of its own.': {
    fr: 'L’entreprise n’a pas de compte propre.',
    pt: 'A empresa não tem contas próprias.',
  },
  Balance: { fr: 'Solde', pt: 'Saldo' },
  'Can be withdrawn': { fr: 'Disponible au retrait', pt: 'Disponível para levantamento' },
  Opened: { fr: 'Ouverture', pt: 'Abertura' },
  Withdraw: { fr: 'Effectuer un retrait', pt: 'Levantar' },
  Statement: { fr: 'Relevé', pt: 'Extrato' },
  'Statement from {from} to {to}': { fr: 'Relevé du {from} au {to}', pt: 'Extrato de {from} a {to}' },
  'The last {count} entries of the window': {
    fr: 'Les {count} dernières écritures de la période',
    pt: 'Os últimos {count} movimentos do período',
  },
  'No entries': { fr: 'Aucune écriture', pt: 'Sem movimentos' },
  'Nothing was posted to this account in the window.': {
    fr: 'Rien n’a été comptabilisé sur ce compte pendant la période.',
    pt: 'Nada foi lançado nesta conta durante o período.',
  },
  Text: { fr: 'Libellé', pt: 'Descrição' },
  Debit: { fr: 'Débit', pt: 'Débito' },
  Credit: { fr: 'Crédit', pt: 'Crédito' },
  Debits: { fr: 'Débits', pt: 'Débitos' },
  Credits: { fr: 'Crédits', pt: 'Créditos' },
  'Opening balance': { fr: 'Solde d’ouverture', pt: 'Saldo inicial' },
  'Closing balance': { fr: 'Solde de clôture', pt: 'Saldo final' },
  'The entries begin {time}. Figures and files are of the whole window, up to its last {count} entries.': {
    fr: 'Les écritures commencent le {time}. Les chiffres et les fichiers portent sur toute la période, dans la limite de ses {count} dernières écritures.',
    pt: 'Os movimentos começam em {time}. Os valores e os ficheiros são de todo o período, até aos seus últimos {count} movimentos.',
  },
  'Older entries': { fr: 'Écritures plus anciennes', pt: 'Movimentos mais antigos' },
  Freeze: { fr: 'Geler', pt: 'Congelar' },
  Unfreeze: { fr: 'Dégeler', pt: 'Descongelar' },
  'Freeze the account': { fr: 'Geler le compte', pt: 'Congelar a conta' },
  'Unfreeze the account': { fr: 'Dégeler le compte', pt: 'Descongelar a conta' },
  'Money can go out and be held again.': {
    fr: 'Les fonds peuvent de nouveau sortir et être retenus.',
    pt: 'O dinheiro pode voltar a sair e a ser retido.',
  },
  'No money goes out and none is held. Money still comes in, and what was held before is paid or given back.': {
    fr: 'Aucun fonds ne sort ni n’est retenu. Des fonds peuvent encore entrer, et ce qui était déjà retenu est payé ou rendu.',
    pt: 'Nenhum dinheiro sai nem é retido. O dinheiro continua a entrar, e o que já estava retido é pago ou devolvido.',
  },
  'The account is frozen.': { fr: 'Le compte est gelé.', pt: 'A conta está congelada.' },
  'The account is open again.': { fr: 'Le compte est de nouveau ouvert.', pt: 'A conta está novamente aberta.' },
  'Transactions of a ledger': { fr: 'Transactions d’un grand livre', pt: 'Transações de um livro-razão' },
  'Every transaction on an account of this ledger, newest first, with its entries.': {
    fr: 'Toutes les transactions sur un compte de ce grand livre, les plus récentes d’abord, avec leurs écritures.',
    pt: 'Todas as transações numa conta deste livro-razão, as mais recentes primeiro, com os seus movimentos.',
  },
  Entries: { fr: 'Écritures', pt: 'Movimentos' },
  'No transactions': { fr: 'Aucune transaction', pt: 'Sem transações' },
  'Nothing was posted to this ledger yet.': {
    fr: 'Rien n’a encore été comptabilisé dans ce grand livre.',
    pt: 'Ainda nada foi lançado neste livro-razão.',
  },
  'The withdrawal': { fr: 'Le retrait', pt: 'O levantamento' },
  'If it bounced': { fr: 'En cas de rejet', pt: 'Se foi devolvido' },
  Reverse: { fr: 'Contre-passer', pt: 'Estornar' },
  'Reverse the transaction': { fr: 'Contre-passer la transaction', pt: 'Estornar a transação' },
  'The amount is taken back from the account that got it. This cannot be undone.': {
    fr: 'Le montant est repris sur le compte qui l’a reçu. Cette opération est irréversible.',
    pt: 'O montante é retirado da conta que o recebeu. Esta operação é irreversível.',
  },
  'The payer’s bank has already taken the money: the missing amount becomes a receivable': {
    fr: 'La banque du payeur a déjà repris les fonds : ce qui manque devient une créance',
    pt: 'O banco do pagador já retirou o dinheiro: o que falta passa a ser um crédito a receber',
  },
  'The money is taken back.': { fr: 'Les fonds ont été repris.', pt: 'O dinheiro foi retirado.' },
} as const satisfies Translated;
