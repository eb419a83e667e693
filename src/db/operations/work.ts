import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventObject } from '../../domain/events/event-types.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import type { WorkKind } from '../../domain/work.ts';
import { textArray } from '../core/bound.ts';
import { orNull, type RecordOf, readModel, type SqlRow, time, value } from '../core/read-model.ts';

/** What needs a person: a query over what stands (370-work.sql). */

/** What a person has to look at. A receivable has the id of the transaction that booked it. */
export type WorkSubject = EventObject | 'receivable';

const WORK = readModel({
  id: value<string>('w.id'),
  kind: value<WorkKind>('w.kind'),
  companyId: value<CompanyId>('w.company_id'),
  companyName: value<string>('w.company_name'),
  subject: value<WorkSubject>('w.subject'),
  subjectId: value<string>('w.subject_id'),
  /** As people call it. Null: it has no name. */
  reference: value<string | null>('w.reference'),
  /** A word for the reason; null if the kind says it all. */
  detail: value<string | null>('w.detail'),
  amountCents: value<string | null>('w.amount_cents::text'),
  currency: value<Currency | null>('w.currency'),
  since: time('w.since'),
  dueAt: orNull(time('w.due_at')),
  /** How long it has waited, by the clock that `since` is of. */
  ageSeconds: value<number>('w.age_seconds::integer'),
});
export type WorkItem = RecordOf<typeof WORK>;

type Asked = {
  readonly kinds: readonly WorkKind[];
  /** Of all companies, if the transaction's company is the platform's. */
  readonly isPlatform: boolean;
};

/** The most urgent work first: what has a time limit by that, then the oldest. `perKind`: at most so many of each kind. */
export async function listWork(
  em: EntityManager,
  { kinds, isPlatform, limit, offset, perKind }: Asked & { limit: number; offset: number; perKind: number | null },
): Promise<WorkItem[]> {
  const rows = await em.execute<SqlRow[]>(
    `select ${WORK.columns} from (
       select i.*, row_number() over (partition by i.kind order by i.due_at nulls last, i.since, i.id) as place
       from work_items(?::text[], ?::boolean, ?::integer) i) w
     where w.place <= ? order by w.due_at nulls last, w.since, w.id limit ? offset ?`,
    [
      textArray(kinds),
      isPlatform,
      Math.min(limit + offset, perKind ?? Number.POSITIVE_INFINITY),
      perKind ?? limit + offset,
      limit,
      offset,
    ],
  );
  return rows.map(WORK.toRecord);
}

/** Counts the work of each kind. Kinds without work are left out. Each count stops at `most`; null: all are exact. */
export async function countWork(
  em: EntityManager,
  { kinds, isPlatform, most }: Asked & { most: number | null },
): Promise<{ readonly kind: WorkKind; readonly count: number }[]> {
  return em.execute<{ kind: WorkKind; count: number }[]>(
    `select c.kind, least(sum(c.items), ?)::integer as count from work_counts(?::text[], ?::boolean, ?::integer) c
     group by c.kind having sum(c.items) > 0 order by array_position(?::text[], c.kind)`,
    [most, textArray(kinds), isPlatform, most, textArray(kinds)],
  );
}
