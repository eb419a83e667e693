import type { EntityManager } from '@mikro-orm/postgresql';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { type AccountId, type EscrowId, type HoldId, idMadeBy } from '../../../src/domain/ids.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';
import { fund, move, newId, newPosting, type TestCompany } from './books.ts';

/** A random run of deposits, escrows, releases and cancellations, as the service would post them. */

type OpenEscrow = {
  readonly id: EscrowId;
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly amountCents: bigint;
};

/** Numbers from 0 to below `limit`, determined by the seed. */
export function random(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export type RunOptions = {
  readonly users: number;
  readonly steps: number;
  readonly seed: number;
  /** The account of the platform's fee. */
  readonly platform: TestCompany;
};

export async function runLedger(em: EntityManager, company: TestCompany, options: RunOptions): Promise<void> {
  const below = random(options.seed);
  const open: OpenEscrow[] = [];
  const userAt = (number: number) => company.user(number % options.users);
  for (let user = 0; user < options.users; user += 1) await fund(em, company, company.user(user), 1_000_000n);
  for (let step = 0; step < options.steps; step += 1) {
    const buyer = below(options.users);
    const amountCents = BigInt(1 + below(20_000));
    const kind = below(4);
    const escrow = open[below(Math.max(open.length, 1))];
    if (kind === 0) await fund(em, company, userAt(buyer), amountCents);
    else if (kind === 1 || escrow === undefined)
      open.push(await hold(em, company, userAt(buyer), userAt(buyer + 1), amountCents));
    else {
      open.splice(open.indexOf(escrow), 1);
      await post(em, company, kind === 2 ? release(company, escrow, options.platform) : cancel(escrow));
    }
  }
}

async function hold(
  em: EntityManager,
  company: TestCompany,
  buyer: AccountId,
  seller: AccountId,
  amountCents: bigint,
): Promise<OpenEscrow> {
  const id = newId<EscrowId>();
  const change = { kind: 'place', holdId: holdOf(id), accountId: buyer, amountCents } as const;
  await post(em, company, { type: 'ESCROW_HOLD', amountCents, escrowId: id, holds: [change] });
  return { id, buyer, seller, amountCents };
}

function release(company: TestCompany, { id, buyer, seller, amountCents }: OpenEscrow, platform: TestCompany) {
  const fee = amountCents / 100n;
  const legs = [
    ...move(buyer, seller, amountCents - 2n * fee),
    ...(fee === 0n ? [] : move(buyer, company.account('SERVICE_FEE'), fee)),
    ...(fee === 0n ? [] : move(buyer, platform.account('SYSTEM_FEE'), fee)),
  ];
  return {
    type: 'PAYMENT',
    amountCents,
    escrowId: id,
    legs,
    holds: [
      { kind: 'capture', holdId: holdOf(id), accountId: buyer, amountCents },
      { kind: 'void', holdId: holdOf(id), accountId: buyer },
    ],
  } satisfies Partial<Posting>;
}

function cancel({ id, buyer, amountCents }: OpenEscrow) {
  return {
    type: 'REFUND',
    amountCents,
    escrowId: id,
    holds: [{ kind: 'void', holdId: holdOf(id), accountId: buyer }],
  } satisfies Partial<Posting>;
}

async function post(em: EntityManager, company: TestCompany, fields: Partial<Posting>): Promise<void> {
  const [outcome] = await postToLedger(em, [newPosting(company, fields)]);
  if (outcome?.kind !== 'posted') throw new Error(`posting failed: ${JSON.stringify(outcome)}`);
}

function holdOf(id: EscrowId): HoldId {
  return idMadeBy('hold', id);
}

/**
 * Moves the postings into the past, in their order: the first is `minutesApart × (count − 1)` minutes before the
 * last. It must run before sealing, as the owner, who can disable the guards.
 */
export async function spreadOverTime(em: EntityManager, lastAt: Date, minutesApart: number): Promise<void> {
  await em.transactional(async (inside) => {
    for (const table of ['entry', 'hold_change', 'ledger_transaction'])
      await inside.execute(`alter table ${table} disable trigger user`);
    await inside.execute(
      `with moved as (
         select id, ?::timestamptz - (count(*) over () - row_number() over (order by position)) * ? * interval '1 minute' as at
         from ledger_transaction
       ), entries as (
         update entry e set created_at = m.at + interval '123 microseconds' from moved m where e.transaction_id = m.id
       ), changes as (
         update hold_change h set created_at = m.at + interval '123 microseconds' from moved m where h.transaction_id = m.id
       )
       update ledger_transaction t set created_at = m.at from moved m where t.id = m.id`,
      [lastAt, minutesApart],
    );
    for (const table of ['entry', 'hold_change', 'ledger_transaction'])
      await inside.execute(`alter table ${table} enable trigger user`);
  });
}
