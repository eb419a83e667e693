import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_TIMELINE_ENTRIES } from '../../src/activities/contract.ts';
import { OVERDUE_AFTER_MS, STUCK_AFTER_MS } from '../../src/activities/sweep.ts';
import { TIMEOUT_MS as WEBHOOK_TIMEOUT_MS } from '../../src/activities/webhook-sending.ts';
import { MAX_TRIES, MAX_TRIES_FROM_ANYWHERE } from '../../src/api/auth/login-guard.ts';
import { OTP_LIFETIME_SECONDS } from '../../src/api/auth/one-time-passwords.ts';
import { ACCESS_TOKEN_SECONDS } from '../../src/api/auth/tokens.ts';
import { refreshSeconds } from '../../src/api/checkout/answers.ts';
import type { CheckoutView } from '../../src/api/checkout/view.ts';
import { DATABASE_LIMITS, MAX_DOCUMENT_BYTES, MAX_IMAGE_PIXELS, WAIT_LIMITS } from '../../src/api/limits.ts';
import { loadConfig } from '../../src/config/config.ts';
import { MAX_SESSION_MS } from '../../src/console/session/session.ts';
import { READING_LIFETIME_MS } from '../../src/db/operations/operations-metrics.ts';
import { KEY_LIFETIME_HOURS } from '../../src/db/requests/idempotency.ts';
import { AWAKE_SECONDS } from '../../src/db/webhooks/queue.ts';
import { REFUSALS } from '../../src/domain/errors.ts';
import { MAX_EXTENSION_HOURS, NEGOTIATION_LIFETIME_HOURS } from '../../src/domain/escrow/escrow.ts';
import { EVENT_RETENTION_DAYS } from '../../src/domain/events/event-types.ts';
import { MESSAGE_LIFETIME_HOURS } from '../../src/domain/messages/sent-message.ts';
import {
  ATTEMPT_LIFETIME_HOURS,
  LINK_LIFETIME_HOURS,
  MAX_LINK_LIFETIME_HOURS,
  PROMPT_LIFETIME_MINUTES,
} from '../../src/domain/payment-link/link.ts';
import {
  DELIVERY_RETENTION_DAYS,
  GIVE_UP_AFTER_MS,
  GONE_STATUS,
  RETRY_DELAYS_MS,
} from '../../src/domain/webhooks/retries.ts';
import { PAYOUT_CONCERNS } from '../../src/domain/withdrawal/bank-reports.ts';
import { LISTENING_DAYS } from '../../src/domain/withdrawal/payout.ts';
import { SANE_REQUEST_ID } from '../../src/observability/tracing/cause.ts';
import { DECISION_DELAY_MS, RETURN_DELAY_MS } from '../../src/sandbox/providers/bank.ts';
import { SCHEDULES } from '../../src/temporal/schedules.ts';
import { CHECK_MS } from '../../src/temporal/watch-credentials.ts';
import { TASK_LIMIT_MS } from '../../src/worker/task-watch.ts';
import { LOCAL_ACTIVITY } from '../../src/workflows/run/lifecycle.ts';
import { LONGEST_WAIT_MS } from '../../src/workflows/run/waiting.ts';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/search-attributes.ts';

/** Numbers in the README and in decisions are those of the code and of the latest benchmark. */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
const WORDS: Readonly<Record<number, string>> = {
  1: 'one',
  3: 'three',
  5: 'five',
  7: 'seven',
  10: 'ten',
  20: 'twenty',
  100: 'hundred',
};
const hours = (ms: number) => ms / 3_600_000;
const minutes = (ms: number) => ms / 60_000;
const seconds = (ms: number) => ms / 1_000;
const settings = loadConfig({}, 'all');
/** The number of a constant that its file does not export. */
const constant = (file: string, name: string) => {
  const [, value = ''] = read(file).match(new RegExp(`const ${name} = ([\\d_]+);`)) ?? [];
  return Number(value.replaceAll('_', '') || Number.NaN);
};
const MAX_HISTORY = constant('src/workflows/run/waiting.ts', 'MAX_HISTORY_EVENTS');
const MIN_HISTORY = MAX_HISTORY - constant('src/workflows/run/waiting.ts', 'SPREAD_EVENTS') + 1;
const MAX_IDLE_HISTORY = constant('src/workflows/run/waiting.ts', 'MAX_IDLE_HISTORY_EVENTS');
const RETRIES = RETRY_DELAYS_MS.filter((delay) => delay < 12 * 3_600_000)
  .map((ms) => (ms < 60_000 ? `${ms / 1_000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`))
  .join(', ');
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts;
const longestRequestId = () =>
  Array.from({ length: 500 }, (_, length) => length).findLast((length) => SANE_REQUEST_ID.test('a'.repeat(length)));
