/**
 * All workflows, as the worker's bundle has them. Escrows, links and withdrawals are entities: read run/served-entity.ts (what each one
 * defines), then run/serve.ts (their common loop), then run/carry-out.ts (one command). details/ has the texts that operators
 * see.
 */

export { auditWorkflow } from './audit.workflow.ts';
export { escrowWorkflow } from './escrow.workflow.ts';
export { paymentLinkWorkflow } from './payment-link.workflow.ts';
export { rebuildWorkflow } from './rebuild.workflow.ts';
export { webhookWorkflow } from './webhook.workflow.ts';
export { withdrawalWorkflow } from './withdrawal.workflow.ts';
