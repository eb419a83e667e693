import { setTimeout as wait } from 'node:timers/promises';
import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId } from '../../domain/ids.ts';
import { withoutTimeLimit } from '../core/time-limits.ts';

/** What an audit can find. The kinds are named in the SQL function `ledger_verify`. */
export type LedgerMismatch = {
  readonly kind:
    | 'transaction_unbalanced'
    | 'balance'
    | 'held'
    | 'overdrawn'
    | 'entry_without_transaction'
    | 'entry_without_account'
    | 'transaction_deleted'
    | 'transaction_changed'
    | 'transaction_inserted'
    | 'entry_deleted'
    | 'entry_changed'
    | 'entry_inserted'
    | 'sealed_balance'
    | 'block_changed'
    | 'block_missing'
    | 'chain_broken';
  readonly companyId: CompanyId | null;
  readonly accountId: AccountId | null;
  readonly transactionId: TransactionId | null;
  readonly entryId: string | null;
  readonly blockSeq: string | null;
  /** Cents or a hash in hex, by kind: what it should be, and what is stored. */
  readonly expected: string | null;
  readonly actual: string | null;
};

export type LedgerVerification = {
  readonly ok: boolean;
  readonly checkedAccounts: number;
  readonly checkedTransactions: number;
  /** At most 1,000 of them. */
  readonly mismatches: LedgerMismatch[];
  /** The hash that stands for everything sealed so far: keep it outside this database. Null before the first block. */
  readonly chainHead: string | null;
  /** The tail that no block protects yet: about a second's worth. */
  readonly unsealedTransactions: number;
  readonly durationMs: number;
};

const PATIENCE_MS = 8_000;
const POLL_MS = 50;

/**
 * Recomputes the books of one company, or of all (null), from a single snapshot: sums, balances, holds, hashes, blocks.
 * It reads every entry, so one runs at a time in the whole service. Who comes meanwhile waits its turn, without a connection,
 * for at most `patienceMs`; then it is refused (`too_many_requests`). `em` must not be in a transaction.
 */
export async function verifyLedger(
  em: EntityManager,
  companyId: CompanyId | null,
  patienceMs = PATIENCE_MS,
): Promise<LedgerVerification> {
  const askedAt = performance.now();
  for (;;) {
    const startedAt = performance.now();
    const found = await withoutTimeLimit(() =>
      em.transactional((inside) => recomputeAlone(inside, companyId), {
        isolationLevel: IsolationLevel.REPEATABLE_READ,
      }),
    );
    if (found !== null) {
      return { ok: found.mismatches.length === 0, ...found, durationMs: Math.round(performance.now() - startedAt) };
    }
    if (performance.now() - askedAt > patienceMs) {
      throw new Refusal('too_many_requests', 'other audits of the ledger are running: come again');
    }
    await wait(POLL_MS);
  }
}

/** Null where another audit is running. */
async function recomputeAlone(
  em: EntityManager,
  companyId: CompanyId | null,
): Promise<Omit<LedgerVerification, 'ok' | 'durationMs'> | null> {
  const [lock] = await em.execute<{ taken: boolean }[]>(
    `select pg_try_advisory_xact_lock(hashtext('ledger_verify')) as taken`,
  );
  if (!lock?.taken) return null;
  await em.execute('set local statement_timeout = 0');
  const [row] = await em.execute<{ found: Omit<LedgerVerification, 'ok' | 'durationMs'> }[]>(
    'select ledger_verify(?) as found',
    [companyId],
  );
  if (row === undefined) throw new Error('the audit answered nothing');
  return row.found;
}
