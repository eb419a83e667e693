export { escrowWorkflow } from './escrow.workflow.ts';
