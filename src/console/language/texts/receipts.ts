import type { Translated } from './translations.ts';

/** Texts of the pages of receipts. */
export const RECEIPTS = {
  'Bank receipt': { fr: 'Encaissement bancaire', pt: 'Recebimento bancário' },
  'Bank receipts': { fr: 'Encaissements bancaires', pt: 'Recebimentos bancários' },
  'Money that the bank reported. A receipt whose owner is unknown waits in suspense until somebody assigns it.': {
    fr: 'Fonds signalés par la banque. Un encaissement dont le propriétaire est inconnu reste en compte d’attente jusqu’à son attribution.',
    pt: 'Dinheiro comunicado pelo banco. Um recebimento de titular desconhecido fica na conta de espera até alguém o atribuir.',
  },
  'Went to': { fr: 'Affecté à', pt: 'Destino' },
  Warning: { fr: 'Avertissement', pt: 'Aviso' },
  'Possible duplicate': { fr: 'Doublon possible', pt: 'Possível duplicado' },
  Recorded: { fr: 'Enregistré', pt: 'Registado' },
  'No receipts yet': { fr: 'Pas encore d’encaissements', pt: 'Ainda não há recebimentos' },
  'What the bank’s statement shows appears here once it is recorded.': {
    fr: 'Ce que montre le relevé de la banque apparaît ici une fois enregistré.',
    pt: 'O que o extrato do banco mostra aparece aqui depois de registado.',
  },
  'Record a receipt': { fr: 'Enregistrer un encaissement', pt: 'Registar um recebimento' },
  'Record a bank receipt': { fr: 'Enregistrer un encaissement bancaire', pt: 'Registar um recebimento bancário' },
  'What the bank’s statement shows': { fr: 'Ce qu’indique le relevé bancaire', pt: 'O que consta do extrato bancário' },
  Record: { fr: 'Enregistrer', pt: 'Registar' },
  'The bank’s reference': { fr: 'Référence de la banque', pt: 'Referência do banco' },
  'The receipt is recorded. It went to: {place}.': {
    fr: 'L’encaissement est enregistré. Affectation : {place}.',
    pt: 'O recebimento foi registado. Destino: {place}.',
  },
  Receipt: { fr: 'Encaissement', pt: 'Recebimento' },
  'Receipt {reference}': { fr: 'Encaissement {reference}', pt: 'Recebimento {reference}' },
  'Not found': { fr: 'Introuvable', pt: 'Não encontrado' },
  'Open the receipt from the list.': {
    fr: 'Ouvrez l’encaissement depuis la liste.',
    pt: 'Abra o recebimento a partir da lista.',
  },
  'The deposit {deposit} may report the same money. Compare the bank’s statement before you assign this.': {
    fr: 'Le dépôt {deposit} correspond peut-être aux mêmes fonds. Vérifiez le relevé bancaire avant d’attribuer cet encaissement.',
    pt: 'O depósito {deposit} pode referir-se ao mesmo dinheiro. Compare com o extrato bancário antes de atribuir este recebimento.',
  },
  'Assign to an owner': { fr: 'À qui appartiennent ces fonds ?', pt: 'De quem é o dinheiro?' },
  'has this bank reference': { fr: 'a cette référence bancaire', pt: 'tem esta referência bancária' },
  'name or number contains “{word}”': {
    fr: 'le nom ou le numéro contient « {word} »',
    pt: 'o nome ou o número contém «{word}»',
  },
  'No user was found by this reference.': {
    fr: 'Aucun utilisateur n’a été trouvé par cette référence.',
    pt: 'Nenhum utilizador foi encontrado por esta referência.',
  },
  '{amount} go from suspense to the account of {name}.': {
    fr: '{amount} passent du compte d’attente au compte de {name}.',
    pt: '{amount} passam da conta de espera para a conta de {name}.',
  },
  '{amount} go from suspense to the account of this user.': {
    fr: '{amount} passent du compte d’attente au compte de cet utilisateur.',
    pt: '{amount} passam da conta de espera para a conta deste utilizador.',
  },
  'Assign the receipt': { fr: 'Attribuer l’encaissement', pt: 'Atribuir o recebimento' },
  'Assign to somebody else': { fr: 'Attribuer à quelqu’un d’autre', pt: 'Atribuir a outra pessoa' },
  'The id of a user, usr_…': {
    fr: 'L’identifiant d’un utilisateur, usr_…',
    pt: 'O identificador de um utilizador, usr_…',
  },
  'The receipt is on the user’s account.': {
    fr: 'L’encaissement est sur le compte de l’utilisateur.',
    pt: 'O recebimento está na conta do utilizador.',
  },
  'Bank reconciliation': { fr: 'Rapprochement bancaire', pt: 'Reconciliação bancária' },
  'No statement of the bank yet': { fr: 'Pas encore de relevé bancaire', pt: 'Ainda não há extrato bancário' },
  'Its entries are matched with the books as soon as it is sent.': {
    fr: 'Ses écritures sont rapprochées des livres dès qu’il est envoyé.',
    pt: 'Os seus movimentos são reconciliados com os livros assim que for enviado.',
  },
  'Statements of the bank': { fr: 'Relevés de la banque', pt: 'Extratos do banco' },
  'The latest statements': { fr: 'Les derniers relevés', pt: 'Os últimos extratos' },
  Days: { fr: 'Jours', pt: 'Dias' },
  '{from} to {to}': { fr: 'du {from} au {to}', pt: '{from} a {to}' },
  Matched: { fr: 'Rapprochées', pt: 'Reconciliados' },
  'Known before': { fr: 'Déjà connues', pt: 'Já conhecidos' },
  Sent: { fr: 'Envoyé', pt: 'Enviado' },
  'File of the bank': { fr: 'Fichier de la banque', pt: 'Ficheiro do banco' },
  'camt.053, version 02 or 08, at most {size} MiB. An entry counts once, in whatever file it comes.': {
    fr: 'camt.053, version 02 ou 08, {size} Mio au plus. Une écriture compte une fois, quel que soit le fichier.',
    pt: 'camt.053, versão 02 ou 08, no máximo {size} MiB. Um movimento conta uma vez, em qualquer ficheiro que venha.',
  },
  'Send the file': { fr: 'Envoyer le fichier', pt: 'Enviar o ficheiro' },
  'Choose the file of the bank.': { fr: 'Choisissez le fichier de la banque.', pt: 'Escolha o ficheiro do banco.' },
  'Choose another file': { fr: 'Choisir un autre fichier', pt: 'Escolher outro ficheiro' },
  'The file is larger than {size} MiB. Ask the bank for files of shorter periods.': {
    fr: 'Le fichier dépasse {size} Mio. Demandez à la banque des fichiers de périodes plus courtes.',
    pt: 'O ficheiro tem mais de {size} MiB. Peça ao banco ficheiros de períodos mais curtos.',
  },
  '{entries, plural, one {# entry} other {# entries}} in the file: {matched, plural, other {# matched}}, {open, plural, other {# open}}, {known, plural, other {# known}} before.':
    {
      fr: '{entries, plural, one {# écriture} other {# écritures}} dans le fichier : {matched, plural, one {# rapprochée} other {# rapprochées}}, {open, plural, one {# ouverte} other {# ouvertes}}, {known, plural, one {# connue} other {# connues}} auparavant.',
      pt: '{entries, plural, one {# movimento} other {# movimentos}} no ficheiro: {matched, plural, one {# reconciliado} other {# reconciliados}}, {open, plural, other {# em aberto}}, {known, plural, one {# conhecido} other {# conhecidos}} antes.',
    },
  'Bank and books': { fr: 'Banque et comptabilité', pt: 'Banco e contabilidade' },
  'Balances at the bank and in the books': {
    fr: 'Soldes à la banque et en comptabilité',
    pt: 'Saldos no banco e na contabilidade',
  },
  Books: { fr: 'Comptabilité', pt: 'Contabilidade' },
  Difference: { fr: 'Écart', pt: 'Diferença' },
  'Open items': { fr: 'Postes ouverts', pt: 'Itens em aberto' },
  'Entries without a counterpart': { fr: 'Écritures sans contrepartie', pt: 'Lançamentos sem contrapartida' },
  'Open at': { fr: 'Ouvert côté', pt: 'Em aberto em' },
  Booked: { fr: 'Comptabilisé', pt: 'Lançado' },
  Match: { fr: 'Rapprocher', pt: 'Reconciliar' },
  'Match the entry': { fr: 'Rapprocher l’écriture', pt: 'Reconciliar o movimento' },
  'The entry is matched.': { fr: 'L’écriture est rapprochée.', pt: 'O movimento foi reconciliado.' },
  'The capture or the withdrawal, txn_…': {
    fr: 'L’encaissement ou le retrait, txn_…',
    pt: 'O recebimento ou o levantamento, txn_…',
  },
  'A settlement takes the amount from its clearing account. A fee is a cost of the company.': {
    fr: 'Un règlement prélève le montant sur son compte de compensation. Des frais sont à la charge de l’entreprise.',
    pt: 'Uma liquidação retira o montante da sua conta de compensação. Uma comissão é um custo da empresa.',
  },
  'Expected from the gateway, mobile money and declared deposits': {
    fr: 'Attendu de la passerelle, du paiement mobile et des dépôts déclarés',
    pt: 'Esperado do gateway, do dinheiro móvel e dos depósitos declarados',
  },
  'Balances of the clearing accounts': {
    fr: 'Soldes des comptes de compensation',
    pt: 'Saldos das contas de compensação',
  },
  Receivables: { fr: 'Créances', pt: 'Créditos a receber' },
  'What others owe the company, mostly for payments that were taken back.': {
    fr: 'Ce qui est dû à l’entreprise, surtout pour des paiements qui ont été repris.',
    pt: 'O que é devido à empresa, sobretudo por pagamentos que foram retirados.',
  },
  Why: { fr: 'Motif', pt: 'Motivo' },
  'Owed by': { fr: 'Débiteur', pt: 'Devedor' },
  'Paid back': { fr: 'Remboursé', pt: 'Reembolsado' },
  'Written off': { fr: 'Passé en perte', pt: 'Anulado' },
  Settle: { fr: 'Solder', pt: 'Liquidar' },
  'Settle the receivable': { fr: 'Solder la créance', pt: 'Liquidar o crédito' },
  'Nobody owes anything': { fr: 'Personne ne doit rien', pt: 'Ninguém deve nada' },
  'Payments that were taken back appear here.': {
    fr: 'Les paiements qui ont été repris apparaissent ici.',
    pt: 'Os pagamentos que foram retirados aparecem aqui.',
  },
  'The receivable is settled.': { fr: 'La créance est soldée.', pt: 'O crédito foi liquidado.' },
  'From the balance: the debtor’s account pays what it has. Written off: the company pays, and nobody owes it any more.':
    {
      fr: 'Sur le solde : le compte du débiteur paie ce qu’il a. Passé en perte : l’entreprise paie, et plus personne ne le doit.',
      pt: 'Do saldo: a conta do devedor paga o que tem. Anulado: a empresa paga, e já ninguém o deve.',
    },
  'The debtor’s balance': { fr: 'Le solde du débiteur', pt: 'O saldo do devedor' },
  'The company: write it off': { fr: 'L’entreprise : passer en perte', pt: 'A empresa: anular o crédito' },
  'Only the platform records what the bank received, because it backs payouts. Ask its staff.': {
    fr: 'Seule la plateforme enregistre ce que la banque a reçu, car cela garantit les versements. Adressez-vous à son équipe.',
    pt: 'Só a plataforma regista o que o banco recebeu, porque isso garante os pagamentos. Fale com a sua equipa.',
  },
  'The statements of the bank are shown as they are now.': {
    fr: 'Les relevés de la banque sont montrés tels qu’ils sont maintenant.',
    pt: 'Os extratos do banco são mostrados como estão agora.',
  },
  'A part was paid. {amount} is still owed.': {
    fr: 'Une partie a été payée. {amount} reste dû.',
    pt: 'Uma parte foi paga. {amount} continua em dívida.',
  },
} as const satisfies Translated;
