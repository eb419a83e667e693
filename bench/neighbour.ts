import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { MikroORM } from '@mikro-orm/postgresql';
import { RATE_LIMITS } from '../src/api/limits.ts';
import { writeBankFile } from '../test/support/bank-writer.ts';
import { registerMarket } from './market.ts';
import { percentile, type Settings } from './measure.ts';
import type { Reading } from './quiet-reader.ts';
import type { Part, Quantity } from './report.ts';
import type { BenchStack } from './stack.ts';
import { turnsAt } from './turns.ts';

/**
 * What one company notices while another does its worst within its limits, and while a stranger does. The quiet company reads its
 * profile at a steady pace; its waiting times, and the delay of the service's event loop, are compared with those of an idle service.
 * BENCH_BESIDE (such as documents,CSV) chooses attacks by words of their names. The quiet company is a thread of its own, because
 * sending and reading megabytes holds up the event loop of the loud one.
 */

/** A key may send 600 requests a minute. The limits themselves are off, so that every request does its work. */
const LOUD_EVERY_MS = 100;
/** Of the loud company: as many as a statement may have. */
const DEPOSITS = 9_984;
/** As many as a list answers. */
const USERS = 1_000;
const AT_ONCE = 16;
const DOCUMENT_BYTES = 10_000_000;
const BANK_FILE_BYTES = 30_000_000;
/** The longest wait for an answer, so that a run ends. */
const ANSWER_MS = 30_000;
const BESIDE = (process.env.BENCH_BESIDE ?? '').split(',');
const LIMIT_TIMES = 3;
const LIMIT_MS = 30;
/** The longest time that a turn of the event loop may use, and that it may be later than in an idle service. */
const TURN_MS = 20;

type Company = Awaited<ReturnType<typeof registerMarket>>;
type Attack = { readonly what: string; readonly once: () => Promise<Response> };
type Found = { readonly tookMs: number[]; readonly delaysMs: number[]; longestMs: number };

