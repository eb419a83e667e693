import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { typeOfChange } from '../../domain/events/event-types.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { eventSealFailures } from '../../observability/metrics.ts';
import { type PeriodicOptions, runPeriodically } from '../core/run-periodically.ts';
import { EVENTS_CHANNEL } from './channel.ts';
import { type Fact, readFacts } from './facts.ts';

/**
 * Gives committed changes their positions in the feed. One session at a time does it, and the next one begins after its commit:
 * positions become visible in their order.
 */

/** The maximum number of facts in one transaction. */
export const SEAL_FACTS = 500;

/** Describes the object of a fact in the form of the API's responses. */
export type DescribeFact = (fact: Fact) => Record<string, unknown>;

/** The result of a round: how many facts it took from the queue, and the companies with new events. */
export type EventRound = { readonly taken: number; readonly companies: readonly CompanyId[] };

/**
 * Seals events until `signal` aborts. Run it in every worker: if another worker's round is in progress, a round does nothing.
 * `onNews` is called after the commit of new events.
 */
export function startEventSealer(
  orm: MikroORM,
  describe: DescribeFact,
  options: PeriodicOptions,
  onNews: () => void = () => undefined,
): Promise<void> {
  const { log, signal } = options;
  const round = async () => {
    for (let taken = SEAL_FACTS; !signal.aborted && taken === SEAL_FACTS; ) {
      const sealed = await sealEvents(orm, describe);
      taken = sealed?.taken ?? 0;
      if (sealed !== null && sealed.companies.length > 0) onNews();
    }
  };
  return runPeriodically(round, options, (error) => {
    eventSealFailures.inc();
    log.error({ err: error }, 'giving events their positions failed; it will be retried');
  });
}

/** Runs one round. Returns null if there is nothing to seal, or if another session is sealing. */
export async function sealEvents(orm: MikroORM, describe: DescribeFact): Promise<EventRound | null> {
  const waiting = await orm.em.fork().execute('select 1 from event_fact limit 1');
  if (waiting.length === 0) return null;
  return orm.em.fork().transactional(async (em) => {
    const [feed] = await em.execute<{ last_position: string }[]>(
      'select last_position from event_feed for update skip locked',
    );
    if (feed === undefined) return null;
    // A new statement, so it sees everything that was committed before the lock was taken.
    const { facts, ids } = await readFacts(em, SEAL_FACTS);
    return { taken: ids.length, companies: await publish(em, BigInt(feed.last_position), facts, ids, describe) };
  });
}

async function publish(
  em: EntityManager,
  lastPosition: bigint,
  facts: readonly Fact[],
  ids: readonly string[],
  describe: DescribeFact,
): Promise<CompanyId[]> {
  const published = facts.flatMap((fact) => {
    const type = typeOfChange(fact.subject.kind, fact.change);
    return type === undefined ? [] : [{ fact, type }];
  });
  const rows = published.map(({ fact, type }, index) => ({
    position: (lastPosition + BigInt(index) + 1n).toString(),
    id: uuidv7(),
    company_id: fact.companyId,
    type,
    object_kind: fact.subject.kind,
    object_id: fact.objectId,
    created_at: fact.at.toISOString(),
    data: describe(fact),
  }));
  const companies = [...new Set(published.map(({ fact }) => fact.companyId))];
  if (rows.length > 0)
    await em.execute(
      `with published as (
         insert into event (position, id, company_id, type, object_kind, object_id, created_at, data)
         select position, id, company_id, type, object_kind, object_id, created_at, data
         from jsonb_to_recordset(?::jsonb) as r (position bigint, id uuid, company_id uuid, type text, object_kind text,
           object_id uuid, created_at timestamptz, data jsonb)
         returning position
       )
       update event_feed set last_position = (select max(position) from published)`,
      [JSON.stringify(rows)],
    );
  await em.execute('delete from event_fact where id = any(?::bigint[])', [`{${ids.join(',')}}`]);
  for (const companyId of companies) await em.execute('select pg_notify(?, ?)', [EVENTS_CHANNEL, companyId]);
  return companies;
}
