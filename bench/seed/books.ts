import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { FieldKey } from '../../src/db/core/field-cipher.ts';
import { sealEvents } from '../../src/db/events/event-sealer.ts';
import { sealLedger } from '../../src/db/ledger/sealer.ts';
import type { CompanyId } from '../../src/domain/ids.ts';
import { openParties } from './parties.ts';
import { writeEscrows } from './steps.ts';

/** Fills a database with a company and the books of its escrows: everything that the audit compares is there. */

/** Each escrow is a deposit, a hold and a release, with two events. */
export const TRANSACTIONS_PER_ESCROW = 3;
/** Two of the deposit, and six of the release: four legs, and a pair between the companies. */
export const ENTRIES_PER_ESCROW = 8;
const ESCROWS_PER_STEP = 20_000;
const USERS = 400;

export type SeedOptions = {
  readonly fieldKey: FieldKey;
  readonly escrows: number;
  readonly users?: number;
  /** False leaves the events of the feed unpublished: the audit does not read them, and they take a third of the time. */
  readonly isPublished?: boolean;
  /** Told after each part of the work. */
  readonly show?: (what: string) => void;
};

/**
 * Writes, seals and publishes the escrows. If an earlier call with the same number of escrows was interrupted, it continues: each
 * step is one transaction, and the rows of escrows show which steps are complete.
 */
export async function seedBooks(orm: MikroORM, options: SeedOptions): Promise<CompanyId> {
  const { escrows, fieldKey, users = USERS, isPublished = true, show = () => undefined } = options;
  const parties = await openParties(orm, { fieldKey, name: nameOf(escrows), users });
  for (let from = await countEscrows(orm.em.fork(), parties.companyId); from < escrows; from += ESCROWS_PER_STEP) {
    const to = Math.min(from + ESCROWS_PER_STEP, escrows);
    await orm.em.fork().transactional((em) => writeEscrows(em, [parties], { from, to, of: escrows }));
    await sealAll(orm.em.fork());
    show(`${to} of ${escrows} escrows`);
  }
  await sealAll(orm.em.fork());
  show('sealed');
  if (isPublished) {
    while ((await sealEvents(orm, refuseToSkip)) !== null);
    show('published');
  }
  // Autovacuum does this by itself when rows arrive one by one.
  await orm.em.fork().execute('vacuum (analyze)');
  show('vacuumed');
  return parties.companyId;
}

/** Adds and seals `added` escrows, the newest of all, to books that `seedBooks` filled with the same options. */
export async function addEscrows(orm: MikroORM, options: SeedOptions, added: number): Promise<void> {
  const { escrows, fieldKey, users = USERS } = options;
  const parties = await openParties(orm, { fieldKey, name: nameOf(escrows), users });
  const from = await countEscrows(orm.em.fork(), parties.companyId);
  await orm.em.fork().transactional((em) => writeEscrows(em, [parties], { from, to: from + added, of: from + added }));
  await sealAll(orm.em.fork());
}

function nameOf(escrows: number): string {
  return `Bench of ${escrows} escrows`;
}

async function countEscrows(em: EntityManager, companyId: CompanyId): Promise<number> {
  const [row] = await em.execute<{ escrows: number }[]>(
    'select count(*)::integer as escrows from escrow where company_id = ?',
    [companyId],
  );
  return row?.escrows ?? 0;
}

/** Seals until no transaction and no record of the journal waits. A round takes only so many of each. */
async function sealAll(em: EntityManager): Promise<void> {
  for (;;) {
    const sealed = await sealLedger(em);
    const waiting = await em.execute('select 1 from seal_queue limit 1');
    if (sealed === 0 && waiting.length === 0) return;
  }
}

function refuseToSkip(factId: string, error: unknown): never {
  throw new Error(`fact ${factId} cannot be described`, { cause: error });
}
