import type { AccountId, CompanyId, TransactionId } from '../../../domain/ids.ts';

/** All kinds of mismatches. `ledger_verify` reports those of the books; the modules of this folder report the others. */
export const MISMATCH_KINDS = [
  // The current books.
  'transaction_unbalanced',
  'balance',
  'held',
  'overdrawn',
  'entry_without_transaction',
  'entry_without_account',
  // Mutable rows against the journal.
  'hold_changed',
  'hold_deleted',
  'hold_inserted',
  'status_changed',
  'turnover',
  // Rows against the blocks.
  'transaction_deleted',
  'transaction_changed',
  'transaction_inserted',
  'entry_deleted',
  'entry_changed',
  'entry_inserted',
  'record_deleted',
  'record_changed',
  'record_inserted',
  'sealed_balance',
  // The chain, and the heads that earlier audits stored.
  'block_changed',
  'block_missing',
  'chain_broken',
  'chain_cut',
  'chain_rewritten',
  'checkpoint_lost',
  // Rows that are derived from the books.
  'activity',
  'tally',
  'balance_checkpoint',
  'company_count',
  'open_escrows',
  'receivable',
  // The causes behind the books.
  'transaction_without_cause',
  'event_missing',
  'entity_changed',
  'posting_missing',
  'posting_changed',
  // Rows against the commitments of the service.
  'row_changed',
  'row_deleted',
  'row_inserted',
  // Bank details that do not decrypt.
  'details_unreadable',
] as const;
export type MismatchKind = (typeof MISMATCH_KINDS)[number];

export type LedgerMismatch = {
  readonly kind: MismatchKind;
  readonly companyId: CompanyId | null;
  readonly accountId: AccountId | null;
  readonly transactionId: TransactionId | null;
  readonly entryId: string | null;
  readonly blockSeq: string | null;
  /** The row that is neither an account nor a transaction, with its field: `escrow/0190…/status`. */
  readonly record: string | null;
  /** The expected and the stored value: cents, a hash in hex or a JSON value, depending on the kind. */
  readonly expected: string | null;
  readonly actual: string | null;
};

/** The maximum number of listed mismatches. */
export const MAX_MISMATCHES = 1_000;

/** A mismatch with null for every field that is not given. */
export function mismatch(kind: MismatchKind, fields: Partial<Omit<LedgerMismatch, 'kind'>>): LedgerMismatch {
  return {
    kind,
    companyId: null,
    accountId: null,
    transactionId: null,
    entryId: null,
    blockSeq: null,
    record: null,
    expected: null,
    actual: null,
    ...fields,
  };
}