const firstRefresh = () => refreshSeconds({ atWork: null } as CheckoutView, new Date()); // it reads nothing else

describe('decisions', () => {
  test.each<[string, string, () => string]>([
    ['0008', 'the first reload of a waiting page', () => `every ${firstRefresh()} s at first`],
    ['0009', 'the length of a request id', () => `at most ${longestRequestId()} letters`],
    ['0019', 'the limit of a workflow task', () => `holds the thread for ${seconds(TASK_LIMIT_MS)} s`],
    ['0020', 'the pixels of an image', () => `${MAX_IMAGE_PIXELS / 1_000_000} million pixels`],
    ['0024', 'the retries', () => `tried again after ${RETRIES.split(', ').slice(0, -1).join(', ')}`],
    ['0012', 'the lifetime of a message', () => `refused after ${MESSAGE_LIFETIME_HOURS} hours`],
    [
      '0021',
      'the longest pause of the sealer',
      () => `to ${WORDS[constant('src/db/events/event-sealer.ts', 'MAX_IDLE_MS') / 1_000]} second at most`,
    ],
    ['0021', 'the time of events', () => `kept for ${EVENT_RETENTION_DAYS} days`],
    [
      '0025',
      'the idle time of a session',
      () => `idle for ${settings.consoleIdleMinutes} minutes, is ${hours(MAX_SESSION_MS)} hours old`,
    ],
    ['0027', 'the wait for a replica', () => `for at most ${constant('src/db/core/reads.ts', 'CATCH_UP_MS')} ms`],
    [
      '0027',
      'how long a replica is avoided',
      () => `on the primary for ${seconds(constant('src/db/core/reads.ts', 'AVOID_MS'))} s`,
    ],
    ['0029', 'the history of an idle run', () => `${MAX_IDLE_HISTORY} events`],
    ['0029', 'the history of a busy run', () => `${MIN_HISTORY} to ${MAX_HISTORY} events`],
    ['0016', 'how long a run listens to the bank', () => `listens for ${LISTENING_DAYS} days`],
    ['0016', 'how long a run stays open', () => `stay open for ${LISTENING_DAYS} days`],
    [
      '0016',
      'the conversations that are tried',
      () => `${grouped(numbersIn(scripts['payout-histories'] ?? '')[0])} random`,
    ],
  ])('ADR %s states %s', (number, _what, words) => {
    const [file = ''] = readdirSync(at('docs/adr/')).filter((name) => name.startsWith(number));
    expect(read(`docs/adr/${file}`)).toContain(words());
  });
});

const everyMsOf = (name: string) => SCHEDULES.find((schedule) => schedule.name === name)?.everyMs ?? 0;

