import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DATABASE_LIMITS, WAIT_LIMITS } from '../../src/api/limits.ts';
import { ESCROW_COMMANDS } from '../../src/domain/escrow/commands.ts';
import { ESCROW_STATUSES } from '../../src/domain/escrow/escrow.ts';
import { HTTP_LIMITS } from '../../src/providers/http.ts';
import { withConnections } from '../../src/scripts/connections-table.ts';
import { withFigures } from '../../src/scripts/figures-table.ts';
import { limitsPage } from '../../src/scripts/limits-page.ts';
import { withDiagram, withProblemTable, withSignals } from '../../src/scripts/refresh-docs.ts';
import { withSizing } from '../../src/scripts/sizing-table.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const architecture = read('docs/architecture.md');
const [, block = ''] = /<!-- escrow-states -->([\s\S]*)<!-- \/escrow-states -->/.exec(architecture) ?? [];

describe('the state diagram of docs/architecture.md', () => {
  test('equals the generated diagram (else: npm run docs)', () => {
    expect(withDiagram(architecture)).toBe(architecture);
  });

  test.each(ESCROW_STATUSES)('shows %s', (status) => {
    expect(block).toMatch(new RegExp(`\\b${status}\\b`));
  });

  test.each(Object.keys(ESCROW_COMMANDS))('names the command %s', (command) => {
    expect(block).toMatch(new RegExp(`(: |, |\`)${command}\\b`));
  });

  test('refuses a page without the block', () => {
    expect(() => withDiagram('# Another')).toThrow('escrow-states');
  });
});

describe('docs/limits.md', () => {
  test('equals the generated page (else: npm run docs)', () => {
    expect(read('docs/limits.md')).toBe(limitsPage());
  });

  test('has the numbers that the migrations have', () => {
    const passwords = read('src/db/migrations/215-one-time-passwords.sql');
    const links = read('src/db/migrations/210-payment-links.sql');
    const limits = DATABASE_LIMITS;
    expect(limits.passwordsPerMinute).toBe(1); // only the newest row is read
    expect(passwords).toContain(`order by created_at desc offset ${limits.passwordsPerHour - 1} limit 1`);
    const nth = (hash: string, most: number) =>
      `where ${hash}_hash = p_${hash}_hash order by created_at desc offset ${most - 1} limit 1`;
    expect(passwords).toContain(nth('asked', limits.passwordsWithoutLinkPerDay));
    expect(passwords).toContain(nth('number', limits.passwordsOfNumberPerTenMinutes));
    expect(passwords).toContain(nth('number', limits.passwordsOfNumberPerDay));
    expect(passwords).toContain(`max_tries constant integer := ${limits.triesPerPassword};`);
    expect(passwords).not.toMatch(/wrong_tries [<>]=? \d/);
    const messages = read('src/db/migrations/209-order-messages.sql');
    expect(messages).toContain(`offset ${limits.orderMessagesPerHour - 1} limit 1) > now() - interval '1 hour'`);
    expect(messages).toContain(`offset ${limits.orderMessagesPerDay - 1} limit 1) > now() - interval '1 day'`);
    // One of the questions is reserved for notifications.
    expect(links).toContain(`select count(*) < ${limits.gatewayQuestionsPerMinute - 1} from payment_attempt`);
  });
});

test('the catalogue of problem codes in the guide equals the generated one (else: npm run docs)', () => {
  const guide = read('docs/guides/idempotency-and-errors.md');
  expect(withProblemTable(guide)).toBe(guide);
  expect(() => withProblemTable('# Another')).toThrow('problem-codes');
});

test('the signals of docs/operations/temporal.md are those of the workflow (else: npm run docs)', () => {
  const page = read('docs/operations/temporal.md');
  expect(withSignals(page)).toBe(page);
  expect(() => withSignals('# Another')).toThrow('signals');
});

test('the figures of docs/performance.md equal the results of the benchmarks (else: npm run docs)', () => {
  const page = read('docs/performance.md');
  expect(withFigures(page)).toBe(page);
  expect(() => withFigures('# Another')).toThrow('figures');
});

test('the connections of docs/scaling.md are those of the configured pools (else: npm run docs)', () => {
  const page = read('docs/scaling.md');
  expect(withConnections(page)).toBe(page);
  expect(() => withConnections('# Another')).toThrow('connections');
});

test('the sizes of docs/scaling.md follow from the results of the benchmarks (else: npm run docs)', () => {
  const page = read('docs/scaling.md');
  expect(withSizing(page)).toBe(page);
  expect(() => withSizing('# Another')).toThrow('sizing');
});

test('a provider has less time than the command that calls it', () => {
  expect(HTTP_LIMITS.deadlineMs).toBeLessThan(WAIT_LIMITS.commandMs);
});
