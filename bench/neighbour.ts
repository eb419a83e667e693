import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { MikroORM } from '@mikro-orm/postgresql';
import { RATE_LIMITS } from '../src/api/limits.ts';
import { writeBankFile } from '../test/support/bank-writer.ts';
import type { LoudRequest } from './loud-client.ts';
import { registerMarket } from './market.ts';
import { percentile, type Settings } from './measure.ts';
import type { Reading } from './quiet-reader.ts';
import type { Part, Quantity } from './report.ts';
import type { BenchStack } from './stack.ts';
import { turnsAt } from './turns.ts';

/**
 * What one company notices while another does its worst within its limits, and while a stranger does. The quiet company reads its
 * profile at a steady pace; its waiting times, and the delay of the service's event loop, are compared with those of an idle service.
 * BENCH_BESIDE (such as 'documents|CSV') chooses attacks by a pattern of their names. The loud client is a process of the lowest priority: it
 * sends and reads megabytes, and elsewhere it has a machine of its own. The answers a second show that the service's work is the same.
 */

/** A key may send 600 requests a minute. The limits themselves are off, so that every request does its work. */
const LOUD_EVERY_MS = 100;
/** Of the loud company: as many as a statement may have. */
const DEPOSITS = 9_984;
/** As many as a list answers. */
const USERS = 1_000;
const AT_ONCE = 16;
/** With each attack, so that the code for it is compiled. */
const WARM_UP_SECONDS = 1;
const DOCUMENT_BYTES = 10_000_000;
const BANK_FILE_BYTES = 30_000_000;
const BESIDE = new RegExp(process.env.BENCH_BESIDE ?? '');
const LIMIT_TIMES = 3;
const LIMIT_MS = 30;
/** The longest time that a turn of the event loop may use, and that it may be later than in an idle service. */
const TURN_MS = 20;

type Company = Awaited<ReturnType<typeof registerMarket>>;
type Attack = { readonly what: string; readonly request: LoudRequest };
type Found = {
  readonly tookMs: number[];
  readonly delaysMs: number[];
  longestMs: number;
  answers: number;
  forMs: number;
};