export async function neighbour(
  { info, turnsPort }: BenchStack,
  orm: MikroORM,
  { rounds, seconds, show }: Settings,
): Promise<Part> {
  const [quiet, loud] = [await registerMarket(info.apiUrl), await registerMarket(info.apiUrl)];
  const waiting = () => ({ signal: AbortSignal.timeout(ANSWER_MS) });
  const call = (path: string, { companyId, apiKey }: Company, body?: string | Blob, type = 'application/json') =>
    fetch(`${info.apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-api-key': apiKey,
        'x-company-id': companyId,
        'x-idempotency-key': randomUUID(),
        'content-type': type,
      },
      ...(body === undefined ? {} : { body }),
      ...waiting(),
    });
  const fill = (path: string, count: number, bodyOf: (index: number) => object) => {
    let done = 0;
    return Promise.all(
      Array.from({ length: AT_ONCE }, async (_, first) => {
        for (let index = first; index < count; index += AT_ONCE) {
          await (await call(path, loud, JSON.stringify(bodyOf(index)))).arrayBuffer();
          done += 1;
          if (done < count) show?.({ what: path, done, total: count });
        }
      }),
    );
  };
  await fill('/v1/payments/deposit', DEPOSITS, () => ({ amount: 100, currency: 'USD' }));
  await fill('/v1/identity/users', USERS, (index) => ({
    mobileNumber: `+26371${String(index).padStart(7, '0')}`,
    idNumber: `BENCH-${index}`,
  }));
  await orm.em.fork().execute('analyze'); // as PostgreSQL does by itself within a minute
  const accounts = await jsonOf(call('/v1/ledger/company/accounts', loud));
  const { id: accountId, ledgerId } = accounts.find(
    (one: { type: string; currency: string }) => one.type === 'COMPANY' && one.currency === 'USD',
  );

  const stranger = (path: string, body?: string) =>
    fetch(`${info.apiUrl}${path}`, {
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body }),
      ...waiting(),
    });
  const names = (bytes: number) => `{${'"n":0,'.repeat(Math.floor(bytes / 6) - 4)}"n":0}`;
  const note = '/v1/escrow/esc_01900000-0000-7000-8000-000000000001/delivery-note';
  const statement = (format: string) => () => call(`/v1/ledger/accounts/${accountId}/statement?format=${format}`, loud);
  const longAgo = new Date(Date.now() - 999 * 86_400_000).toISOString();
  const webhook = '/v1/payments/eft-pay/webhook';
  const { id: userId } = (await jsonOf(call('/v1/identity/users?limit=1', loud)))[0];
  // Blobs are sent in pieces: this process measures too.
  const form = new Blob([
    '--bench\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n%PDF-1.4\n',
    ' '.repeat(DOCUMENT_BYTES),
    '\n%%EOF\n\r\n--bench--\r\n',
  ]);
  const bankFile = new Blob([bankFileOf(DEPOSITS, BANK_FILE_BYTES)]);
  const all: Attack[] = [
    {
      what: 'documents of 10 MB',
      once: () => call(`/v1/identity/users/${userId}/document`, loud, form, 'multipart/form-data; boundary=bench'),
    },
    {
      what: 'bank files of 30 MB',
      once: () => call('/v1/treasury/bank/statements', loud, bankFile, 'application/xml'),
    },
    {
      what: 'bodies of 64 KiB with as many names as fit',
      once: () => call('/v1/payments/deposit', loud, names(65_000)),
    },
    { what: 'bodies of 512 KiB that never end', once: () => call(note, loud, '['.repeat(520_000)) },
    { what: 'lists of 200,000 items', once: () => call(note, loud, `{"items":[${'{},'.repeat(170_000)}{}]}`) },
    { what: 'pages of 1,000 transactions', once: () => call(`/v1/ledger/${ledgerId}/transactions?limit=1000`, loud) },
    { what: 'lists of 1,000 users', once: () => call('/v1/identity/users', loud) },
    { what: 'statements of 10,000 lines as JSON', once: statement('json') },
    { what: 'statements of 10,000 lines as CSV', once: statement('csv') },
    { what: 'statements of 10,000 lines as camt.053', once: statement('camt.053') },
    { what: 'cashflow of 1,000 days', once: () => call(`/v1/ledger/stats/cashflow?startDate=${longAgo}`, loud) },
    {
      what: 'reports of 1,000 people as PDF',
      once: () => call('/v1/ledger/reports/liabilities?format=pdf', loud),
    },
    { what: 'the description, by a stranger', once: () => stranger('/openapi.json') },
    { what: 'notifications of 64 KiB, by a stranger', once: () => stranger(webhook, names(65_000)) },
    {
      what: 'notifications of 64 KiB in hexadecimal digits, by a stranger',
      once: () => stranger(webhook, 'ab'.repeat(32_000)),
    },
  ];

  const attacks = all.filter(({ what }) => BESIDE.some((words) => what.includes(words)));
  const reader = quietReader(`${info.apiUrl}/v1/core/companies/me`, quiet);

  /** What the quiet company notices for a while. */
  const notice = async (into: Found): Promise<void> => {
    await turnsAt(turnsPort);
    into.tookMs.push(...(await reader.readFor(seconds)));
    const { longestMs, delaysMs } = await turnsAt(turnsPort);
    into.delaysMs.push(...delaysMs);
    into.longestMs = Math.max(into.longestMs, longestMs);
  };
  const beside = async ({ once: attack }: Attack, into: Found): Promise<void> => {
    const sent = new Set<Promise<unknown>>();
    const timer = setInterval(() => {
      if (sent.size >= RATE_LIMITS.companyRequestsAtOnce) return; // the others would wait for their turn
      const answer = attack()
        .then((response) => response.arrayBuffer())
        .catch(() => undefined); // it was not answered in time: only the quiet company counts
      sent.add(answer);
      void answer.finally(() => sent.delete(answer));
    }, LOUD_EVERY_MS);
    await notice(into);
    clearInterval(timer);
    await Promise.all(sent);
  };

  const nothing = (): Found => ({ tookMs: [], delaysMs: [], longestMs: 0 });
  await notice(nothing()); // warm-up
  for (const { once: attack } of attacks) await (await attack()).arrayBuffer();
  const idle = nothing();
  const total = rounds * (attacks.length + 1);
  let done = 0;
  const measured = ({ tookMs, longestMs }: Found, what: string) => {
    done += 1;
    const figures = `p99 ${percentile(tookMs, 99).toFixed(1)} ms, longest turn ${longestMs.toFixed(1)} ms`;
    show?.({ what: `${figures}, beside ${what}`, done, total });
  };
  const loudest = new Map(attacks.map((attack) => [attack, nothing()]));
  for (let round = 0; round < rounds; round += 1) {
    await notice(idle);
    measured(idle, 'nothing');
    for (const [attack, found] of loudest) {
      await beside(attack, found);
      measured(found, attack.what);
    }
  }
  reader.stop();
  const idleP99 = percentile(idle.tookMs, 99);
  const idleDelay = percentile(idle.delaysMs, 99.9);
  const ms = (what: string, value: number, limit?: number, beside?: string): Quantity => ({
    ...{ what, value, unit: 'ms' },
    ...(limit === undefined ? {} : { limit: Math.round(limit) }),
    ...(beside === undefined ? {} : { beside }),
  });
  const readLimit = Math.max(LIMIT_MS, LIMIT_TIMES * idleP99);
  return {
    quantities: [
      ms('read of a quiet company, idle service, p50', percentile(idle.tookMs, 50)),
      ms('read of a quiet company, idle service, p99', idleP99),
      ms('delay of the event loop, idle service, p99.9', idleDelay),
      ...[...loudest].flatMap(([{ what }, { tookMs, delaysMs, longestMs }]) => [
        ms('quiet read p99', percentile(tookMs, 99), readLimit, what),
        ms('delay p99.9', percentile(delaysMs, 99.9), idleDelay + TURN_MS, what),
        ms('longest turn', longestMs, TURN_MS, what),
      ]),
    ],
  };
}

/** A client that waits for nothing but its own answers. */
function quietReader(url: string, { companyId, apiKey }: Company) {
  const workerData: Reading = { url, headers: { 'x-api-key': apiKey, 'x-company-id': companyId } };
  const thread = new Worker(new URL('./quiet-reader.ts', import.meta.url), { workerData });
  return {
    readFor: async (seconds: number): Promise<readonly number[]> => {
      thread.postMessage(seconds);
      const [tookMs] = await once(thread, 'message');
      return tookMs;
    },
    stop: () => thread.terminate(),
  };
}

async function jsonOf(answering: Promise<Response>) {
  // biome-ignore lint/suspicious/noExplicitAny: the benchmark reads two fields of its own service
  return (await (await answering).json()) as any;
}

function bankFileOf(entries: number, bytes: number): string {
  const lines = Array.from(
    { length: entries },
    (_, index) => ({ amount: '0.01', sign: 'CRDT', ref: `B${index}`, text: `Payment of the order ${index}` }) as const,
  );
  const file = writeBankFile({ day: '2026-01-31', opening: '0.00', lines });
  return file.replaceAll('<Ntry>', `<Ntry><!--${' '.repeat((bytes - file.length) / entries)}-->`);
}
