import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import type { Source } from '../../domain/source.ts';
import { textArray } from '../core/bound.ts';
import type { SqlRow } from '../core/read-model.ts';
import { SUBJECT_READERS } from './subject-readers.ts';
import type { Subject } from './subjects.ts';

/** Committed changes that have no position yet, each with its object as it was after the change. */

export type Fact = {
  readonly id: string;
  readonly companyId: CompanyId;
  readonly objectId: string;
  readonly change: string;
  readonly at: Date;
  /** The request that caused the change; null where time or the service itself did it. */
  readonly requestId: string | null;
  readonly source: Source;
  readonly subject: Subject;
};

type FactRow = {
  id: string;
  company_id: CompanyId;
  object_kind: string;
  object_id: string;
  change: string;
  at: Date;
  request_id: string | null;
  source: Source;
};

/** The ids of the oldest facts, at most `limit`, in their order. */
export async function oldestFacts(em: EntityManager, limit: number): Promise<string[]> {
  // A bare id in "order by" would be the text in the result, in which 10 comes before 9.
  const rows = await em.execute<{ id: string }[]>('select f.id::text as id from event_fact f order by f.id limit ?', [
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Reads facts with their objects, in the order of their ids. Throws `UndescribedFact` if an object does not exist. */
export async function readFacts(em: EntityManager, ids: readonly string[]): Promise<Fact[]> {
  const rows = await em.execute<FactRow[]>(
    `select id, company_id, object_kind, object_id, change, at, request_id, source from event_fact
     where id = any(?::bigint[]) order by id`,
    [textArray(ids)],
  );
  const subjects = new Map<string, Subject>();
  for (const [kind, ofKind] of Map.groupBy(rows, (row) => row.object_kind)) {
    const reader = SUBJECT_READERS[kind];
    if (reader === undefined) throw new UndescribedFact(`there is no kind of object "${kind}"`);
    const ofFacts = textArray(ofKind.map(({ id }) => id));
    for (const row of await em.execute<(SqlRow & { fact_id: string })[]>(reader.statement, [ofFacts]))
      subjects.set(row.fact_id, reader.subjectOf(row));
  }
  return rows.map((row) => {
    const subject = subjects.get(row.id);
    if (subject === undefined) throw new UndescribedFact(`there is no ${row.object_kind} ${row.object_id}`);
    return {
      id: row.id,
      change: row.change,
      companyId: row.company_id,
      objectId: row.object_id,
      at: new Date(row.at),
      requestId: row.request_id,
      source: row.source,
      subject,
    };
  });
}

/** Thrown for a fact that no event can be made of. */
export class UndescribedFact extends Error {
  override readonly name = 'UndescribedFact';
}
