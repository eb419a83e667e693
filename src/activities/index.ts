import type { MikroORM } from '@mikro-orm/postgresql';
import { asyncLocalStorage } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import { isDenied } from '../db/core/database-errors.ts';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import type { AuditKey } from '../db/ledger/audit/checkpoint.ts';
import { DENIED_BY_DATABASE } from '../domain/errors.ts';
import { activityFailures, databaseDenials, startAtZero } from '../observability/metrics.ts';
import { codeOf, messageOf } from '../observability/thrown.ts';
import { withCancellation } from '../providers/http.ts';
import type { Providers } from '../providers/index.ts';
import { createDecisionActivities, type DecisionActivities } from './decision.activities.ts';
import { createEscrowActivities, type EscrowActivities } from './escrow.activities.ts';
import { createMaintenanceActivities, type MaintenanceActivities } from './maintenance.activities.ts';
import { createPaymentLinkActivities, type PaymentLinkActivities } from './payment-link.activities.ts';
import type { StepRules } from './records.ts';
import { createSweep, type OnHealed, type RunKeeper } from './sweep.ts';
import { createWebhookActivities, type Deliver, type WebhookActivities } from './webhook.activities.ts';
import { createWithdrawalActivities, type WithdrawalActivities } from './withdrawal.activities.ts';

/** All activities of the worker. */
type Activities = EscrowActivities &
  PaymentLinkActivities &
  WithdrawalActivities &
  MaintenanceActivities &
  WebhookActivities &
  DecisionActivities;

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
  readonly deliver: Deliver;
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
  deliver,
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
    ...createWebhookActivities(orm, deliver),
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

const localOnly: ReadonlySet<string> = new Set(LOCAL_ONLY);

/** Throws `forbidden` if `activity` may only run as a local activity, and this is not a local activity. */
function assertMayRun(activity: string): void {
  if (localOnly.has(activity) && asyncLocalStorage.getStore()?.info.isLocal !== true)
    throw ApplicationFailure.nonRetryable(`${activity} runs only as a local activity`, 'forbidden');
}

/**
 * Requests to providers end with their activity: at its timeout, at a cancellation, and when the worker stops. Without this, a
 * slow provider would delay the worker's shutdown, and a request could still run while its retry runs.
 */
export function untilCancelled<T>(work: () => Promise<T>): Promise<T> {
  const context = asyncLocalStorage.getStore();
  return context === undefined ? work() : withCancellation(context.cancellationSignal, work);
}
