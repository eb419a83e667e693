import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_TIMELINE_ENTRIES } from '../../src/activities/contract.ts';
import { OVERDUE_AFTER_MS, STUCK_AFTER_MS } from '../../src/activities/sweep.ts';
import { TIMEOUT_MS as WEBHOOK_TIMEOUT_MS } from '../../src/activities/webhook-sending.ts';
import { OTP_LIFETIME_SECONDS } from '../../src/api/auth/one-time-passwords.ts';
import { refreshSeconds } from '../../src/api/checkout/answers.ts';
import type { CheckoutView } from '../../src/api/checkout/view.ts';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { loadConfig } from '../../src/config/config.ts';
import { MAX_SESSION_MS } from '../../src/console/session/session.ts';
import { READING_LIFETIME_MS } from '../../src/db/operations/operations-metrics.ts';
import { KEY_LIFETIME_HOURS } from '../../src/db/requests/idempotency.ts';
import { AWAKE_SECONDS } from '../../src/db/webhooks/queue.ts';
import { MAX_EXTENSION_HOURS } from '../../src/domain/escrow/escrow.ts';
import { EVENT_RETENTION_DAYS } from '../../src/domain/events/event-types.ts';
import { MESSAGE_LIFETIME_HOURS } from '../../src/domain/messages/sent-message.ts';
import {
  LINK_LIFETIME_HOURS,
  MAX_LINK_LIFETIME_HOURS,
  PROMPT_LIFETIME_MINUTES,
} from '../../src/domain/payment-link/link.ts';
import { GIVE_UP_AFTER_MS, GONE_STATUS, RETRY_DELAYS_MS } from '../../src/domain/webhooks/retries.ts';
import { LISTENING_DAYS } from '../../src/domain/withdrawal/payout.ts';
import { SANE_REQUEST_ID } from '../../src/observability/tracing/cause.ts';
import { SCHEDULES } from '../../src/temporal/schedules.ts';
import { CHECK_MS } from '../../src/temporal/watch-credentials.ts';
import { TASK_LIMIT_MS } from '../../src/worker/task-watch.ts';
import { LONGEST_WAIT_MS } from '../../src/workflows/denied-steps.ts';
import { LOCAL_ACTIVITY } from '../../src/workflows/options.ts';

/** Numbers in the README and in decisions are those of the code and of the latest benchmark. */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
const WORDS: Readonly<Record<number, string>> = { 3: 'three', 10: 'ten' };
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
    ['0012', 'the lifetime of a message', () => `refused after ${MESSAGE_LIFETIME_HOURS} hours`],
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

const hours = (ms: number) => ms / 3_600_000;
const minutes = (ms: number) => ms / 60_000;
const seconds = (ms: number) => ms / 1_000;
const everyMsOf = (name: string) => SCHEDULES.find((schedule) => schedule.name === name)?.everyMs ?? 0;
const settings = loadConfig({}, 'all');

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

  test.each([
    ['src/domain/errors.ts', 'more than a day ago'],
    ['src/api/openapi/problem-cures.ts', 'older than a day'],
  ])('%s states the age of a refused message', (file, words) => {
    expect(read(file)).toMatch(new RegExp(`message_expired: .*${words}`));
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