describe('operations, console and guides', () => {
  test.each<[string, string, string]>([
    ['operations', 'the age of a refused message', `sent more than ${MESSAGE_LIFETIME_HOURS} hours ago`],
    ['operations', 'the length of a timeline', `\`timeline\` returns the latest ${MAX_TIMELINE_ENTRIES} entries`],
    ['operations', 'the wait for a turn', `more commands at once than it can take in ${seconds(WAIT_LIMITS.turnMs)} s`],
    [
      'operations',
      'the pause of a local activity',
      `at most every ${parseInt(LOCAL_ACTIVITY.retry.maximumInterval, 10)} s`,
    ],
    ['operations', 'the pause of a denied step', `at most every ${minutes(LONGEST_WAIT_MS)} min`],
    ['operations', 'when a lost run of an endpoint starts', `started again within ${AWAKE_SECONDS} s`],
    ['operations', 'when the sweep counts a run as stuck', `overdue for ${WORDS[hours(STUCK_AFTER_MS)]} hours`],
    ['operations', 'the interval of full audits', `every ${hours(everyMsOf('audit'))} hours`],
    ['operations', 'the interval of incremental audits', `every ${minutes(everyMsOf('audit-new'))} minutes`],
    ['operations', 'the check of certificates', `within ${seconds(CHECK_MS)} s, without a restart`],
    ['operations', 'the limit of a workflow task', `holds its thread for ${seconds(TASK_LIMIT_MS)} s`],
    ['operations', 'the notice of a stop', `\`STOP_NOTICE_MS\` (${settings.stopNoticeMs} ms)`],
    ['operations', 'the connections of a process', `${settings.databasePoolMax} per process is fast`],
    ['operations', 'the interval of readings', `at most every ${seconds(READING_LIFETIME_MS)} s`],
    ['operations', 'the history of a busy run', `after ${MIN_HISTORY} to ${MAX_HISTORY} events`],
    ['operations', 'the longest histories', `at most ${MAX_HISTORY} events, and an idle run after ${MAX_IDLE_HISTORY}`],
    ['operations', 'the time of events', `| events of the feed | ${EVENT_RETENTION_DAYS} days |`],
    ['operations', 'the time of deliveries', `ended sessions | ${DELIVERY_RETENTION_DAYS} days |`],
    ['operations', 'the time of keys', `refused commands | ${KEY_LIFETIME_HOURS} hours |`],
    [
      'operations',
      'how long a replica is avoided',
      `run on the primary for ${seconds(constant('src/db/core/reads.ts', 'AVOID_MS'))} s |`,
    ],
    ['interface-notes', 'the lifetime of a key', `kept for ${KEY_LIFETIME_HOURS} hours from its first use`],
    ['interface-notes', 'the length of a request id', `1 to ${longestRequestId()} letters`],
    ['interface-notes', 'the lifetime of a proposal', `after ${WORDS[NEGOTIATION_LIFETIME_HOURS / 24]} days`],
    ['interface-notes', 'the lifetime of a prompt', `withdrawn after ${WORDS[PROMPT_LIFETIME_MINUTES]} minutes`],
    ['interface-notes', 'wrong passwords', `limited to ${WORDS[MAX_TRIES]} in 15 minutes`],
    ['interface-notes', 'the pixels of an image', `more than ${MAX_IMAGE_PIXELS / 1_000_000} megapixels`],
    [
      'interface-notes',
      'the fields of X-Ignored-Fields',
      `at most ${constant('src/api/contract/unknown-names.ts', 'MAX_UNKNOWN_NAMES')} fields`,
    ],
    [
      'interface-notes',
      'the periods of a cash flow',
      `at most ${grouped(constant('src/api/routes/ledger/stats.ts', 'MAX_PERIODS'))} periods`,
    ],
    [
      'interface-notes',
      'the postings of a latency',
      `the latest ${constant('src/db/ledger/stats.ts', 'LATENCY_SAMPLE')} postings`,
    ],
    [
      'console',
      'the rows of an export',
      `at most ${grouped(constant('src/console/list-page.ts', 'MAX_EXPORTED_ROWS'))} rows`,
    ],
    ['../SECURITY', 'the size of a document', `at most ${MAX_DOCUMENT_BYTES / 1_048_576} MiB`],
    ['../SECURITY', 'wrong passwords of one network', `${WORDS[MAX_TRIES]} attempts in 15 minutes`],
    ['../SECURITY', 'wrong passwords of all networks', `${MAX_TRIES_FROM_ANYWHERE} from all networks`],
    [
      '../SECURITY',
      'the networks that lock an administrator out',
      `A ${WORDS[MAX_TRIES_FROM_ANYWHERE]} wrong passwords from ${WORDS[MAX_TRIES_FROM_ANYWHERE / MAX_TRIES]} networks`,
    ],
    ['../SECURITY', 'the lifetime of a token', `${ACCESS_TOKEN_SECONDS / 60}-minute tokens`],
    ['../SECURITY', 'wrong codes', `with ${WORDS[DATABASE_LIMITS.triesPerPassword]} attempts counted in the database`],
    ['console', 'the idle time of a session', `after ${settings.consoleIdleMinutes} minutes without a page`],
    ['console', 'the length of a session', `${hours(MAX_SESSION_MS)} hours after the login`],
    ['guides/events', 'the time of events', `kept for ${EVENT_RETENTION_DAYS} days`],
    ['guides/events', 'the retries', `tried again after ${RETRIES}, and then each 12 h for three days`],
    [
      'guides/events',
      'when an endpoint is disabled',
      `${WORDS[hours(GIVE_UP_AFTER_MS) / 24]} days of nothing but failures`,
    ],
    ['guides/getting-paid', 'the wait for a phone', `within ${seconds(WAIT_LIMITS.chargeMs)} seconds`],
    [
      'guides/getting-paid',
      'the lifetime of a link',
      `\`expiresInHours\` is 1 to ${MAX_LINK_LIFETIME_HOURS} (default ${LINK_LIFETIME_HOURS})`,
    ],
    ['guides/events', 'the wait for an answer', `or none within ${seconds(WEBHOOK_TIMEOUT_MS)} s`],
    ['guides/going-live', 'the wait for an answer', `answers 2xx within ${seconds(WEBHOOK_TIMEOUT_MS)} s`],
    [
      'guides/getting-paid',
      'the lifetime of a prompt',
      `within ${WORDS[PROMPT_LIFETIME_MINUTES]} minutes is withdrawn`,
    ],
    ['guides/idempotency-and-errors', 'the lifetime of a key', `within ${KEY_LIFETIME_HOURS} hours`],
    ['guides/lifecycle-and-timers', 'the extension', `by at most ${MAX_EXTENSION_HOURS / 24} days`],
    [
      'guides/lifecycle-and-timers',
      'the lifetime of a link',
      `| creation | \`expiresInHours\`, else ${LINK_LIFETIME_HOURS} hours |`,
    ],
    ['guides/lifecycle-and-timers', 'the lifetime of a code', `\`expiresIn\` seconds, ${OTP_LIFETIME_SECONDS} |`],
    ['guides/lifecycle-and-timers', 'the lifetime of a key', `| first request | ${KEY_LIFETIME_HOURS} hours |`],
    ['guides/lifecycle-and-timers', 'the lifetime of a prompt', `request | ${PROMPT_LIFETIME_MINUTES} minutes |`],
    [
      'guides/lifecycle-and-timers',
      'how long a card payment is queried',
      `checkout | ${ATTEMPT_LIFETIME_HOURS / 24} days |`,
    ],
    [
      'guides/lifecycle-and-timers',
      'the lifetime of a proposal',
      `| creation | ${NEGOTIATION_LIFETIME_HOURS / 24} days;`,
    ],
    [
      'guides/lifecycle-and-timers',
      'the retries',
      `(events.md#receive-events) for ${WORDS[hours(GIVE_UP_AFTER_MS) / 24]} days`,
    ],
    ['guides/lifecycle-and-timers', 'the time of events', `| the change | ${EVENT_RETENTION_DAYS} days |`],
    [
      'guides/sandbox',
      "the sandbox bank's time",
      `| any other reference | COMPLETED after ${seconds(DECISION_DELAY_MS)} s |`,
    ],
    ['guides/sandbox', 'the time of a return', `returned by the bank after ${seconds(RETURN_DELAY_MS)} s`],
    ['guides/sandbox', 'the lifetime of a prompt', `withdrawn after ${WORDS[PROMPT_LIFETIME_MINUTES]} minutes`],
    ['guides/disputes', 'the lifetime of a proposal', `within ${WORDS[NEGOTIATION_LIFETIME_HOURS / 24]} days`],
  ])('docs/%s.md states %s', (page, _what, words) => {
    expect(read(`docs/${page}.md`)).toContain(words);
  });

  test.each(['src/api/schemas/webhooks.ts', 'src/console/pages/webhooks/endpoint.ts'])(
    '%s states when an endpoint is disabled',
    (file) => {
      expect(read(file)).toMatch(
        new RegExp(
          `receiver answered ${GONE_STATUS}\\b.*it failed for ${WORDS[hours(GIVE_UP_AFTER_MS) / 24]} days`,
          's',
        ),
      );
    },
  );

  test('the row of `message_expired` states the age of a refused message', () => {
    const { title, cure } = REFUSALS.message_expired;
    expect([title, cure]).toEqual([
      expect.stringContaining('more than a day ago'),
      expect.stringContaining('older than a day'),
    ]);
    expect(MESSAGE_LIFETIME_HOURS).toBe(24);
  });

  test('the sweep counts a deadline as overdue after the minute in docs/operations.md', () => {
    expect(minutes(OVERDUE_AFTER_MS)).toBe(1);
  });
});

