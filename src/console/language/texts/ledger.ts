import type { Translated } from './translations.ts';

/** Texts of the pages of ledger. */
export const LEDGER = {
  'Bank details': { fr: 'Coordonnées bancaires', pt: 'Dados bancários' },
  'Bank details of {owner}': { fr: 'Coordonnées bancaires de {owner}', pt: 'Dados bancários de {owner}' },
  'New bank details': { fr: 'Nouvelles coordonnées bancaires', pt: 'Novos dados bancários' },
  'Set the bank details': { fr: 'Enregistrer les coordonnées', pt: 'Guardar os dados bancários' },
  'In effect': { fr: 'En vigueur', pt: 'Em vigor' },
  'In effect from': { fr: 'En vigueur à partir de', pt: 'Em vigor a partir de' },
  'Never: replaced before': { fr: 'Jamais : remplacées avant', pt: 'Nunca: substituídos antes' },
  'Set on': { fr: 'Saisies le', pt: 'Definidos em' },
  'Set by': { fr: 'Saisies par', pt: 'Definidos por' },
  'Approved by': { fr: 'Approuvées par', pt: 'Aprovados por' },
  'Changes of the bank details': {
    fr: 'Modifications des coordonnées bancaires',
    pt: 'Alterações dos dados bancários',
  },
  'All changes': { fr: 'Toutes les modifications', pt: 'Todas as alterações' },
  'Every change of where the money of this ledger goes, newest first.': {
    fr: 'Toutes les modifications de la destination des fonds de ce grand livre, les plus récentes d’abord.',
    pt: 'Todas as alterações do destino do dinheiro deste livro-razão, as mais recentes primeiro.',
  },
  'No changes': { fr: 'Aucune modification', pt: 'Sem alterações' },
  'No bank details were set yet.': {
    fr: 'Aucune coordonnée bancaire n’a encore été saisie.',
    pt: 'Ainda não foram definidos dados bancários.',
  },
  'None. A withdrawal has to name a bank account.': {
    fr: 'Aucunes. Un retrait doit indiquer un compte bancaire.',
    pt: 'Nenhuns. Um levantamento tem de indicar uma conta bancária.',
  },
  'None. Withdrawals that name no account go to the user’s own: {bank}, {number}.': {
    fr: 'Aucunes. Les retraits sans compte indiqué vont sur celui de l’utilisateur : {bank}, {number}.',
    pt: 'Nenhuns. Os levantamentos sem conta indicada vão para a do utilizador: {bank}, {number}.',
  },
  'The bank details are in effect.': {
    fr: 'Les coordonnées bancaires sont en vigueur.',
    pt: 'Os dados bancários estão em vigor.',
  },
  'The bank details are stored. They wait until they take effect or another administrator approves them.': {
    fr: 'Les coordonnées bancaires sont enregistrées. Elles attendent leur entrée en vigueur ou l’approbation d’un autre administrateur.',
    pt: 'Os dados bancários foram guardados. Aguardam a entrada em vigor ou a aprovação de outro administrador.',
  },
  'Waiting for approval': { fr: 'En attente d’approbation', pt: 'À espera de aprovação' },
  'End the wait': { fr: 'Mettre fin à l’attente', pt: 'Terminar a espera' },
  'The wait has ended.': { fr: 'L’attente est terminée.', pt: 'A espera terminou.' },
  'Payments to the account go to the bank at once. Before you approve, ask its owner by a number that you knew before.':
    {
      fr: 'Les paiements vers ce compte partent aussitôt à la banque. Avant d’approuver, interrogez son titulaire à un numéro que vous connaissiez déjà.',
      pt: 'Os pagamentos para a conta seguem logo para o banco. Antes de aprovar, pergunte ao titular por um número que já conhecia.',
    },
  'Another administrator, who was there before the change, may end the wait.': {
    fr: 'Un autre administrateur, présent avant la modification, peut mettre fin à l’attente.',
    pt: 'Outro administrador, que já existia antes da alteração, pode terminar a espera.',
  },
  '{count, plural, one {# payment to a new account waits.} other {# payments to new accounts wait.}}': {
    fr: '{count, plural, one {# paiement vers un nouveau compte attend.} other {# paiements vers de nouveaux comptes attendent.}}',
    pt: '{count, plural, one {# pagamento para uma nova conta aguarda.} other {# pagamentos para novas contas aguardam.}}',
  },
  'The stored bank details cannot be read: they were changed in the database. Nothing is paid to them. Tell the operator of the service, and set them again. {link}':
    {
      fr: 'Les coordonnées bancaires enregistrées sont illisibles\u00a0: elles ont été modifiées dans la base de données. Rien n’y est versé. Prévenez l’exploitant du service, puis saisissez-les de nouveau. {link}',
      pt: 'Os dados bancários guardados não podem ser lidos: foram alterados na base de dados. Nada é pago para eles. Avise o operador do serviço e defina-os de novo. {link}',
    },
  'New bank details wait until {time}. {link}': {
    fr: 'De nouvelles coordonnées bancaires attendent jusqu’au {time}. {link}',
    pt: 'Há novos dados bancários à espera até {time}. {link}',
  },

  'The destination is new, so the bank gets the payment from {time}. {link}': {
    fr: 'La destination est nouvelle : la banque reçoit le paiement à partir du {time}. {link}',
    pt: 'O destino é novo, por isso o banco recebe o pagamento a partir de {time}. {link}',
  },
  'The account is frozen, so no money leaves it.': {
    fr: 'Le compte est gelé : aucun argent n’en sort.',
    pt: 'A conta está congelada, por isso nenhum dinheiro sai dela.',
  },
  'The platform froze the account on {time}, so no money leaves it. It alone lifts that.': {
    fr: 'La plateforme a gelé le compte le {time} : aucun argent n’en sort. Elle seule peut le dégeler.',
    pt: 'A plataforma congelou a conta em {time}, por isso nenhum dinheiro sai dela. Só ela a pode descongelar.',
  },
  'The platform’s reason': { fr: 'Motif de la plateforme', pt: 'Motivo da plataforma' },
  '{who} froze the account on {time}, so no money leaves it.': {
    fr: '{who} a gelé le compte le {time} : aucun argent n’en sort.',
    pt: '{who} congelou a conta em {time}, por isso nenhum dinheiro sai dela.',
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
  'The transaction is reversed.': { fr: 'La transaction est annulée.', pt: 'A transação foi anulada.' },
  Reports: { fr: 'Rapports', pt: 'Relatórios' },
  'Trial balance': { fr: 'Balance générale', pt: 'Balancete' },
  'Liabilities to users': { fr: 'Dettes envers les utilisateurs', pt: 'Dívidas aos utilizadores' },
  Revenue: { fr: 'Produits', pt: 'Receitas' },
  'At the beginning of': { fr: 'Au début du', pt: 'No início de' },
  'As everything stood right before {time}.': {
    fr: 'Situation juste avant le {time}.',
    pt: 'Situação imediatamente antes de {time}.',
  },
  'From {from} until right before {to}.': {
    fr: 'Du {from} jusqu’à juste avant le {to}.',
    pt: 'De {from} até imediatamente antes de {to}.',
  },
  Total: { fr: 'Total', pt: 'Total' },
  Count: { fr: 'Nombre', pt: 'Quantidade' },
  'Taken of': { fr: 'Assiette', pt: 'Base' },
  'By split plan': { fr: 'Selon le plan de partage', pt: 'Pelo plano de repartição' },
  'Nothing to report': { fr: 'Rien à signaler', pt: 'Nada a apresentar' },
  'There are no amounts at this time.': {
    fr: 'Il n’y a aucun montant à cette date.',
    pt: 'Não há montantes nesta data.',
  },
} as const satisfies Translated;
