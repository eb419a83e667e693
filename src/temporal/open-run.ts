import type { OpenRun } from '../db/operations/open-runs.ts';
import { assertNever } from '../domain/errors.ts';
import type { EscrowId, Id, TransactionId } from '../domain/ids.ts';
import { escrowRun, linkRun } from './escrow-run.ts';
import type { Run } from './runs.ts';
import { withdrawalRun } from './withdrawal-run.ts';

/** The run of an open entity. Its id comes from a row of that kind, which justifies the casts. */
export function runOfOpen({ kind, id, companyId, currency, amountCents }: OpenRun): Run {
  const common = { companyId, currency, amountCents };
  switch (kind) {
    case 'escrow':
      return escrowRun({ ...common, escrowId: id as EscrowId, totalCents: amountCents });
    case 'payment-link':
      return linkRun({ ...common, linkId: id as Id<'paymentLink'> });
    case 'withdrawal':
      return withdrawalRun({ ...common, withdrawalId: id as TransactionId });
    default:
      return assertNever(kind);
  }
}
