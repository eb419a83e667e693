import { setTimeout as wait } from 'node:timers/promises';
import { type EntityManager, IsolationLevel } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, TransactionId } from '../../domain/ids.ts';
import { auditMismatches, startAtZero, unauditedEntities } from '../../observability/metrics.ts';
import { sqlStateOf } from '../core/database-errors.ts';
import type { FieldCipher } from '../core/field-cipher.ts';
import { withoutTimeLimit } from '../core/time-limits.ts';
import { type Checkpoint, compareWithCheckpoint } from './audit/checkpoint.ts';
import { findDerivedMismatches } from './audit/derived.ts';
import { findUnreadableDetails } from './audit/details.ts';
import { auditEntities, type EntityAudit } from './audit/entities.ts';
import { type LedgerMismatch, MAX_MISMATCHES, MISMATCH_KINDS, type MismatchKind, mismatch } from './audit/mismatch.ts';

export type { LedgerMismatch } from './audit/mismatch.ts';

/** The sealed state at an audit that found no mismatch. `root` (hex) covers the heads of all companies' chains. */
type KeptAudit = { readonly seq: string; readonly at: Date; readonly root: string };

export type LedgerVerification = {
  readonly ok: boolean;
  readonly checkedAccounts: number;
  readonly checkedTransactions: number;
  /** At most `MAX_MISMATCHES`. */
  readonly mismatches: LedgerMismatch[];
  /** The hash over everything sealed so far. Store it outside this database. Null before the first block. */
  readonly chainHead: string | null;
  /** The tail that no block protects yet: about one second of transactions. */
  readonly unsealedTransactions: number;
  /** Escrows, payment links and withdrawals with an event that only a later version knows: this version was rolled back to. */
  readonly unauditedEntities: number;
  /** Null if the audit found a mismatch, or was not asked to keep its result. */
  readonly kept: KeptAudit | null;
  readonly durationMs: number;
};

export type VerifyOptions = {
  /** Audits only what was added since the last kept audit; for all companies. */
  readonly isNewOnly?: boolean;
  /** Stores the heads of the chains if no mismatch is found. For all companies; needs the rights of the worker or the owner. */
  readonly keep?: boolean;
  /** Audits only entries, balances, holds and blocks, without their causes and without the rows derived for fast reads. */
  readonly booksOnly?: boolean;
  /** The checkpoint of an earlier audit from outside the database; needs the rights of the worker or the owner. */
  readonly checkpoint?: Pick<Checkpoint, 'seq' | 'root'> | undefined;
  readonly patienceMs?: number;
  /** Also decrypts bank details, in an audit of everything. */
  readonly cipher?: FieldCipher;
};

type Books = Pick<
  LedgerVerification,
  'checkedAccounts' | 'checkedTransactions' | 'mismatches' | 'chainHead' | 'unsealedTransactions'
>;

startAtZero(auditMismatches, { kind: MISMATCH_KINDS });

const NO_ENTITIES: EntityAudit = { mismatches: [], unauditedEntities: 0 };
const PATIENCE_MS = 8_000;
const POLL_MS = 50;
/** SQLSTATEs of a row that an invisible transaction changed or inserted. */
const OVERTAKEN = new Set(['40001', '23505']);

/**
 * Audits the books of one company, or of all (null), from a single snapshot: sums, balances, holds, statuses, turnover, hashes,
 * blocks and kept heads. Then it checks that every transaction has a cause, and that every escrow, payment link and withdrawal
 * matches its events. An audit of everything also recomputes the rows that are derived for fast reads, compares the RECEIVABLE
 * accounts with the receivables, and compares the rows that decide about money and access with the commitments of the service.
 *
 * One audit runs at a time in the whole service. A second one waits for at most `patienceMs`, without a connection, and is then
 * refused (`too_many_requests`). `em` must not be in a transaction.
 */
export async function verifyLedger(
  em: EntityManager,
  companyId: CompanyId | null,
  options: VerifyOptions = {},
): Promise<LedgerVerification> {
  const { patienceMs = PATIENCE_MS } = options;
  const askedAt = performance.now();
  for (;;) {
    const startedAt = performance.now();
    const found = await withoutTimeLimit(() =>
      em.transactional((inside) => auditAlone(inside, companyId, options), {
        isolationLevel: IsolationLevel.REPEATABLE_READ,
      }),
    ).catch((error: unknown) => {
      // The statement that takes the lock already has its snapshot: another audit may be stored between the two.
      if (OVERTAKEN.has(sqlStateOf(error))) return null;
      throw error;
    });
    if (found !== null) return { ...found, durationMs: Math.round(performance.now() - startedAt) };
    if (performance.now() - askedAt > patienceMs) {
      throw new Refusal('too_many_requests', 'another audit of the ledger is running');
    }
    await wait(POLL_MS);
  }
}

