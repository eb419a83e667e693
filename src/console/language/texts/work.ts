import type { Translated } from './translations.ts';

/** Texts of the list of work. */
export const WORK = {
  'Needs you': { fr: 'À traiter', pt: 'Precisa de si' },
  'What waits for a person, the most urgent first.': {
    fr: 'Ce qui attend une personne, le plus urgent d’abord.',
    pt: 'O que espera por uma pessoa, o mais urgente primeiro.',
  },
  'Nothing waits for you': { fr: 'Rien ne vous attend', pt: 'Nada espera por si' },
  'Nothing waits for a person now.': {
    fr: 'Rien n’attend une personne pour l’instant.',
    pt: 'Neste momento nada espera por uma pessoa.',
  },
  'Disputes, payouts, money and requests that need a person appear here.': {
    fr: 'Les litiges, versements, fonds et demandes qui exigent une personne apparaissent ici.',
    pt: 'Os litígios, pagamentos, fundos e pedidos que precisam de uma pessoa aparecem aqui.',
  },
  'See everything': { fr: 'Tout voir', pt: 'Ver tudo' },
  'The most urgent of each kind': { fr: 'Les plus urgents de chaque type', pt: 'Os mais urgentes de cada tipo' },
  Waits: { fr: 'Attend depuis', pt: 'Espera há' },
  '{span} left': { fr: 'encore {span}', pt: 'faltam {span}' },
  now: { fr: 'maintenant', pt: 'agora' },
  'Identities of all companies': { fr: 'Identités de toutes les entreprises', pt: 'Identidades de todas as empresas' },
  'Payouts to decide': { fr: 'Versements à trancher', pt: 'Pagamentos a decidir' },
  'Late payments': { fr: 'Paiements tardifs', pt: 'Pagamentos tardios' },
  'Proposals that lapse': { fr: 'Propositions bientôt caduques', pt: 'Propostas que caducam' },
  'Payments taken back': { fr: 'Paiements repris', pt: 'Pagamentos retirados' },
  'Requests of buyers and sellers': {
    fr: 'Demandes d’acheteurs et de vendeurs',
    pt: 'Pedidos de compradores e vendedores',
  },
  'The buyer disputes {reference}': { fr: 'L’acheteur conteste {reference}', pt: 'O comprador contesta {reference}' },
  'The seller disputes {reference}': { fr: 'Le vendeur conteste {reference}', pt: 'O vendedor contesta {reference}' },
  'Payout {reference} was held back': {
    fr: 'Le versement {reference} a été retenu',
    pt: 'O pagamento {reference} foi retido',
  },
  'Payout {reference}: the bank’s answer is unclear': {
    fr: 'Versement {reference} : la réponse de la banque n’est pas claire',
    pt: 'Pagamento {reference}: a resposta do banco não é clara',
  },
  '{reference} does not take events': {
    fr: '{reference} ne prend pas les événements',
    pt: '{reference} não recebe eventos',
  },
  '{reference} was disabled, because it failed': {
    fr: '{reference} a été désactivé après des échecs',
    pt: '{reference} foi desativado, porque falhou',
  },
  'Whose money is {reference}?': { fr: 'À qui revient {reference} ?', pt: 'De quem é o dinheiro {reference}?' },
  'Payment for {reference} came too late and is on the buyer’s balance': {
    fr: 'Le paiement de {reference} est arrivé trop tard et se trouve sur le solde de l’acheteur',
    pt: 'O pagamento de {reference} chegou tarde e está no saldo do comprador',
  },
  '{reference} has the bank account of a blacklisted person': {
    fr: '{reference} a le compte bancaire d’une personne sur liste noire',
    pt: '{reference} tem a conta bancária de uma pessoa na lista negra',
  },
  '{reference} changed after the approval': {
    fr: '{reference} a changé après l’approbation',
    pt: '{reference} mudou depois da aprovação',
  },
  '{reference} has no identity document yet: nothing to approve': {
    fr: '{reference} n’a pas encore de pièce d’identité : rien à approuver',
    pt: '{reference} ainda não tem documento de identidade: nada para aprovar',
  },
  'Check {reference}': { fr: 'Vérifier {reference}', pt: 'Verificar {reference}' },
  'Nobody has answered the proposal about {reference}': {
    fr: 'Personne n’a répondu à la proposition sur {reference}',
    pt: 'Ninguém respondeu à proposta sobre {reference}',
  },
  'Payment for {reference} was taken back': {
    fr: 'Le paiement de {reference} a été repris',
    pt: 'O pagamento de {reference} foi retirado',
  },
  'New bank details of {reference}': {
    fr: 'Nouvelles coordonnées bancaires de {reference}',
    pt: 'Novos dados bancários de {reference}',
  },
  'Payout {reference} to a new bank account': {
    fr: 'Versement {reference} vers un nouveau compte bancaire',
    pt: 'Pagamento {reference} para uma conta bancária nova',
  },
  'A request about {reference}': { fr: 'Une demande sur {reference}', pt: 'Um pedido sobre {reference}' },
} as const satisfies Translated;
