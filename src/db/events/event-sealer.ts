import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { typeOfChange } from '../../domain/events/event-types.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { eventSealFailures } from '../../observability/metrics.ts';
import { textArray } from '../core/bound.ts';
import { isOutage } from '../core/outage.ts';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';
import { describeFact } from '../views/events.ts';
import { EVENTS_CHANNEL } from './events.ts';
import { type Fact, oldestFacts, readFacts, UndescribedFact } from './facts.ts';
import { isAboutFact, setAside, tryAgain, unknownChange } from './set-aside.ts';

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

/** The result of a round: how many facts it took from the queue, and the companies with new events. */
type EventRound = { readonly taken: number; readonly companies: readonly CompanyId[] };

/** Called for each fact that is set aside. */
type OnSetAside = (factId: string, error: unknown) => void;

/**
 * Seals events until `signal` aborts. Run it in every worker: if another worker's round is in progress, a round does nothing.
 * `onNews` gets the companies of new events after their commit. Facts that were set aside are tried again at the start, and those that this
 * version can describe every `tryKnownAgainMs`.
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
    data: describeFact(fact),
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
