import { DriverException, type EntityManager } from '@mikro-orm/postgresql';
import { EVENT_TYPES } from '../../domain/events/event-types.ts';
import { messageOf } from '../../observability/thrown.ts';
import { textArray } from '../core/bound.ts';
import { rejectsValues } from '../core/violations.ts';

/**
 * Facts that no event can be made of. They are set aside, so that the feed of all companies goes on without them, and they are
 * tried again by a release that can describe them.
 */

/** Whether `error` is about the fact. Else the database or its schema is at fault, and the whole feed waits for it. */
export function isAboutFact(error: unknown): boolean {
  return !(error instanceof DriverException) || rejectsValues(error);
}

const MAX_REASON_CHARACTERS = 500;

/** Takes a fact out of the queue. */
export async function setAside(em: EntityManager, factId: string, error: unknown): Promise<void> {
  // The messages of the ORM quote the statement with its values; the log has them.
  const reason = error instanceof DriverException ? `SQLSTATE ${error.code}` : messageOf(error);
  await em.execute(
    `with gone as (delete from event_fact where id = ?::bigint returning *)
     insert into event_set_aside (fact_id, company_id, object_kind, object_id, change, at, snapshot, request_id, source, reason)
     select id, company_id, object_kind, object_id, change, at, snapshot, request_id, source, ? from gone`,
    [factId, reason.slice(0, MAX_REASON_CHARACTERS)],
  );
}

/** The reason for which a version sets a change aside that only later versions have. */
export const unknownChange = (object: string, change: string) => `unknown change: ${object} ${change}`;
const KNOWN_CHANGES = textArray(Object.values(EVENT_TYPES).map(({ object, change }) => unknownChange(object, change)));

/**
 * Puts facts that were set aside back into the queue, at most `limit`, oldest first. Returns how many. `known`: only those of which
 * this version has a type of event, so that a worker of an earlier version set them aside.
 */
export async function tryAgain(em: EntityManager, limit: number, which: 'all' | 'known'): Promise<number> {
  return em.transactional(async (own) => {
    // The erasure of a person holds it, and would see a fact in neither table while it moves.
    await own.execute('select 1 from event_feed for update');
    const rows = await own.execute<unknown[]>(
      `with gone as (
         delete from event_set_aside where fact_id in (
           select fact_id from event_set_aside where ? or reason = any(?::text[]) order by fact_id limit ?
         )
         returning *
       )
       insert into event_fact (company_id, object_kind, object_id, change, at, snapshot, request_id, source)
       select company_id, object_kind, object_id, change, at, snapshot, request_id, source from gone order by fact_id
       returning id`,
      [which === 'all', KNOWN_CHANGES, limit],
    );
    return rows.length;
  });
}
