import type { OpenRun } from '../db/operations/open-runs.ts';
import { assertNever } from '../domain/errors.ts';
import type { EscrowStatus } from '../domain/escrow/transitions.ts';
import type { EscrowId, Id, TransactionId } from '../domain/ids.ts';
import type { LinkStatus } from '../domain/payment-link/link.ts';
import type { WithdrawalStatus } from '../domain/withdrawal/transitions.ts';
import { escrowRun, linkRun } from './escrow-run.ts';
import type { Run } from './runs.ts';
import { withdrawalRun } from './withdrawal-run.ts';

/** The run of whatever is open. Its id and its status come from the row of its kind, which is what the casts say. */
export function runOfOpen({ kind, id, companyId, currency, amountCents, status }: OpenRun): Run {
  const common = { companyId, currency, amountCents };
  switch (kind) {
    case 'escrow':
      return escrowRun({
        ...common,
        escrowId: id as EscrowId,
        totalCents: amountCents,
        status: status as EscrowStatus,
      });
    case 'payment-link':
      return linkRun({ ...common, linkId: id as Id<'paymentLink'>, status: status as LinkStatus });
    case 'withdrawal':
      return withdrawalRun({ ...common, withdrawalId: id as TransactionId, status: status as WithdrawalStatus });
    default:
      return assertNever(kind);
  }
}
