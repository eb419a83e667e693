import { DriverException, type EntityManager, type MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { EVENT_TYPES, typeOfChange } from '../../domain/events/event-types.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { Source } from '../../domain/source.ts';
import { eventSealFailures } from '../../observability/metrics.ts';
import { messageOf } from '../../observability/thrown.ts';
import { textArray } from '../core/bound.ts';
import { isOutage, rejectsValues } from '../core/database-errors.ts';
import type { SqlRow } from '../core/read-model.ts';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';
import { describeSubject } from '../views/events.ts';
import { SUBJECT_READERS, type Subject } from './subjects.ts';

/**
 * Assigns committed changes their positions in the feed. One session at a time does this; the next begins after it commits, so
 * positions become visible in their order.
 */

/** The maximum number of facts in one transaction. */
export const SEAL_FACTS = 500;
/** The maximum number of facts that a worker tries again at once. */
const TRY_AGAIN_FACTS = 10_000;
/** During an upgrade, a worker of the version before may set aside what this one can describe. */
const TRY_KNOWN_AGAIN_MS = 60_000;
/** The longest wait between two rounds while nothing happens. */
const MAX_IDLE_MS = 1_000;
/** The PostgreSQL channel on which companies with new events are named. Only the sealer notifies. */
export const EVENTS_CHANNEL = 'escrow_events';

/** The result of a round: how many facts it took from the queue, and the companies with new events. */
type EventRound = { readonly taken: number; readonly companies: readonly CompanyId[] };

/** Called for each fact that is set aside. */
type OnSetAside = (factId: string, error: unknown) => void;

/**
 * Seals events until `signal` aborts. Run it in every worker: if another worker's round is in progress, a round does nothing.
 * `onNews` gets the companies of new events after their commit: in workers it is temporal/webhook-waker.ts. Facts that were set aside
 * are tried again at the start, and those that this version can describe every `tryKnownAgainMs`.
 *
 * The wait between rounds begins with `intervalMs` and doubles while nothing happens. An event waits for its position at most as
 * long as the feed was idle before it, and at most `MAX_IDLE_MS`.
 */
export function startEventSealer(
  orm: MikroORM,
  options: PeriodicOptions,
  onNews: (companies: readonly CompanyId[]) => void = () => undefined,
  tryKnownAgainMs = TRY_KNOWN_AGAIN_MS,
): Promise<void> {
  const { intervalMs, log, signal } = options;
  const onSetAside: OnSetAside = (factId, error) =>
    log.error({ err: error, factId }, 'an event could not be rendered and was set aside; the feed continues');
  let triedAgainAt: number | undefined;
  let waitMs = intervalMs;
  const round = async () => {
    if (triedAgainAt === undefined || performance.now() - triedAgainAt >= tryKnownAgainMs) {
      await tryAgain(orm.em.fork(), TRY_AGAIN_FACTS, triedAgainAt === undefined ? 'all' : 'known');
      triedAgainAt = performance.now();
    }
    waitMs = Math.min(waitMs * 2, Math.max(MAX_IDLE_MS, intervalMs));
    for (let taken = SEAL_FACTS; !signal.aborted && taken === SEAL_FACTS; ) {
      const sealed = await sealEvents(orm, onSetAside);
      taken = sealed?.taken ?? 0;
      if (taken > 0) waitMs = intervalMs;
      if (sealed !== null && sealed.companies.length > 0) onNews(sealed.companies);
    }
  };
  return runPeriodically(round, 'publishing events', { ...options, nextMs: () => waitMs }, () =>
    eventSealFailures.inc(),
  );
}

/** Runs one round. Returns null if there is nothing to seal, or if another session is sealing. */
export async function sealEvents(orm: MikroORM, onSetAside: OnSetAside = () => undefined): Promise<EventRound | null> {
  const waiting = await orm.em.fork().execute('select 1 from event_fact limit 1');
  if (waiting.length === 0) return null;
  try {
    return await sealWith(orm, (em, ids) => publish(em, ids));
  } catch (error) {
    if (isOutage(error) || !isAboutFact(error)) throw error;
  }
  // One of the facts cannot be described: each gets a savepoint of its own.
  return sealWith(orm, async (em, ids) => {
    const companies = new Set<CompanyId>();
    for (const id of ids)
      try {
        for (const one of await em.transactional((own) => publish(own, [id]))) companies.add(one);
      } catch (error) {
        if (isOutage(error) || !isAboutFact(error)) throw error;
        await setAside(em, id, error);
        onSetAside(id, error);
      }
    return [...companies];
  });
}

async function sealWith(
  orm: MikroORM,
  seal: (em: EntityManager, ids: readonly string[]) => Promise<readonly CompanyId[]>,
): Promise<EventRound | null> {
  return orm.em.fork().transactional(async (em) => {
    const locked = await em.execute('select 1 from event_feed for update skip locked');
    if (locked.length === 0) return null;
    // A new statement, so it sees everything that was committed before the lock was taken.
    const ids = await oldestFacts(em, SEAL_FACTS);
    if (ids.length === 0) return null;
    return { taken: ids.length, companies: await seal(em, ids) };
  });
}

/** Moves facts into the feed. Throws if one of them cannot be described. Returns the companies with new events. */
async function publish(em: EntityManager, ids: readonly string[]): Promise<CompanyId[]> {
  const facts = await readFacts(em, ids);
  const rows = facts.map((fact, index) => ({
    place: index + 1,
    id: uuidv7(),
    company_id: fact.companyId,
    type: typeOf(fact),
    object_kind: fact.subject.kind,
    object_id: fact.objectId,
    created_at: fact.at.toISOString(),
    request_id: fact.requestId,
    source: fact.source,
    data: describeSubject(fact.subject),
  }));
  await em.execute(
    `with published as (
       insert into event (position, id, company_id, type, object_kind, object_id, created_at, request_id, source, data)
       select f.last_position + place, id, company_id, type, object_kind, object_id, created_at, request_id, source, data
       from event_feed f, jsonb_to_recordset(?::jsonb) as r (place bigint, id uuid, company_id uuid, type text,
         object_kind text, object_id uuid, created_at timestamptz, request_id text, source text, data jsonb)
       returning position
     ), gone as (
       delete from event_fact where id = any(?::bigint[])
     )
     update event_feed set last_position = (select max(position) from published)`,
    [JSON.stringify(rows), textArray(ids)],
  );
  const companies = [...new Set(facts.map(({ companyId }) => companyId))];
  await em.execute('select pg_notify(?, company) from unnest(?::text[]) c(company)', [
    EVENTS_CHANNEL,
    textArray(companies),
  ]);
  return companies;
}

function typeOf(fact: Fact) {
  const type = typeOfChange(fact.subject.kind, fact.change);
  if (type === undefined) throw new UndescribedFact(unknownChange(fact.subject.kind, fact.change));
  return type;
}

/** A committed change that has no position yet, with its object as it was after the change. */
type Fact = {
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
async function oldestFacts(em: EntityManager, limit: number): Promise<string[]> {
  // A bare id in "order by" would be the text in the result, in which 10 comes before 9.
  const rows = await em.execute<{ id: string }[]>('select f.id::text as id from event_fact f order by f.id limit ?', [
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Reads facts with their objects, in the order of their ids. Throws `UndescribedFact` if an object does not exist. */
async function readFacts(em: EntityManager, ids: readonly string[]): Promise<Fact[]> {
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
class UndescribedFact extends Error {
  override readonly name = 'UndescribedFact';
}

/** Whether `error` is about the fact. Else the database or its schema is at fault, and the whole feed waits for it. */
function isAboutFact(error: unknown): boolean {
  return !(error instanceof DriverException) || rejectsValues(error);
}

const MAX_REASON_CHARACTERS = 500;

/**
 * Takes a fact out of the queue that no event can be made of, so that the feed of all companies goes on without it. A release that
 * can describe it tries it again.
 */
async function setAside(em: EntityManager, factId: string, error: unknown): Promise<void> {
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
const unknownChange = (object: string, change: string) => `unknown change: ${object} ${change}`;
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