export async function neighbour(
  { info, turnsPort }: BenchStack,
  orm: MikroORM,
  { rounds, seconds, show }: Settings,
): Promise<Part> {
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

  const from = (path: string, headers: LoudRequest['headers'], body?: LoudRequest['body']): LoudRequest => ({
    ...{ url: `${info.apiUrl}${path}`, headers, everyMs: LOUD_EVERY_MS },
    mostAtOnce: RATE_LIMITS.companyRequestsAtOnce, // others would wait for their turn
    ...(body === undefined ? {} : { body }),
  });
  const stranger = (path: string, body?: string) => from(path, { 'content-type': 'application/json' }, body);
  const company = (path: string, body?: LoudRequest['body'], type = 'application/json') =>
    from(path, { 'x-api-key': loud.apiKey, 'x-company-id': loud.companyId, 'content-type': type }, body);
  const names = (bytes: number) => `{${'"n":0,'.repeat(Math.floor(bytes / 6) - 4)}"n":0}`;
  const note = '/v1/escrow/esc_01900000-0000-7000-8000-000000000001/delivery-note';
  const statement = (format: string) => company(`/v1/ledger/accounts/${accountId}/statement?format=${format}`);
  const longAgo = new Date(Date.now() - 999 * 86_400_000).toISOString();
  const webhook = '/v1/payments/eft-pay/webhook';
  const { id: userId } = (await jsonOf(call('/v1/identity/users?limit=1', loud)))[0];
  const head = '--bench\r\nContent-Disposition: form-data; name="document"; filename="a.pdf"\r\n\r\n%PDF-1.4\n';
  const form = `${head}${' '.repeat(DOCUMENT_BYTES)}\n%%EOF\n\r\n--bench--\r\n`;
  const bankFile = bankFileOf(DEPOSITS, BANK_FILE_BYTES);
  const all: Attack[] = [
    {
      what: 'documents of 10 MB',
      request: company(`/v1/identity/users/${userId}/document`, form, 'multipart/form-data; boundary=bench'),
    },
    {
      what: 'bank files of 30 MB',
      request: company('/v1/treasury/bank/statements', bankFile, 'application/xml'),
    },
    {
      what: 'names, 64 KiB',
      request: company('/v1/payments/deposit', names(65_000)),
    },
    { what: 'unclosed brackets, 512 KiB', request: company(note, '['.repeat(520_000)) },
    { what: 'lists of 200,000 items', request: company(note, `{"items":[${'{},'.repeat(170_000)}{}]}`) },
    { what: 'pages of 1,000 transactions', request: company(`/v1/ledger/${ledgerId}/transactions?limit=1000`) },
    { what: 'lists of 1,000 users', request: company('/v1/identity/users') },
    { what: 'statements as JSON', request: statement('json') },
    { what: 'statements as CSV', request: statement('csv') },
    { what: 'statements as camt.053', request: statement('camt.053') },
    { what: 'cashflow of 1,000 days', request: company(`/v1/ledger/stats/cashflow?startDate=${longAgo}`) },
    { what: 'PDF of 1,000 people', request: company('/v1/ledger/reports/liabilities?format=pdf') },
    { what: 'description, by strangers', request: stranger('/openapi.json') },
    { what: 'notifications, by strangers', request: stranger(webhook, names(65_000)) },
    {
      what: 'notifications in hexadecimal',
      request: stranger(webhook, 'ab'.repeat(32_000)),
    },
  ];

  const attacks = all.filter(({ what }) => BESIDE.test(what));
  const reader = quietReader(`${info.apiUrl}/v1/core/companies/me`, quiet);
  const client = loudClient();

  /** What the quiet company notices for a while. */
  const notice = async (into: Found, forSeconds = seconds): Promise<void> => {
    await turnsAt(turnsPort);
    into.tookMs.push(...(await reader.readFor(forSeconds)));
    const { longestMs, delaysMs } = await turnsAt(turnsPort);
    into.delaysMs.push(...delaysMs);
    into.longestMs = Math.max(into.longestMs, longestMs);
  };
  const beside = async ({ request }: Attack, into: Found, forSeconds?: number): Promise<void> => {
    await client.tell(request);
    const beganAt = performance.now();
    await notice(into, forSeconds);
    into.answers += await client.tell('stop');
    into.forMs += performance.now() - beganAt;
  };

  const nothing = (): Found => ({ tookMs: [], delaysMs: [], longestMs: 0, answers: 0, forMs: 0 });
  for (const attack of attacks) await beside(attack, nothing(), WARM_UP_SECONDS);
  await notice(nothing()); // what the attacks left behind is collected meanwhile
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
  client.stop();
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
      ...[...loudest].flatMap(([{ what }, { tookMs, delaysMs, longestMs, answers, forMs }]) => [
        ms('quiet read p99', percentile(tookMs, 99), readLimit, what),
        ms('delay p99.9', percentile(delaysMs, 99.9), idleDelay + TURN_MS, what),
        ms('longest turn', longestMs, TURN_MS, what),
        { what: `answers to the loud company, ${what}`, value: (answers * 1_000) / forMs, unit: 'a second' },
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

/** A client that hurries nobody: whoever else has work on this machine comes first. */
function loudClient() {
  const program = fileURLToPath(new URL('./loud-client.ts', import.meta.url));
  const priority = String(constants.priority.PRIORITY_LOW);
  const child: ChildProcess = spawn('nice', ['-n', priority, process.execPath, program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  return {
    tell: async (message: LoudRequest | 'stop'): Promise<number> => {
      child.send(message);
      const [answers] = await once(child, 'message');
      return answers;
    },
    stop: () => child.kill(),
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
