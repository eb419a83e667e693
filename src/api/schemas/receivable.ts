import { z } from '@hono/zod-openapi';
import { RECEIVABLE_STATUSES, type ReceivableRecord } from '../../db/treasury/receivable-reads.ts';
import { SETTLEMENT_SOURCES } from '../../db/treasury/receivables.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { RECEIVABLE_REASONS } from '../../domain/ledger/receivables.ts';
import { cents, centsOrNull, centsText, currency, note, timestamp } from './common.ts';

/** Debts of others to the company. */

export const Receivable = z
  .object({
    id: z.string().openapi({ description: 'The transaction that booked it.' }),
    reason: z.enum(RECEIVABLE_REASONS).describe('Why it arose.'),
    status: z.enum(RECEIVABLE_STATUSES),
    accountId: z.string().openapi({ description: 'The account that owes it.' }),
    userId: z.string().nullable().describe('Who owes it. Null: not a user.'),
    currency: currency(),
    amount: centsText(),
    remaining_amount: centsText(),
    collected_amount: centsText().openapi({ description: 'Settled by the account that owed it. Integer cents.' }),
    written_off_amount: centsText().openapi({ description: "Settled by the company's own money. Integer cents." }),
    depositId: z.string().nullable().describe('The deposit that was taken back. Null: none.'),
    escrowId: z.string().nullable().describe('The escrow that it belongs to. Null: none.'),
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('Receivable');

export const SettlementRequest = z
  .object({
    source: z.enum(SETTLEMENT_SOURCES).openapi({
      description: 'BALANCE: the account that owes it pays. WRITE_OFF: the COMPANY account pays.',
    }),
    amount: cents()
      .nullish()
      .openapi({
        ...centsOrNull,
        description: 'Without it: all that is owed, or for BALANCE as much of it as the account has.',
      }),
    reason: note().describe('Why, in words.'),
  })
  .openapi('ReceivableSettlement');

export function receivableView(record: ReceivableRecord): z.infer<typeof Receivable> {
  return {
    id: publicId('transaction', record.id),
    reason: record.reason,
    status: record.status,
    accountId: publicId('account', record.accountId),
    userId: publicIdOrNull('user', record.userId),
    currency: record.currency,
    amount: record.amountCents.toString(),
    remaining_amount: record.remainingCents.toString(),
    collected_amount: record.collectedCents.toString(),
    written_off_amount: record.writtenOffCents.toString(),
    depositId: publicIdOrNull('transaction', record.depositId),
    escrowId: publicIdOrNull('escrow', record.escrowId),
    created_at: record.createdAt.toISOString(),
  };
}
