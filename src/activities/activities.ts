import type { EscrowActivities } from './escrow.activities.ts';
import type { MaintenanceActivities } from './maintenance.activities.ts';
import type { OutcomeActivities } from './outcome.activities.ts';
import type { PaymentLinkActivities } from './payment-link.activities.ts';
import type { RefusalActivities } from './refusal.activities.ts';
import type { WebhookActivities } from './webhook.activities.ts';
import type { WithdrawalActivities } from './withdrawal.activities.ts';

/** All activities of the worker. */
export type Activities = EscrowActivities &
  PaymentLinkActivities &
  WithdrawalActivities &
  MaintenanceActivities &
  OutcomeActivities &
  WebhookActivities &
  RefusalActivities;
