import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { registerMarket } from './market.ts';
import { percentile, type Settings } from './measure.ts';
import type { Part, Quantity } from './report.ts';
import type { BenchStack } from './stack.ts';

/**
 * What one company notices while another does its worst within its limits, and while a stranger does. The quiet company reads its
 * profile at a steady pace; its waiting times are compared with those of an idle service.
 */

/** A key may send 600 requests a minute. The limits themselves are off, so that every request does its work. */
const QUIET_EVERY_MS = 100;
const LOUD_EVERY_MS = 100;
/** Of the loud company, so that its lists and statements are long. */
const DEPOSITS = 1_000;
const DEPOSITS_AT_ONCE = 16;
const LIMIT_TIMES = 3;
const LIMIT_MS = 30;

type Company = Awaited<ReturnType<typeof registerMarket>>;
type Attack = { readonly what: string; readonly once: () => Promise<Response> };

export async function neighbour({ info }: BenchStack, { rounds, seconds, show }: Settings): Promise<Part> {
  const [quiet, loud] = [await registerMarket(info.apiUrl), await registerMarket(info.apiUrl)];
  const call = (path: string, { companyId, apiKey }: Company, body?: string) =>
    fetch(`${info.apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-api-key': apiKey,
        'x-company-id': companyId,
        'x-idempotency-key': randomUUID(),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body }),
    });
  const deposit = JSON.stringify({ amount: 100, currency: 'USD' });
  await Promise.all(
    Array.from({ length: DEPOSITS_AT_ONCE }, async () => {
      for (let made = 0; made < DEPOSITS / DEPOSITS_AT_ONCE; made += 1)
        await (await call('/v1/payments/deposit', loud, deposit)).arrayBuffer();
    }),
  );
  const accounts = await jsonOf(call('/v1/ledger/company/accounts', loud));
  const { id: accountId, ledgerId } = accounts.find(
    (one: { type: string; currency: string }) => one.type === 'COMPANY' && one.currency === 'USD',
  );

  const stranger = (path: string, body?: string) =>
    fetch(`${info.apiUrl}${path}`, {
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body }),
    });
  const names = (bytes: number) => `{${'"n":0,'.repeat(Math.floor(bytes / 6) - 4)}"n":0}`;
  const note = '/v1/escrow/esc_01900000-0000-7000-8000-000000000001/delivery-note';
  const attacks: Attack[] = [
    {
      what: 'bodies of 64 KiB with as many names as fit',
      once: () => call('/v1/payments/deposit', loud, names(65_000)),
    },
    { what: 'bodies of 512 KiB that never end', once: () => call(note, loud, '['.repeat(520_000)) },
    { what: 'lists of 200,000 items', once: () => call(note, loud, `{"items":[${'{},'.repeat(170_000)}{}]}`) },
    { what: 'pages of 1,000 transactions', once: () => call(`/v1/ledger/${ledgerId}/transactions?limit=1000`, loud) },
    { what: 'statements as CSV', once: () => call(`/v1/ledger/accounts/${accountId}/statement?format=csv`, loud) },
    { what: 'statements as JSON', once: () => call(`/v1/ledger/accounts/${accountId}/statement`, loud) },
    { what: 'cashflow by day', once: () => call('/v1/ledger/stats/cashflow?interval=day', loud) },
    { what: 'the description, by a stranger', once: () => stranger('/openapi.json') },
    {
      what: 'notifications of 64 KiB, by a stranger',
      once: () => stranger('/v1/payments/eft-pay/webhook', names(65_000)),
    },
  ];

  const tookMs = async (): Promise<number[]> => {
    const found: number[] = [];
    const until = performance.now() + seconds * 1_000;
    while (performance.now() < until) {
      const at = performance.now();
      await (await call('/v1/core/companies/me', quiet)).arrayBuffer();
      found.push(performance.now() - at);
      await wait(Math.max(0, QUIET_EVERY_MS - (performance.now() - at)));
    }
    return found;
  };
  const beside = async ({ once }: Attack): Promise<number[]> => {
    const sent: Promise<unknown>[] = [];
    const timer = setInterval(() => sent.push(once().then((answer) => answer.arrayBuffer())), LOUD_EVERY_MS);
    const found = await tookMs();
    clearInterval(timer);
    await Promise.all(sent);
    return found;
  };

  await tookMs(); // warm-up
  const idle: number[] = [];
  const loudest = new Map<string, number[]>(attacks.map(({ what }) => [what, []]));
  for (let round = 0; round < rounds; round += 1) {
    idle.push(...(await tookMs()));
    for (const attack of attacks) loudest.get(attack.what)?.push(...(await beside(attack)));
    show?.({ what: 'rounds', done: round + 1, total: rounds });
  }
  const idleP99 = percentile(idle, 99);
  const limit = Math.round(Math.max(LIMIT_MS, LIMIT_TIMES * idleP99));
  const quantities: Quantity[] = [
    { what: 'read of a quiet company, idle service, p50', value: percentile(idle, 50), unit: 'ms' },
    { what: 'read of a quiet company, idle service, p99', value: idleP99, unit: 'ms' },
    ...attacks.map(({ what }) => ({
      what: `the same beside 10 a second of ${what}, p99`,
      value: percentile(loudest.get(what) ?? [], 99),
      unit: 'ms',
      limit,
    })),
  ];
  return { quantities };
}

async function jsonOf(answering: Promise<Response>) {
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark reads two fields of its own service
  return (await (await answering).json()) as any;
}