describe('CONTRIBUTING.md', () => {
  const rows = read('CONTRIBUTING.md').split('\n');

  test.each(['races', 'long-life', 'lives', 'notifications', 'bank-test'])(
    'states the size of `npm run %s`',
    (script) => {
      const sizes = [...(scripts[script] ?? '').matchAll(/[A-Z]=(\d+)/g)].map(([, size]) => Number(size));
      expect(sizes).not.toEqual([]);
      const row = rows.find((text) => text.includes(`\`npm run ${script}\``));
      for (const size of sizes.filter((number) => number !== 60)) expect(row).toContain(` ${grouped(size)} `);
    },
  );
});

describe('the README', () => {
  const [, measured = ''] = /\n## Measured\n([\s\S]*?)\n## /.exec(read('README.md')) ?? [];
  const results = readdirSync(at('bench/results/')).filter((file) => file.endsWith('.json'));
  const values = results.flatMap((file) => valuesOf(JSON.parse(read(`bench/results/${file}`))));

  test.each(numberTexts(measured))('states %s, which the benchmark measured', (text) => {
    const [, decimals = ''] = text.split('.');
    expect(values.map((value) => value.toFixed(decimals.length))).toContain(text.replaceAll(',', ''));
  });

  test('names the Node version of package.json', () => {
    const [, version = ''] = />=(\d+\.\d+)/.exec(JSON.parse(read('package.json')).engines.node) ?? [];
    expect(read('README.md')).toContain(`Node ≥ ${version} `);
  });

  test('states several figures', () => {
    expect(numberTexts(measured).length).toBeGreaterThan(10);
  });
});

