import { z } from '@hono/zod-openapi';
import type { LastFreeze as FreezeRecord } from '../../db/ledger/account-freeze.ts';
import type { AccountRecord } from '../../db/ledger/accounts.ts';
import type { TransactionRecord } from '../../db/ledger/transactions.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { ACCOUNT_TYPES, type AccountType } from '../../domain/ledger/accounts.ts';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../domain/ledger/postings.ts';
import { centsText, currency, timestamp } from './common.ts';

/** Accounts and transactions as clients see them. */

const ACCOUNT_TYPE_NAMES = Object.keys(ACCOUNT_TYPES) as [AccountType, ...AccountType[]]; // Object.keys loses the key types

export const Account = z
  .object({
    id: z.string().describe('Its id.'),
    ledgerId: z.string().describe('The ledger.'),
    type: z.enum(ACCOUNT_TYPE_NAMES).describe('What the account is for. Users have USER accounts.'),
    currency: currency(),
    balance: centsText().describe('The total, held money included. Integer cents.'),
    held_balance: centsText().describe(
      'The part of the balance that escrows, payouts and transit deposits hold. Integer cents.',
    ),
    available_balance: centsText().describe('The amount that can be spent: balance less held. Integer cents.'),
    is_frozen: z.boolean().describe('Whether outgoing money is refused.'),
    created_at: timestamp().describe('When it was made.'),
    updated_at: timestamp().describe('When it was last changed.'),
  })
  .openapi('Account', { description: 'An account of a ledger, with its balance.' });

export const LastFreeze = z.object({
  is_frozen: z.boolean().describe('Whether outgoing money is refused.'),
  reason: z.string().describe('Why, as the administrator wrote.'),
  at: timestamp().describe('When it happened.'),
  by: z.string().describe('The administrator or the key that asked for it.'),
  is_by_platform: z.boolean().describe('Whether only the platform lifts the freeze.'),
});

export const AccountFreeze = LastFreeze.omit({ is_frozen: true }).extend({
  is_by_platform: z.boolean().describe('Whether the platform asked for it.'),
});

export const lastFreezeView = ({ isFrozen, ...freeze }: FreezeRecord): z.infer<typeof LastFreeze> => ({
  is_frozen: isFrozen,
  ...freezeView(freeze),
});

export function freezeView(freeze: Omit<FreezeRecord, 'isFrozen'>): z.infer<typeof AccountFreeze> {
  const { reason, at, actor, isByPlatform } = freeze;
  const by = actor.kind === 'administrator' ? publicId('administrator', actor.id) : publicId('apiKey', actor.id);
  return { reason, at: at.toISOString(), by, is_by_platform: isByPlatform };
}

export function accountView(account: AccountRecord): z.infer<typeof Account> {
  return {
    id: publicId('account', account.id),
    ledgerId: publicId('ledger', account.ledgerId),
    type: account.type,
    currency: account.currency,
    balance: account.balanceCents.toString(),
    held_balance: account.heldCents.toString(),
    available_balance: (account.balanceCents - account.heldCents).toString(),
    is_frozen: account.isFrozen,
    created_at: account.createdAt.toISOString(),
    updated_at: account.updatedAt.toISOString(),
  };
}

export const LedgerSummary = z
  .object({
    id: z.string().describe('Its id.'),
    name: z.string().describe('Its name.'),
    user: z
      .object({
        id: z.string().describe('The user.'),
        first_name: z.string().nullable().describe('The first name.'),
        last_name: z.string().nullable().describe('The last name.'),
      })
      .nullable()
      .describe("Whose ledger it is. Null: the company's."),
  })
  .openapi('LedgerSummary', { description: 'The ledger of a user or of the company.' });

export function ledgerSummary(account: AccountRecord): z.infer<typeof LedgerSummary> {
  const { ledgerId, ledgerName, userId, userFirstName, userLastName } = account;
  return {
    id: publicId('ledger', ledgerId),
    name: ledgerName,
    user: userId === null ? null : { id: publicId('user', userId), first_name: userFirstName, last_name: userLastName },
  };
}

export const Transaction = z
  .object({
    id: z.string().describe('Its id.'),
    type: z.enum(TRANSACTION_TYPES),
    amount: centsText(),
    currency: currency(),
    status: z.enum(TRANSACTION_STATUSES),
    reference: z.string().nullable().describe('The reference that it was made with.'),
    escrowId: z.string().nullable().describe('The escrow that it belongs to. Null: none.'),
    metadata: z.record(z.string(), z.unknown()).describe('Data that the service added.'),
    createdAt: timestamp().describe('When it was made.'),
  })
  .openapi('Transaction');

export function transactionView(transaction: TransactionRecord): z.infer<typeof Transaction> {
  return {
    id: publicId('transaction', transaction.id),
    type: transaction.type,
    amount: transaction.amountCents.toString(),
    currency: transaction.currency,
    status: transaction.status,
    reference: transaction.reference,
    escrowId: publicIdOrNull('escrow', transaction.escrowId),
    metadata: transaction.metadata,
    createdAt: transaction.createdAt.toISOString(),
  };
}
