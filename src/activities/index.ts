import type { MikroORM } from '@mikro-orm/postgresql';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import { isDenied } from '../db/core/outage.ts';
import type { AuditKey } from '../db/ledger/audit/checkpoint.ts';
import { DENIED_BY_DATABASE } from '../domain/errors.ts';
import { activityFailures, databaseDenials, startAtZero } from '../observability/metrics.ts';
import { codeOf, messageOf } from '../observability/thrown.ts';
import type { Providers } from '../providers/index.ts';
import { createDecisionActivities } from './decision.activities.ts';
import { createEscrowActivities } from './escrow.activities.ts';
import { type Activities, assertMayRun } from './local-only.ts';
import { createMaintenanceActivities } from './maintenance.activities.ts';
import { createPaymentLinkActivities } from './payment-link.activities.ts';
import type { StepRules } from './records.ts';
import { createSweep, type OnHealed, type RunKeeper } from './sweep.ts';
import { untilCancelled } from './until-cancelled.ts';
import { createWebhookActivities, type WebhookDependencies } from './webhook.activities.ts';
import { createWithdrawalActivities } from './withdrawal.activities.ts';

export type ActivityDependencies = StepRules & {
  /** Connected as `escrow_worker`, which can read every tenant. */
  readonly orm: MikroORM;
  readonly providers: Providers;
  /** For account numbers in payment instructions. */
  readonly cipher: FieldCipher;
  readonly mustPayoutsBeBacked: boolean;
  /** Signs checkpoints; absent: they are unsigned. */
  readonly auditKey?: AuditKey | undefined;
  readonly runKeeper: RunKeeper;
  /** For the delivery of events. */
  readonly webhooks: Pick<WebhookDependencies, 'sender' | 'listener' | 'stopping'>;
  /** Called for each run that the sweep repaired. */
  readonly onHealed: OnHealed;
  /**
   * Receives every failure in full, except the activities' own failures and cancellations; the workflow history receives only its
   * kind.
   */
  readonly onFailure: (activity: string, error: unknown) => void;
  readonly onSuccess?: (activity: string) => void;
};

/** All activities of the worker, with their dependencies bound. */
export function createActivities({
  mustPayoutsBeBacked,
  orm,
  providers,
  cipher,
  proof,
  mayDecideBySignal,
  auditKey,
  runKeeper,
  webhooks,
  onHealed,
  onFailure,
  onSuccess = () => undefined,
}: ActivityDependencies): Activities {
  const rules: StepRules = { proof, mayDecideBySignal };
  const activities = {
    ...createEscrowActivities(orm, rules),
    ...createPaymentLinkActivities(orm, providers, rules),
    ...createWithdrawalActivities(orm, {
      payout: providers.payout,
      mustBeBacked: mustPayoutsBeBacked,
      cipher,
      ...rules,
      onMismatch: (error) => onFailure('checkPayout', error),
    }),
    ...createDecisionActivities(orm, proof),
    ...createMaintenanceActivities(orm, createSweep(orm, runKeeper, onHealed), auditKey, cipher),
    ...createWebhookActivities({ orm, cipher, ...webhooks }),
  };
  const names = Object.keys(activities);
  startAtZero(activityFailures, { activity: names });
  startAtZero(databaseDenials, { activity: names });
  return withoutDetails(activities, onFailure, onSuccess);
}

const DENIAL = /permission denied for [a-z ]+ \w+|new row violates row-level security policy for table "\w+"/;

/** Only PostgreSQL's own message. The ORM's message quotes the statement with its values. */
function denialOf(error: unknown): string {
  return DENIAL.exec(messageOf(error))?.[0] ?? 'insufficient privilege';
}

/**
 * Failures are stored in workflow histories, and the ORM's messages quote the statement with its values. Therefore only the
 * kind of failure is rethrown; Temporal retries the activity.
 */
function withoutDetails<T extends object>(
  activities: T,
  onFailure: ActivityDependencies['onFailure'],
  onSuccess: (activity: string) => void,
): T {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      async (...args: unknown[]) => {
        assertMayRun(name);
        try {
          const result = await untilCancelled(() => activity(...args));
          onSuccess(name);
          return result;
        } catch (error) {
          if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
          activityFailures.inc({ activity: name });
          onFailure(name, error);
          const code = codeOf(error);
          if (isDenied(error)) {
            databaseDenials.inc({ activity: name });
            throw ApplicationFailure.retryable(`${name}: ${denialOf(error)}`, DENIED_BY_DATABASE);
          }
          const type = error instanceof Error ? error.name : 'unknown';
          throw ApplicationFailure.retryable(`${name} failed${code === undefined ? '' : ` ${code}`}`, type);
        }
      },
    ]),
  ) as T; // the same functions under the same names
}
