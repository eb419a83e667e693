export { auditWorkflow } from './audit.workflow.ts';
export { escrowWorkflow } from './escrow.workflow.ts';
export { paymentLinkWorkflow } from './payment-link.workflow.ts';
export { rebuildWorkflow } from './rebuild.workflow.ts';
export { webhookWorkflow } from './webhook.workflow.ts';
export { withdrawalWorkflow } from './withdrawal.workflow.ts';
