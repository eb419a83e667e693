import type { Translated } from './translations.ts';

/** Values of the interface in words: states, kinds, actors and events. `DELIVERY_NOTED` is `Delivery noted`. */
export const STATUSES = {
  // states of escrows, proposals and milestones
  Pending: { fr: 'En attente', pt: 'Pendente' },
  Active: { fr: 'Actif', pt: 'Ativo' },
  'Delivery noted': { fr: 'Livraison notée', pt: 'Entrega anotada' },
  'Goods received': { fr: 'Biens reçus', pt: 'Bens recebidos' },
  Disputed: { fr: 'En litige', pt: 'Em litígio' },
  Completed: { fr: 'Terminé', pt: 'Concluído' },
  Cancelled: { fr: 'Annulé', pt: 'Cancelado' },
  Resolved: { fr: 'Résolu', pt: 'Resolvido' },
  Released: { fr: 'Libéré', pt: 'Libertado' },
  Refunded: { fr: 'Remboursé', pt: 'Reembolsado' },
  // states of links, attempts to pay, and proposals
  Processing: { fr: 'En cours', pt: 'Em processamento' },
  Accepted: { fr: 'Accepté', pt: 'Aceite' },
  Rejected: { fr: 'Rejeté', pt: 'Rejeitado' },
  Expired: { fr: 'Expiré', pt: 'Expirado' },
  Lapsed: { fr: 'Caduc', pt: 'Caducado' },
  Succeeded: { fr: 'Réussi', pt: 'Bem-sucedido' },
  Declined: { fr: 'Refusé', pt: 'Recusado' },
  // states of money
  Resumed: { fr: 'Repris', pt: 'Retomado' },
  Failed: { fr: 'Échec', pt: 'Falhado' },
  Reversed: { fr: 'Contre-passé', pt: 'Revertido' },
  Open: { fr: 'Ouvert', pt: 'Aberto' },
  Settled: { fr: 'Réglé', pt: 'Liquidado' },
  Frozen: { fr: 'Gelé', pt: 'Congelado' },
  // users
  All: { fr: 'Tous', pt: 'Todos' },
  Clear: { fr: 'En règle', pt: 'Sem restrições' },
  Approved: { fr: 'Approuvé', pt: 'Aprovado' },
  Blacklisted: { fr: 'Sur liste noire', pt: 'Na lista negra' },
  'Id number': { fr: 'Numéro d’identité', pt: 'Número de identificação' },
  Document: { fr: 'Document', pt: 'Documento' },
  // webhooks
  Enabled: { fr: 'Activé', pt: 'Ativado' },
  Disabled: { fr: 'Désactivé', pt: 'Desativado' },
  Delivered: { fr: 'Remis', pt: 'Entregue' },
  // roles and permissions
  'Super admin': { fr: 'Super-administrateur', pt: 'Superadministrador' },
  Owner: { fr: 'Propriétaire', pt: 'Proprietário' },
  Admin: { fr: 'Administrateur', pt: 'Administrador' },
  Manager: { fr: 'Gestionnaire', pt: 'Gestor' },
  Read: { fr: 'Consulter', pt: 'Consultar' },
  Operate: { fr: 'Gérer les opérations', pt: 'Gerir as operações' },
  'Manage company': { fr: 'Gérer l’entreprise', pt: 'Gerir a empresa' },
  'Manage money': { fr: 'Gérer les fonds', pt: 'Gerir o dinheiro' },
  'Recover access': { fr: 'Rétablir les accès', pt: 'Repor acessos' },
  'Resolve disputes': { fr: 'Trancher les litiges', pt: 'Resolver litígios' },
  Platform: { fr: 'Plateforme', pt: 'Plataforma' },
  // types of transactions
  Deposit: { fr: 'Dépôt', pt: 'Depósito' },
  'Escrow hold': { fr: 'Mise sous séquestre', pt: 'Retenção em custódia' },
  Payment: { fr: 'Paiement', pt: 'Pagamento' },
  Refund: { fr: 'Remboursement', pt: 'Reembolso' },
  Withdrawal: { fr: 'Retrait', pt: 'Levantamento' },
  Reversal: { fr: 'Contre-passation', pt: 'Reversão' },
  'Bank capture': { fr: 'Encaissement bancaire', pt: 'Recebimento bancário' },
  Adjustment: { fr: 'Ajustement', pt: 'Ajuste' },
  // types of accounts, fees and taxes, and where receipts went
  User: { fr: 'Utilisateur', pt: 'Utilizador' },
  Company: { fr: 'Entreprise', pt: 'Empresa' },
  'Service fee': { fr: 'Frais de service', pt: 'Comissão de serviço' },
  'System fee': { fr: 'Frais de la plateforme', pt: 'Comissão da plataforma' },
  'Transfer tax': { fr: 'Taxe sur les transferts', pt: 'Imposto sobre transferências' },
  Tax: { fr: 'Taxe', pt: 'Imposto' },
  Suspense: { fr: 'Compte d’attente', pt: 'Conta de espera' },
  Transit: { fr: 'Transit', pt: 'Trânsito' },
  Bank: { fr: 'Banque', pt: 'Banco' },
  'Clearing card': { fr: 'Compensation des cartes', pt: 'Compensação de cartões' },
  'Clearing mobile': { fr: 'Compensation du paiement mobile', pt: 'Compensação de dinheiro móvel' },
  'Clearing declared': { fr: 'Dépôts déclarés à confirmer', pt: 'Depósitos declarados por confirmar' },
  Receivable: { fr: 'Créance', pt: 'Valor a receber' },
  Intercompany: { fr: 'Inter-entreprises', pt: 'Entre empresas' },
  'Transit deposit': { fr: 'Dépôt en transit', pt: 'Depósito em trânsito' },
  Chargeback: { fr: 'Rétrofacturation', pt: 'Estorno' },
  Fee: { fr: 'Frais', pt: 'Comissão' },
  Payout: { fr: 'Versement', pt: 'Pagamento ao beneficiário' },
  // how buyers pay
  Card: { fr: 'Carte', pt: 'Cartão' },
  'Mobile money': { fr: 'Argent mobile', pt: 'Dinheiro móvel' },
  // actors
  Buyer: { fr: 'Acheteur', pt: 'Comprador' },
  Seller: { fr: 'Vendeur', pt: 'Vendedor' },
  System: { fr: 'Système', pt: 'Sistema' },
  // events of links
  Created: { fr: 'Création', pt: 'Criação' },
  'Checkout opened': { fr: 'Page de paiement ouverte', pt: 'Página de pagamento aberta' },
  'Charge started': { fr: 'Débit lancé', pt: 'Cobrança iniciada' },
  'Payment pending': { fr: 'Paiement en attente', pt: 'Pagamento pendente' },
  'Payment declined': { fr: 'Paiement refusé', pt: 'Pagamento recusado' },
  'Checkout lapsed': { fr: 'Page de paiement expirée', pt: 'Página de pagamento caducada' },
  'Payment mismatched': { fr: 'Paiement d’un autre montant', pt: 'Pagamento de outro montante' },
  'Late money': { fr: 'Fonds arrivés en retard', pt: 'Dinheiro tardio' },
  'Refund refused': { fr: 'Remboursement refusé', pt: 'Reembolso recusado' },
  'Taken back': { fr: 'Repris', pt: 'Retirado' },
  'Brought back': { fr: 'Restitué', pt: 'Devolvido' },
  'Change noted': { fr: 'Changement noté', pt: 'Alteração anotada' },
  'Poll postponed': { fr: 'Vérification reportée', pt: 'Verificação adiada' },
  'Poll hastened': { fr: 'Vérification avancée', pt: 'Verificação antecipada' },
  // events of withdrawals
  Requested: { fr: 'Demandé', pt: 'Pedido' },
  Submitted: { fr: 'Transmis à la banque', pt: 'Enviado ao banco' },
  'Review needed': { fr: 'Examen nécessaire', pt: 'Análise necessária' },
  Returned: { fr: 'Retourné par la banque', pt: 'Devolvido pelo banco' },
  'Settled late': { fr: 'Réglé tardivement', pt: 'Liquidado tardiamente' },
  // payouts that need a person
  'Payout failed': { fr: 'Échec du versement', pt: 'Pagamento falhado' },
  'Payout reversed': { fr: 'Versement retourné', pt: 'Pagamento devolvido' },
} as const satisfies Translated;

/** Whether the words have a translation. Words without one are shown in English. */
export function isStatusText(text: string): text is keyof typeof STATUSES {
  return Object.hasOwn(STATUSES, text);
}