/** Null if another audit is running. */
async function auditAlone(
  em: EntityManager,
  companyId: CompanyId | null,
  options: VerifyOptions,
): Promise<Omit<LedgerVerification, 'durationMs'> | null> {
  const [lock] = await em.execute<{ taken: boolean }[]>(
    `select pg_try_advisory_xact_lock(hashtext('ledger_verify')) as taken`,
  );
  if (!lock?.taken) return null;
  await em.execute('set local statement_timeout = 0');
  return auditWithin(em, companyId, options);
}

/** The same audit in the caller's transaction, which should see one snapshot. */
export async function auditWithin(
  em: EntityManager,
  companyId: CompanyId | null,
  { isNewOnly = false, keep = false, booksOnly = false, checkpoint, cipher }: VerifyOptions = {},
): Promise<Omit<LedgerVerification, 'durationMs'>> {
  const [row] = await em.execute<{ found: Books }[]>('select ledger_verify(?, ?) as found', [companyId, isNewOnly]);
  if (row === undefined) throw new Error('the audit returned no result');
  const entities = booksOnly ? NO_ENTITIES : await auditEntities(em, companyId, isNewOnly);
  const behind = booksOnly
    ? []
    : [
        ...(await findTransactionsWithoutCause(em, companyId, isNewOnly)),
        ...entities.mismatches,
        ...(isNewOnly ? [] : await findDerivedMismatches(em, companyId)),
        ...(isNewOnly ? [] : await findCommitmentMismatches(em, companyId)),
        ...(isNewOnly || cipher === undefined ? [] : await findUnreadableDetails(em, cipher, companyId)),
      ];
  const lost = checkpoint === undefined ? [] : await compareWithCheckpoint(em, checkpoint);
  const mismatches = [...lost, ...row.found.mismatches, ...behind].slice(0, MAX_MISMATCHES);
  for (const { kind } of mismatches) auditMismatches.inc({ kind });
  unauditedEntities.inc(entities.unauditedEntities);
  const ok = mismatches.length === 0;
  return {
    ...row.found,
    ok,
    mismatches,
    unauditedEntities: entities.unauditedEntities,
    kept: ok && keep ? await keepAudit(em, !isNewOnly) : null,
  };
}

async function keepAudit(em: EntityManager, isFull: boolean): Promise<KeptAudit> {
  const [row] = await em.execute<{ seq: string; at: Date; root: string }[]>(
    `select seq, at, encode(root, 'hex') as root from ledger_keep_audit(?)`,
    [isFull],
  );
  if (row === undefined) throw new Error('the audit was not stored');
  return { seq: row.seq, at: new Date(row.at), root: row.root };
}

/** Finds transactions without an event, a capture or a request as their cause: no authorized caller posted them. */
async function findTransactionsWithoutCause(
  em: EntityManager,
  companyId: CompanyId | null,
  isNewOnly: boolean,
): Promise<LedgerMismatch[]> {
  const rows = await em.execute<{ transaction_id: TransactionId; company_id: CompanyId; key: string }[]>(
    'select transaction_id, company_id, key from transactions_without_cause(?, ?) limit ?',
    [companyId, isNewOnly, MAX_MISMATCHES],
  );
  return rows.map((row) =>
    mismatch('transaction_without_cause', {
      companyId: row.company_id,
      transactionId: row.transaction_id,
      expected: `the cause of ${row.key}`,
      actual: 'nothing',
    }),
  );
}

type Row = {
  kind: MismatchKind;
  company_id: CompanyId;
  record: string;
  expected: string | null;
  actual: string | null;
};

/** Compares every committed column with its last commitment, and the commitments of a column with each other (362-commitments.sql). */
async function findCommitmentMismatches(em: EntityManager, companyId: CompanyId | null): Promise<LedgerMismatch[]> {
  const rows = await em.execute<Row[]>('select * from commitment_mismatches(?, ?)', [companyId, MAX_MISMATCHES]);
  return rows.map(({ kind, company_id, record, expected, actual }) =>
    mismatch(kind, { companyId: company_id, record, expected, actual }),
  );
}
