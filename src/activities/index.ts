import type { MikroORM } from '@mikro-orm/postgresql';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import type { MessageProof } from '../db/core/message-proof.ts';
import type { AuditKey } from '../db/ledger/audit/checkpoint.ts';
import { activityFailures } from '../observability/metrics.ts';
import type { Providers } from '../providers/index.ts';
import type { RunKeeper } from '../temporal/run-keeper.ts';
import { createEscrowActivities, type EscrowActivities } from './escrow.activities.ts';
import { createMaintenanceActivities, type MaintenanceActivities } from './maintenance.activities.ts';
import { createOutcomeActivities, type OutcomeActivities } from './outcome.activities.ts';
import { createPaymentLinkActivities, type PaymentLinkActivities } from './payment-link.activities.ts';
import { createRefusalActivities, type RefusalActivities } from './refusal.activities.ts';
import { createSweep, type OnHealed } from './sweep.ts';
import { createWithdrawalActivities, type WithdrawalActivities } from './withdrawal.activities.ts';

export type ActivityDependencies = {
  /** Connected as `escrow_worker`, which sees every tenant. */
  readonly orm: MikroORM;
  readonly providers: Providers;
  /** For account numbers that a bank is told. */
  readonly cipher: FieldCipher;
  readonly mustPayoutsBeBacked: boolean;
  /** Verifies which messages come from the API. */
  readonly proof: MessageProof;
  /** Signs checkpoints; absent: they are not signed. */
  readonly auditKey?: AuditKey | undefined;
  readonly runKeeper: RunKeeper;
  /** Hears of each run that the sweep healed. */
  readonly onHealed: OnHealed;
  /** Hears of every failure, whole; the history hears only its kind. */
  readonly onFailure: (activity: string, error: unknown) => void;
};

export type Activities = EscrowActivities &
  PaymentLinkActivities &
  WithdrawalActivities &
  MaintenanceActivities &
  OutcomeActivities &
  RefusalActivities;

/** Every activity the worker offers, with what they need bound in. */
export function createActivities({
  mustPayoutsBeBacked,
  orm,
  providers,
  cipher,
  proof,
  auditKey,
  runKeeper,
  onHealed,
  onFailure,
}: ActivityDependencies): Activities {
  const activities = {
    ...createEscrowActivities(orm, proof),
    ...createPaymentLinkActivities(orm, providers, proof),
    ...createWithdrawalActivities(orm, {
      payout: providers.payout,
      mustBeBacked: mustPayoutsBeBacked,
      cipher,
      proof,
      onMismatch: (error) => onFailure('checkPayout', error),
    }),
    ...createRefusalActivities(orm),
    ...createMaintenanceActivities(orm, createSweep(orm, runKeeper, onHealed), auditKey),
    ...createOutcomeActivities(),
  };
  return discreet(activities, onFailure);
}

/**
 * Failures end up in workflow histories, and the ORM's messages quote the statement with its values. So what is thrown on is
 * only the kind of failure; Temporal retries it.
 */
function discreet<T extends object>(activities: T, onFailure: ActivityDependencies['onFailure']): T {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]) => [
      name,
      async (...args: unknown[]) => {
        try {
          return await activity(...args);
        } catch (error) {
          if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
          activityFailures.inc({ activity: name });
          onFailure(name, error);
          const code = error instanceof Error && 'code' in error ? ` ${String(error.code)}` : '';
          throw ApplicationFailure.retryable(`${name} failed${code}`, error instanceof Error ? error.name : 'unknown');
        }
      },
    ]),
  ) as T; // the same functions under the same names
}
