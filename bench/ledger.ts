import { setTimeout as wait } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import { startServer } from './bare-server.ts';
import { httpClient } from './http.ts';
import { openMarket, usdAccounts } from './market.ts';
import { inTurns, type Settings, type Subject } from './measure.ts';
import { any, poster } from './postings.ts';
import type { Part } from './report.ts';
import type { BenchStack } from './stack.ts';
import { openTpcb } from './tpcb.ts';

/**
 * Postings from Node, and deposits over HTTP, with authentication and idempotency key: spread over accounts, and into one
 * account.
 */

const CALLERS = 64;
const TPCB_CONNECTIONS = 8;
const SEALED_CHECK_MS = 100;

export async function ledger(stack: BenchStack, orm: MikroORM, settings: Settings): Promise<Part> {
  const market = openMarket(stack, CALLERS);
  const users = await market.makeUsers();
  const accounts = await usdAccounts(orm, market.companyId);
  const post = poster(orm, market.companyId);
  const bare = await startServer('bench/bare.ts');
  const http = httpClient(CALLERS);
  const example = JSON.stringify({ userId: any(users), amount: 100, currency: 'USD' });
  const deposit = (fields: object) => market.post('/v1/payments/deposit', { amount: 100, currency: 'USD', ...fields });
  const yardstick = await openTpcb(stack.info.databaseUrl, TPCB_CONNECTIONS);
  const subjects = {
    spread: { name: 'postings, spread', callers: CALLERS, once: () => post(accounts.bank, any(accounts.users)) },
    hot: { name: 'postings, one hot account', callers: CALLERS, once: () => post(accounts.bank, accounts.company) },
    deposits: { name: 'deposits over HTTP, spread', callers: CALLERS, once: () => deposit({ userId: any(users) }) },
    hotDeposits: { name: 'deposits over HTTP, into one account', callers: CALLERS, once: () => deposit({}) },
    bare: { name: 'bare Hono POST', callers: CALLERS, once: () => http.post(bare.url, {}, example) },
  } satisfies Record<string, Subject>;
  // A measurement must not pay for the sealing of earlier postings, but it does pay for its own.
  const settled = () => allSealed(orm);
  const inOrder = [yardstick.subject, ...Object.values(subjects)].map((subject) => ({ ...subject, settled }));
  const rates = await inTurns(inOrder, settings);
  await yardstick.stop();
  bare.stop();
  http.stop();
  market.stop();
  const figure = ({ name }: Subject, reference: Subject, target: number) => ({
    what: name,
    rates: rates.get(name) ?? [],
    reference: reference.name,
    target,
  });
  return {
    figures: [
      figure(yardstick.subject, yardstick.subject, 0),
      figure(subjects.spread, yardstick.subject, 2),
      figure(subjects.hot, subjects.spread, 0.9),
      figure(subjects.deposits, yardstick.subject, 0.8),
      figure(subjects.hotDeposits, subjects.deposits, 0.9),
      figure(subjects.bare, yardstick.subject, 0),
    ],
  };
}

/** Waits until every transaction is in a block. */
export async function allSealed(orm: MikroORM): Promise<void> {
  for (;;) {
    const [row] = await orm.em
      .fork()
      .execute<{ value: number }[]>(`select value from operations_snapshot() where metric = 'unsealed_transactions'`);
    if (row?.value === 0) return;
    await wait(SEALED_CHECK_MS);
  }
}
