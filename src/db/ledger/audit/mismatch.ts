import type { AccountId, CompanyId, TransactionId } from '../../../domain/ids.ts';

/** What an audit can find. `ledger_verify` names those of the books; `entities.ts` and `causes.ts` name the rest. */
export const MISMATCH_KINDS = [
  // The books as they stand.
  'transaction_unbalanced',
  'balance',
  'held',
  'overdrawn',
  'entry_without_transaction',
  'entry_without_account',
  // Rows that change in place, against the journal.
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
  // The chain, and the heads that earlier audits kept.
  'block_changed',
  'block_missing',
  'chain_broken',
  'chain_cut',
  'chain_rewritten',
  'checkpoint_lost',
  // What stands behind the books.
  'transaction_without_cause',
  'event_missing',
  'entity_changed',
  'posting_missing',
  'posting_changed',
] as const;
export type MismatchKind = (typeof MISMATCH_KINDS)[number];

export type LedgerMismatch = {
  readonly kind: MismatchKind;
  readonly companyId: CompanyId | null;
  readonly accountId: AccountId | null;
  readonly transactionId: TransactionId | null;
  readonly entryId: string | null;
  readonly blockSeq: string | null;
  /** The row that is neither an account nor a transaction, and the field: `escrow/0190…/status`. */
  readonly record: string | null;
  /** Cents, a hash in hex or a JSON value, by kind: what it should be, and what is stored. */
  readonly expected: string | null;
  readonly actual: string | null;
};

/** At most this many are listed. */
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
