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
    id: z.string(),
    ledgerId: z.string(),
    type: z.enum(ACCOUNT_TYPE_NAMES),
    currency: currency(),
    balance: centsText(),
    held_balance: centsText(),
    available_balance: centsText(),
    is_frozen: z.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .openapi('Account');

export const LastFreeze = z.object({ is_frozen: z.boolean(), reason: z.string(), at: timestamp() });

export function lastFreezeView({ isFrozen, reason, at }: FreezeRecord): z.infer<typeof LastFreeze> {
  return { is_frozen: isFrozen, reason, at: at.toISOString() };
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
    id: z.string(),
    name: z.string(),
    user: z.object({ id: z.string(), first_name: z.string().nullable(), last_name: z.string().nullable() }).nullable(),
  })
  .openapi('LedgerSummary');

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
    id: z.string(),
    type: z.enum(TRANSACTION_TYPES),
    amount: centsText(),
    currency: currency(),
    status: z.enum(TRANSACTION_STATUSES),
    reference: z.string().nullable(),
    escrowId: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    createdAt: timestamp(),
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