/** Numbers that stand alone: not the 99 of p99. */
function numberTexts(text: string): string[] {
  return [...text.matchAll(/(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])/g)].map(([number]) => number.replace(/,$/, ''));
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d+/g)].map(Number);
}

/** All numbers in a result, including those in its texts, such as `64 callers`. */
function valuesOf(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'string') return numbersIn(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

function grouped(value: number | undefined): string {
  return value?.toLocaleString('en') ?? '';
}

describe('docs/operations.md', () => {
  const page = read('docs/operations.md');

  test('states how many search attributes of each type there are', () => {
    const types: string[] = Object.values(SEARCH_ATTRIBUTES);
    const count = (type: string) => types.filter((of) => of === type).length;
    expect(page).toContain(
      `${WORDS[count('Keyword')]} of type Keyword, and ${WORDS[count('Int')]} each of Int, Datetime and KeywordList`,
    );
    expect([count('Datetime'), count('KeywordList')]).toEqual([count('Int'), count('Int')]);
  });

  test.each(PAYOUT_CONCERNS)('says what payout_%s means', (concern) => {
    expect(page).toContain(`\`payout_${concern}\` (`);
  });
});

test('docs/scaling.md says for every table how it would be distributed', () => {
  const folder = 'src/db/migrations/';
  const statements = readdirSync(at(folder))
    .map((file) => read(folder + file))
    .join('');
  const tables = [...statements.matchAll(/create (?:unlogged )?table ([a-z_]+) \(/g)].map(([, name = '']) => name);
  expect(tables.length).toBeGreaterThan(50);
  const page = read('docs/scaling.md');
  expect(tables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
