import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { AdministratorId, CommandId, CompanyId, DisputeId, EscrowId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import { PERMISSIONS } from '../../domain/roles.ts';
import { textArray } from '../core/bound.ts';
import { type Bound, createListReader } from '../core/list-reader.ts';
import { cents, group, orNull, type RecordOf, readModel, type SqlRow, time, value } from '../core/read-model.ts';
import { PARTY_NAMES } from './escrows.ts';

/** The queue of open disputes, their assignment to administrators, and the staff's internal notes. */

type DisputeFilter = {
  readonly currency?: Currency | undefined;
  readonly assignedTo?: AdministratorId | undefined;
  readonly isAssigned?: boolean | undefined;
};

export const DISPUTE_SORTS = {
  openedAt: { column: 'e.disputed_at', kind: 'time' },
  amount: { column: 'e.held_cents', kind: 'integer' },
} as const;

export const DISPUTE = readModel({
  escrowId: value<EscrowId>('e.id'),
  disputeId: value<DisputeId>("e.state -> 'dispute' ->> 'disputeId'"),
  openedBy: value<Party>("e.state -> 'dispute' ->> 'openedBy'"),
  openedAt: value<string>("e.state -> 'dispute' ->> 'openedAt'"),
  /** The reason of the party that opened it; null if the dispute has no text because it came by a signal. */
  reason: value<string | null>('opened.reason'),
  externalReference: value<string | null>('e.external_reference'),
  currency: value<Currency>('e.currency'),
  heldCents: cents('e.held_cents'),
  ...PARTY_NAMES,
  assignedTo: orNull(
    group({
      administratorId: value<AdministratorId>('x.administrator_id'),
      /** Null for an administrator of the platform. */
      name: value<string | null>("nullif(concat_ws(' ', m.first_name, m.last_name), '')"),
      assignedAt: time('x.assigned_at'),
    }),
  ),
});
export type DisputeRecord = RecordOf<typeof DISPUTE>;

const JOINS = `left join lateral (
    select * from dispute_assignment x where x.company_id = e.company_id and x.escrow_id = e.id offset 0) x on true
  left join lateral (
    select * from administrator m where m.company_id = e.company_id and m.id = x.administrator_id offset 0) m on true
  left join lateral (
    select t.content ->> 'reason' as reason from escrow_event v
    join command_text t on t.company_id = v.company_id and t.command_id = v.command_id
    where v.company_id = e.company_id and v.escrow_id = e.id and v.type = 'DISPUTED' limit 1) opened on true`;

const READER = createListReader<DisputeFilter & { readonly isOpen: true }, DisputeRecord, keyof typeof DISPUTE_SORTS>({
  table: 'escrow',
  alias: 'e',
  ...DISPUTE,
  joins: JOINS,
  conditions: {
    isOpen: `?::boolean and e.status = 'DISPUTED'`,
    currency: 'e.currency = ?',
    assignedTo: `exists (
      select from dispute_assignment y where y.company_id = e.company_id and y.escrow_id = e.id and y.administrator_id = ?)`,
    isAssigned: `?::boolean = exists (
      select from dispute_assignment y where y.company_id = e.company_id and y.escrow_id = e.id)`,
  },
  sorts: DISPUTE_SORTS,
  defaultOrder: { by: 'openedAt', isDescending: false },
  storedTotal: (companyId, { assignedTo, isAssigned, currency }) =>
    assignedTo === undefined && isAssigned === undefined ? countOfOpen(companyId, currency ?? null) : null,
});

/** From the tallies of 305-open-escrows.sql, which are exact in every transaction. */
function countOfOpen(companyId: CompanyId, currency: Currency | null): Bound {
  return {
    sql: `(select coalesce(sum(t.escrows), 0)::integer
     from (select currency, escrows from open_escrow_tally where company_id = ? and status = 'DISPUTED'
           union all
           select currency, escrows from open_escrow_change where company_id = ? and status = 'DISPUTED') t
     where ?::text is null or t.currency = ?)`,
    values: [companyId, companyId, currency, currency],
  };
}

/** The company's open disputes, oldest first unless the page has another order. */
export const { list: listDisputes } = READER;

/** The dispute of an escrow, open or decided; null if the escrow was never disputed. */
export async function findDispute(
  em: EntityManager,
  companyId: CompanyId,
  id: EscrowId,
): Promise<DisputeRecord | null> {
  const [row] = await em.execute<SqlRow[]>(
    `select ${DISPUTE.columns} from escrow e ${JOINS}
     where e.company_id = ? and e.id = ? and jsonb_typeof(e.state -> 'dispute') = 'object'`,
    [companyId, id],
  );
  return row === undefined ? null : DISPUTE.toRecord(row);
}

/**
 * Assigns an open dispute, or takes the assignment back with null. Throws `wrong_state` if the escrow is not disputed, and
 * `unknown_admin` if the administrator is not one of the company who may decide disputes. `isPlatformStaff`: the caller named
 * themselves and belongs to the platform. `known`: the assignee that the caller last read; null for none. Throws `wrong_state` if
 * it has changed since. Undefined: no check.
 */
export async function assignDispute(
  em: EntityManager,
  companyId: CompanyId,
  escrowId: EscrowId,
  to: { readonly administratorId: AdministratorId; readonly isPlatformStaff: boolean } | null,
  known?: AdministratorId | null,
): Promise<void> {
  await requireOpen(em, companyId, escrowId);
  const wanted = to?.administratorId ?? null;
  const requireKnown = (assignee: AdministratorId | null) => {
    if (known !== undefined && assignee !== known && assignee !== wanted)
      throw new Refusal('wrong_state', 'another request changed the assignment of the dispute');
  };
  requireKnown(await lockAssignee(em, companyId, escrowId));
  if (to === null) {
    await em.execute('delete from dispute_assignment where company_id = ? and escrow_id = ?', [companyId, escrowId]);
    return;
  }
  if (!to.isPlatformStaff) await requireDecider(em, companyId, to.administratorId);
  // The lock covers only an existing row. A row that is inserted concurrently is replaced only if the caller gave no `known`.
  await em.execute(
    `insert into dispute_assignment (escrow_id, company_id, administrator_id) values (?, ?, ?)
     on conflict (company_id, escrow_id) do update set administrator_id = excluded.administrator_id, assigned_at = clock_timestamp()
     where dispute_assignment.administrator_id <> excluded.administrator_id
       and (?::boolean or dispute_assignment.administrator_id = ?)`,
    [escrowId, companyId, to.administratorId, known === undefined, known ?? null],
  );
  requireKnown(await lockAssignee(em, companyId, escrowId));
}

async function lockAssignee(
  em: EntityManager,
  companyId: CompanyId,
  escrowId: EscrowId,
): Promise<AdministratorId | null> {
  const [row] = await em.execute<{ administrator_id: AdministratorId }[]>(
    'select administrator_id from dispute_assignment where company_id = ? and escrow_id = ? for update',
    [companyId, escrowId],
  );
  return row?.administrator_id ?? null;
}

async function requireOpen(em: EntityManager, companyId: CompanyId, escrowId: EscrowId): Promise<void> {
  const [row] = await em.execute<{ status: string }[]>('select status from escrow where company_id = ? and id = ?', [
    companyId,
    escrowId,
  ]);
  if (row?.status !== 'DISPUTED') throw new Refusal('wrong_state', 'the escrow is not disputed');
}

async function requireDecider(em: EntityManager, companyId: CompanyId, id: AdministratorId): Promise<void> {
  const found = await em.execute(
    'select from administrator where company_id = ? and id = ? and removed_at is null and role = any(?::text[])',
    [companyId, id, textArray(PERMISSIONS.resolve_disputes)],
  );
  if (found.length === 0)
    throw new Refusal('unknown_admin', 'the administrator cannot decide disputes of this company');
}

export type DisputeNote = {
  readonly id: string;
  readonly text: string;
  readonly administratorId: AdministratorId | null;
  readonly authorName: string | null;
  readonly at: Date;
};

const MAX_DISPUTE_NOTES = 500;

/** The internal notes, oldest first. */
export async function listDisputeNotes(em: EntityManager, companyId: CompanyId, id: EscrowId): Promise<DisputeNote[]> {
  const rows = await em.execute<
    { id: string; text: string; administrator_id: AdministratorId | null; author: string; created_at: Date }[]
  >(
    `select n.id, n.text, n.administrator_id, concat_ws(' ', m.first_name, m.last_name) as author, n.created_at
     from dispute_note n left join administrator m on m.company_id = n.company_id and m.id = n.administrator_id
     where n.company_id = ? and n.escrow_id = ? order by n.created_at, n.id limit ?`,
    [companyId, id, MAX_DISPUTE_NOTES],
  );
  return rows.map((row) => ({
    id: row.id,
    text: row.text,
    administratorId: row.administrator_id,
    authorName: row.author === '' ? null : row.author,
    at: new Date(row.created_at),
  }));
}

/**
 * Adds a note to a dispute, open or decided. Repeating the command adds nothing. Throws `wrong_state` beyond `MAX_DISPUTE_NOTES`.
 */
export async function addDisputeNote(
  em: EntityManager,
  note: {
    readonly commandId: CommandId;
    readonly companyId: CompanyId;
    readonly escrowId: EscrowId;
    readonly administratorId: AdministratorId | null;
    readonly text: string;
  },
): Promise<void> {
  const { commandId, companyId, escrowId, administratorId, text } = note;
  const [count] = await em.execute<{ notes: number }[]>(
    'select count(*)::integer as notes from dispute_note where company_id = ? and escrow_id = ?',
    [companyId, escrowId],
  );
  if ((count?.notes ?? 0) >= MAX_DISPUTE_NOTES)
    throw new Refusal('wrong_state', `the dispute has ${MAX_DISPUTE_NOTES} notes already`);
  await em.execute(
    `insert into dispute_note (id, escrow_id, company_id, administrator_id, text) values (?, ?, ?, ?, ?)
     on conflict (company_id, id) do nothing`,
    [commandId, escrowId, companyId, administratorId, text],
  );
}
