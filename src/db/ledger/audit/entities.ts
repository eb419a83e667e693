import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type AccountId,
  BEFORE_ALL_ROWS,
  type CompanyId,
  type RowKey,
  type TransactionId,
} from '../../../domain/ids.ts';
import { fromWire, toWire, type Wire } from '../../../domain/messages/wire.ts';
import { hasLaterMigration } from '../../migrations/index.ts';
import { ESCROWS, type Expectations, type ExpectedTransaction, PAYMENT_LINKS, WITHDRAWALS } from './expectations.ts';
import { type LedgerMismatch, MAX_MISMATCHES, mismatch } from './mismatch.ts';

/**
 * Folds the events of every escrow, payment link and withdrawal and compares the result with the stored row, the hold and the
 * transactions. Entities are read in batches, so memory does not grow with their number. PostgreSQL reads the next batch while
 * the current one is folded.
 *
 * After a rollback, events have types that only the later version knows. If that version migrated the database, their entities are
 * counted as unaudited. If not, somebody forged them.
 */

const BATCH_SIZE = 500;
type StoredEvent = { seq: number; status: string; type: string; commandId: string; data: unknown };
type StoredTransaction = {
  id: TransactionId;
  type: string;
  status: string;
  amount: string;
  legs: { accountId: AccountId; amountCents: string }[];
};
type Row = {
  id: string;
  company_id: CompanyId;
  stored: Record<string, unknown>;
  events: StoredEvent[];
  hold: { remaining: string; amount: string; status: string; account_id: AccountId } | null;
  transactions: StoredTransaction[];
};

/** `unauditedEntities`: those that a later version changed. */
export type EntityAudit = { readonly mismatches: LedgerMismatch[]; unauditedEntities: number };

export async function auditEntities(
  em: EntityManager,
  companyId: CompanyId | null,
  isNewOnly: boolean,
): Promise<EntityAudit> {
  const scope = { em, companyId, isNewOnly, isRolledBack: await hasLaterMigration(em) };
  const found: EntityAudit = { mismatches: [], unauditedEntities: 0 };
  await auditAll(scope, ESCROWS, found);
  await auditAll(scope, PAYMENT_LINKS, found);
  await auditAll(scope, WITHDRAWALS, found);
  return found;
}

type Scope = {
  readonly em: EntityManager;
  readonly companyId: CompanyId | null;
  readonly isNewOnly: boolean;
  readonly isRolledBack: boolean;
};

async function auditAll<State extends { readonly status: string; readonly seq: number }, Event>(
  { em, companyId, isNewOnly, isRolledBack }: Scope,
  kind: Expectations<State, Event>,
  found: EntityAudit,
): Promise<void> {
  const read = (after: RowKey) =>
    em.execute<Row[]>('select * from audited_entities(?, ?, ?, ?, ?, ?)', [
      kind.table,
      companyId,
      isNewOnly,
      after.companyId,
      after.id,
      BATCH_SIZE,
    ]);
  for (let rows = await read(BEFORE_ALL_ROWS); ; ) {
    const last = rows.at(-1);
    if (last === undefined || found.mismatches.length >= MAX_MISMATCHES) return;
    const next = read({ companyId: last.company_id, id: last.id });
    for (const row of rows)
      if (isRolledBack && row.events.some(({ type }) => !Object.hasOwn(kind.events, type)))
        found.unauditedEntities += 1;
      else found.mismatches.push(...auditEntity(row, kind));
    rows = await next;
  }
}

type Check = (field: string, expected: unknown, actual: unknown) => LedgerMismatch[];

function auditEntity<State extends { readonly status: string; readonly seq: number }, Event>(
  row: Row,
  kind: Expectations<State, Event>,
): LedgerMismatch[] {
  const name = `${kind.table}/${row.id}`;
  const found: LedgerMismatch[] = [];
  const check: Check = (field, expected, actual) =>
    isDeepStrictEqual(expected, actual)
      ? []
      : [
          mismatch('entity_changed', {
            companyId: row.company_id,
            record: `${name}/${field}`,
            expected: asText(expected),
            actual: asText(actual),
          }),
        ];
  let state: State | null = null;
  for (const [index, event] of row.events.entries()) {
    const seq = index + 1;
    if (event.seq !== seq) return [eventMissing(row, name, seq)];
    const before: State | null = state;
    const data = fromWire<Event>(event.data as Wire<Event>); // written by toWire; the chain shows whether it was changed
    try {
      state = kind.evolve(before, data);
    } catch (error) {
      return [
        mismatch('event_missing', { companyId: row.company_id, record: `${name}/${seq}`, actual: String(error) }),
      ];
    }
    found.push(...check(`event ${seq}/status`, state.status, event.status));
    for (const expected of kind.transactionsOf(before, data, state)) found.push(...auditTransaction(row, expected));
  }
  if (state === null) return [eventMissing(row, name, 1)];
  for (const expected of kind.transactionsAtEnd(state)) found.push(...auditTransaction(row, expected));
  found.push(...check('seq', state.seq, row.stored.seq), ...check('status', state.status, row.stored.status));
  found.push(...check('state', JSON.parse(JSON.stringify(toWire(state))), row.stored.state));
  for (const [column, expected] of Object.entries(kind.columnsOf(state)))
    found.push(...check(column, expected, row.stored[column]));
  found.push(...auditHold(row, kind, state, check));
  return found;
}

function auditHold<State extends { readonly status: string; readonly seq: number }, Event>(
  { hold }: Row,
  kind: Expectations<State, Event>,
  state: State,
  check: Check,
): LedgerMismatch[] {
  const expected = kind.holdOf(state);
  if (expected === null || (hold === null && expected.remainingCents === 0n)) return [];
  return [
    ...check('hold', expected.remainingCents.toString(), hold?.remaining ?? null),
    ...check('hold account', expected.accountId, hold?.account_id ?? null),
    ...(expected.placedCents === undefined
      ? []
      : check('hold amount', expected.placedCents.toString(), hold?.amount ?? null)),
  ];
}

function auditTransaction({ transactions, company_id: companyId }: Row, expected: ExpectedTransaction) {
  const { transactionId } = expected;
  const stored = transactions.find(({ id }) => id === transactionId);
  if (stored === undefined)
    return [mismatch('posting_missing', { companyId, transactionId, expected: 'a transaction', actual: 'none' })];
  const facts: [unknown, unknown][] = [
    [expected.type, stored.type],
    [expected.status, stored.status],
    [expected.amountCents?.toString(), stored.amount],
    [expected.legs?.map(({ accountId, amountCents }) => `${accountId} ${amountCents}`), stored.legs.map(legText)],
  ];
  return facts
    .filter(([wanted, actual]) => wanted !== undefined && !isDeepStrictEqual(wanted, actual))
    .map(([wanted, actual]) =>
      mismatch('posting_changed', { companyId, transactionId, expected: asText(wanted), actual: asText(actual) }),
    );
}

function legText({ accountId, amountCents }: StoredTransaction['legs'][number]): string {
  return `${accountId} ${amountCents}`;
}

function eventMissing({ company_id: companyId }: Row, name: string, seq: number): LedgerMismatch {
  return mismatch('event_missing', { companyId, record: `${name}/${seq}`, expected: 'an event', actual: 'none' });
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
