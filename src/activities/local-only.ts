import { asyncLocalStorage } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { DecisionActivities } from './decision.activities.ts';
import type { EscrowActivities } from './escrow.activities.ts';
import type { MaintenanceActivities } from './maintenance.activities.ts';
import type { PaymentLinkActivities } from './payment-link.activities.ts';
import type { WebhookActivities } from './webhook.activities.ts';
import type { WithdrawalActivities } from './withdrawal.activities.ts';

/** All activities of the worker. */
export type Activities = EscrowActivities &
  PaymentLinkActivities &
  WithdrawalActivities &
  MaintenanceActivities &
  WebhookActivities &
  DecisionActivities;

/**
 * Activities that run only as local activities. They trust their input, because the workflow code of this worker has decided it.
 * Any client of Temporal can schedule a normal activity on our task queue, from a workflow of its own and with any input.
 */
const LOCAL_ONLY = [
  'loadEscrow',
  'loadLink',
  'loadWithdrawal',
  'applyEscrowEvent',
  'applyLinkEvent',
  'applyWithdrawalEvent',
  'settleRefusal',
  'findDecision',
  'recordOutcome',
] as const satisfies readonly (keyof Activities)[];

const names: ReadonlySet<string> = new Set(LOCAL_ONLY);

/** Throws `forbidden` if `activity` may only run as a local activity, and this is not a local activity. */
export function assertMayRun(activity: string): void {
  if (names.has(activity) && asyncLocalStorage.getStore()?.info.isLocal !== true)
    throw ApplicationFailure.nonRetryable(`${activity} runs only as a local activity`, 'forbidden');
}
