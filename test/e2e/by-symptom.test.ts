import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { FINDINGS } from '../../src/activities/findings.ts';

/**
 * docs/operations/symptoms.md: for each row a test produces the symptom and follows the page. The rows
 * without a test elsewhere are tested in by-symptom.slow.test.ts.
 */

const page = ['symptoms', 'temporal'].map((name) => readFileSync(`docs/operations/${name}.md`, 'utf8')).join('\n');

/** The first column of the table under a heading. */
function rowsOf(heading: string): string[] {
  const [, table = ''] = page.match(new RegExp(`(?:^|\\n)##? ${heading}\\n[\\s\\S]*?\\n(\\|[\\s\\S]*?)\\n\\n`)) ?? [];
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.split(' | ')[0]?.replace(/^\| +/, '').trim() ?? '');
}

/** Row → the tests that show it, as `file: name`. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'API answers 503 `dependency_unavailable` with Retry-After': [
    'test/e2e/recovery.slow.test.ts: commands get 503 with Retry-After when their wait is over',
    'test/e2e/recovery.slow.test.ts: a waiting command is carried out by the next worker, and the same key returns its result',
  ],
  'API answers 429 on one escrow': [
    'test/e2e/by-symptom.slow.test.ts: more commands at once than one escrow takes: 429, without effect',
  ],
  'A worker was killed': [
    'test/e2e/worker-crash.slow.test.ts: in the middle of a step, with nothing written: the step is done once, by the next worker',
    'test/e2e/worker-crash.slow.test.ts: in the middle of a step, written but not reported: the step is not repeated',
  ],
  'A workflow shows a failing workflow task': [
    'test/e2e/by-symptom.slow.test.ts: code that does not fit the histories: the previous version continues the runs',
    'test/e2e/by-symptom.slow.test.ts: a run that is stuck alone: terminate it, and rebuild',
  ],
  'Commands on one escrow answer 503, and others work': [
    'test/activities/sweep.slow.test.ts: replaces a run on a task queue that our workers do not serve',
    'test/e2e/by-symptom.slow.test.ts: a run that is stuck alone: terminate it, and rebuild',
  ],
  'A local activity is retried again and again': [
    'test/e2e/by-symptom.slow.test.ts: a step waits for the database, and is done once when the database is back',
  ],
  '`database_denies` in `EscrowAttention`': [
    'test/e2e/database-refusals.test.ts: shows on the run and in a metric while the step is retried, and ends when it is granted',
  ],
  '`RELEASE_BLOCKED` in the timeline': [
    'test/e2e/by-symptom.slow.test.ts: an automatic release that is not possible is shown, and retried after a day',
  ],
  'A workflow was terminated, or reset, by mistake': [
    'test/e2e/recovery.slow.test.ts: terminated by ops: the next command brings a run back and is done',
    'test/e2e/recovery.slow.test.ts: reset by ops to its beginning: old commands are not repeated, and the next command works',
    'test/workflows/rebuild.slow.test.ts: get one from the schedule, which every worker makes sure of',
    'test/workflows/rebuild.slow.test.ts: get one from the command line; those that have one keep it, and final ones get none',
  ],
  'Temporal lost its data': [
    "test/e2e/embedded-restart.slow.test.ts: without Temporal's data: every open escrow gets a run again and can be finished",
  ],
  'A company gets no webhooks': [
    'test/e2e/webhooks.slow.test.ts: that answers 410 is disabled with an event, and goes on where it stopped once it is enabled',
    'test/e2e/webhooks.slow.test.ts: that has failed for three days is disabled, and then replayed from a moment: everything arrives',
  ],
  'Webhooks come late for all companies': [
    'test/e2e/webhooks.slow.test.ts: gets the events of the time without a worker',
  ],
  'An endpoint is refused with "internal address"': [
    'test/providers/webhooks.test.ts: of the loopback is allowed in development, and no other internal address',
  ],
  'New events do not appear in the feed': [
    'test/e2e/webhooks.slow.test.ts: gets the events of the time without a worker',
    'test/db/events/event-feed.test.ts: gives a change its position after the commit, so one that commits late comes after those that were read',
  ],
  'A company misses an event, and `escrow_events_set_aside` is above 0': [
    'test/db/events/event-feed.test.ts: goes on without a change that cannot be described, which is set aside until it is tried again',
  ],
  'Audits leave entities out (`unauditedEntities`)': [
    'test/db/ledger/audit/tampering.test.ts: no entity with an event that a later version wrote, if that version migrated the database',
  ],
  "PostgreSQL's disk is full": [
    'test/db/core/database-errors.test.ts: a full disk is one, and so is a server that a failover left read-only',
    'test/e2e/hung-database.slow.test.ts: the same processes serve again, and a command that was repeated was carried out once',
  ],
  'PostgreSQL failed over to a standby': [
    'test/db/core/database-errors.test.ts: a full disk is one, and so is a server that a failover left read-only',
    'test/e2e/by-symptom.slow.test.ts: a step waits for the database, and is done once when the database is back',
  ],
  'A process does not start: it misses a key, or has another of the same id': [
    'test/db/operations/rotate-keys.test.ts: is refused if rows were written with another key of the same id',
    'test/db/operations/rotate-keys.test.ts: is refused if rows need a key that it lacks, until they are rotated',
  ],
  'A process does not start: the schema differs, or a migration is missing': [
    'test/db/migrations/migrate.test.ts: is refused by migrate and at every start, and the message says what to do',
    'test/db/migrations/migrate.test.ts: is refused if it has no checksums at all',
  ],
  'The database is down': [
    'test/e2e/hung-database.slow.test.ts: reads, deposits and commands are answered 503 within 10 s, also when they wait for a connection',
    'test/e2e/hung-database.slow.test.ts: the same processes serve again, and a command that was repeated was carried out once',
  ],
  "Temporal's health check passes, and every command answers 503": [
    'test/temporal/connection.test.ts: a server that answers, but cannot read the namespace, does not count as up',
    'test/sandbox/stack/stack.slow.test.ts: restarts a Temporal that runs but does not answer, on its port and with its data',
  ],
};

describe('docs/operations', () => {
  test('each symptom is shown by a test', () => {
    expect(rowsOf('By symptom')).toEqual(Object.keys(SHOWN_BY));
  });

  test.each(Object.values(SHOWN_BY).flat())('there is the test %s', (shown) => {
    const [, file = '', name = ''] = /^(\S+): (.+)$/.exec(shown) ?? [];
    const named = readFileSync(file, 'utf8').replaceAll(/test\(\s+/g, 'test(');
    expect([`test('${name}'`, `test("${name}"`].some((text) => named.includes(text))).toBe(true);
  });

  test('each finding of the sweep is in its table, and test/activities/sweep.slow.test.ts produces it', () => {
    expect(rowsOf('Rebuilding workflows').map((row) => row.replaceAll('`', ''))).toEqual([...FINDINGS]);
    const tests = readFileSync('test/activities/sweep.slow.test.ts', 'utf8');
    for (const finding of FINDINGS)
      expect(tests).toMatch(new RegExp(`expectHealed\\(.*'${finding}'|finding: '${finding}'`));
  });
});
