import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

/** Figures in the README and in docs/performance.md are those in bench/results, and misses are bold. */

type Rate = {
  readonly what: string;
  readonly perSecond: { readonly median: number };
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ratio: number;
  readonly target: number;
  readonly ratioP99: number;
  readonly targetP99: number | null;
};
type Results = {
  readonly machine: string;
  readonly rows: readonly Rate[];
  readonly quantities: readonly { readonly what: string; readonly value: number }[];
};

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/performance.md');
const readme = read('README.md');
const resultsOf = (part: string): Results => JSON.parse(read(`bench/results/${part}.json`));

/** @throws if the results have no such row. */
function one<Row extends { readonly what: string }>(rows: readonly Row[], what: string): Row {
  const found = rows.find((row) => row.what === what);
  if (found === undefined) throw new Error(`the results have no row "${what}"`);
  return found;
}
const row = (part: string, what: string) => one(resultsOf(part).rows, what);
const quantity = (part: string, what: string) => one(resultsOf(part).quantities, what).value;

const whole = (value: number) => Math.round(value).toLocaleString('en');
const perSecond = (part: string, what: string) => whole(row(part, what).perSecond.median);
const goal = (isMet: boolean, text: string) => (isMet ? text : `**${text}**`);
const ratio = (part: string, what: string) => {
  const { ratio: found, target } = row(part, what);
  return goal(found >= target, found.toFixed(2));
};
/** `39 / 82 / 94 / 98`. */
const list = (values: readonly string[]) => values.join(' / ');

const commands = [1, 8, 32, 64].map((callers) => ({
  escrow: row('commands', `escrow command, ${callers} callers`),
  noOp: row('commands', `no-op update, ${callers} callers`),
}));
const first = (after: string) => {
  const [evicted, next] = [`first command, evicted, ${after}, p50`, `second command, ${after}, p50`];
  const times = quantity('open', `first against second, ${after}`);
  return [
    `${whole(quantity('open', evicted))} ms`,
    `the next command, ${whole(quantity('open', next))} ms`,
    goal(times <= 1.5, times.toFixed(2)),
    '≤ 1.5',
  ];
};
const hundred = row('growth', 'command on any of 100 open escrows').perSecond.median;
const [change, late] = ['p50', 'p99'].map((p) => quantity('events', `from change to receipt at 20 a second, ${p}`));
const deliveries = quantity('events', 'deliveries per second, 10000 events to 3 endpoints (wanted: at least 300)');

describe('docs/performance.md', () => {
  test.each<[string, ...string[]]>([
    [
      'ledger postings from Node, 64 callers, spread',
      `${perSecond('ledger', 'postings, spread')}/s`,
      `pgbench TPC-B, ${perSecond('ledger', 'pgbench TPC-B, 8 connections')}/s`,
      ratio('ledger', 'postings, spread'),
      '≥ 2',
    ],
    [
      'the same, one hot account',
      `${perSecond('ledger', 'postings, one hot account')}/s`,
      'spread',
      ratio('ledger', 'postings, one hot account'),
      '≥ 0.9',
    ],
    [
      'deposits over HTTP with idempotency key, 64 connections, spread',
      `${perSecond('ledger', 'deposits over HTTP, spread')}/s`,
      'pgbench TPC-B',
      ratio('ledger', 'deposits over HTTP, spread'),
      '≥ 1',
    ],
    [
      'the same, into one account',
      `${perSecond('ledger', 'deposits over HTTP, into one account')}/s`,
      'spread',
      ratio('ledger', 'deposits over HTTP, into one account'),
      '≥ 0.9',
    ],
    [
      'escrow commands, 1 / 8 / 32 / 64 callers',
      `${list(commands.map(({ escrow }) => whole(escrow.perSecond.median)))} per s`,
      `no-op updates, ${list(commands.map(({ noOp }) => whole(noOp.perSecond.median)))} per s`,
      `**${list(commands.map(({ escrow }) => escrow.ratio.toFixed(2)))}**`,
      '≥ 0.8',
    ],
    [
      'their p99',
      `${list(commands.map(({ escrow }) => whole(escrow.p99Ms)))} ms`,
      `no-op updates, ${list(commands.map(({ noOp }) => whole(noOp.p99Ms)))} ms`,
      list(commands.map(({ escrow }) => goal(escrow.ratioP99 <= (escrow.targetP99 ?? 0), escrow.ratioP99.toFixed(2)))),
      '≤ 2',
    ],
    ['the first command on an evicted escrow, after 1 to 7 commands', ...first('after 1 to 7 commands')],
    [
      'the same, after 10 to 22 commands and a minute of rest',
      ...first('after 10 to 22 commands and a minute of rest'),
    ],
    [
      'deposits with their events, 32 callers',
      `${perSecond('events', 'deposits, with its event')}/s`,
      `without, ${perSecond('events', 'deposits, without its event')}/s`,
      ratio('events', 'deposits, with its event'),
      '≥ 0.9',
    ],
    [
      'commands with their events, 32 callers',
      `${perSecond('events', 'commands, with its event')}/s`,
      `without, ${perSecond('events', 'commands, without its event')}/s`,
      ratio('events', 'commands, with its event'),
      '≥ 0.95',
    ],
    [
      'deliveries, 10,000 events to three endpoints',
      `${whole(deliveries)}/s`,
      '300/s',
      (deliveries / 300).toFixed(1),
      '≥ 1',
    ],
    [
      'from change to receipt at 20 events a second, p50 / p99',
      `${whole(change ?? 0)} / ${whole(late ?? 0)} ms`,
      '1,000 ms',
      ((late ?? 0) / 1_000).toFixed(2),
      '≤ 1',
    ],
    [
      'postings at 10,000,000 entries, sealer running',
      `${perSecond('ledger-growth', 'postings at 10000000 entries')}/s`,
      `at 100,000 entries, ${perSecond('ledger-growth', 'postings at 100000 entries')}/s`,
      ratio('ledger-growth', 'postings at 10000000 entries'),
      '≥ 0.77',
    ],
    [
      'pages of a statement at 10,000,000 entries',
      statementPages('10000000'),
      `at 100,000 entries, ${statementPages('100000')}`,
      ratio('ledger-growth', 'statement pages at 10000000 entries'),
      '≥ 0.77',
    ],
    [
      'commands on any of 1,000 open escrows, 32 callers',
      `${perSecond('growth', 'command on any of 1000 open escrows')}/s`,
      `of 100 open escrows, ${whole(hundred)}/s`,
      ratio('growth', 'command on any of 1000 open escrows'),
      '≥ 0.77',
    ],
    [
      'commands on any of 10,000 open escrows',
      `${perSecond('growth', 'command on any of 10000 open escrows')}/s`,
      'of 100 open escrows',
      ratio('growth', 'command on any of 10000 open escrows'),
      '≥ 0.77',
    ],
  ])('states %s', (...cells) => {
    expect(page).toContain(`\n| ${cells.join(' | ')} |\n`);
  });

  test.each([
    ['whole escrows', `reach ${whole(quantity('lives', 'escrows per minute, five steps'))} a minute`],
    ['the events of a command', `adds ${quantity('lives', 'history events per command').toFixed(2)} events`],
    ['the history of a command', `${(quantity('lives', 'history bytes per command') / 1_000).toFixed(1)} kB to its`],
    ['the memory of an escrow', `${perEscrow()} MB of a worker's memory`],
    ['paid escrows of the run for memory', `${whole(quantity('memory', 'escrows that were paid out'))} escrows`],
    ['the memory of the API', `${memory('API', 'second')} and ${memory('API', 'last')} MB for the API`],
    ['the memory of the worker', `${memory('worker', 'second')} and ${memory('worker', 'last')} MB for the worker`],
    ['the audit of a million transactions', `| ${whole(quantity('verify-1000000', 'transactions'))}, ${audited()} |`],
  ])('states %s', (_what, words) => {
    expect(page.replace(/\s+/g, ' ')).toContain(words);
  });
});

describe('the README', () => {
  const rateOf = (callers: number) =>
    one(
      commands.map(({ escrow }) => escrow),
      `escrow command, ${callers} callers`,
    );
  const ratios = commands.map(({ escrow }) => escrow.ratio);

  test.each([
    `${perSecond('ledger', 'postings, spread')} ledger postings a second`,
    `${row('ledger', 'postings, spread').ratio.toFixed(2)} times the transactions of pgbench's TPC-B`,
    `${perSecond('ledger', 'postings, one hot account')} into one hot account`,
    `${perSecond('ledger', 'deposits over HTTP, spread')} deposits a second`,
    `${perSecond('ledger', 'deposits over HTTP, into one account')} into one account`,
    `${whole(rateOf(1).perSecond.median)} escrow commands a second for one caller (p99 ${whole(rateOf(1).p99Ms)} ms)`,
    `${whole(rateOf(64).perSecond.median)} for 64 callers`,
    `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} of the rate of no-op`,
    `${whole(deliveries)} webhook deliveries a second`,
    `${whole(change ?? 0)} ms from a change to its receipt (p99 ${whole(late ?? 0)} ms)`,
    `${whole(quantity('lives', 'escrows per minute, five steps'))} whole escrows a minute`,
    `read at ${row('ledger-growth', 'statement pages at 10000000 entries').ratio.toFixed(2)} of the rate`,
    `takes ${perEscrow()} MB of a worker's memory`,
  ])('states %s', (words) => {
    expect(readme).toContain(words);
  });

  test('names the figures of one machine, and those of the other', () => {
    const machineOf = (part: string) => resultsOf(part).machine;
    expect(machineOf('commands')).toBe(machineOf('ledger'));
    expect(machineOf('events')).toBe(machineOf('ledger'));
    expect(machineOf('growth')).not.toBe(machineOf('ledger'));
    expect([machineOf('lives'), machineOf('ledger-growth')]).toEqual([machineOf('growth'), machineOf('growth')]);
    expect(readme).toContain(
      'deposits, commands and deliveries were measured on one machine, the others on a second one',
    );
  });
});

function statementPages(entries: string): string {
  const { perSecond: rate, p50Ms } = row('ledger-growth', `statement pages at ${entries} entries`);
  return `${whole(rate.median)}/s (p50 ${p50Ms.toFixed(1)} ms)`;
}

function perEscrow(): string {
  return quantity('lives', 'memory of the process per cached escrow').toFixed(2);
}

function memory(role: string, third: 'second' | 'last'): string {
  return whole(quantity('memory', `memory of the ${role}, ${third} third`));
}

/** The cells of the audit of a million transactions, after their number. */
function audited(): string {
  const value = (what: string) => quantity('verify-1000000', what);
  const incremental = 'incremental audit after 1002 transactions';
  return [
    whole(value('entries')),
    `${value('sequential scan of transactions and entries').toFixed(2)} s`,
    `${whole(value('the same scan with the hash of each row, in scans'))} scans`,
    `${whole(value('full audit'))} s, ${whole(value('full audit, in scans'))} scans`,
    `${value(incremental).toFixed(2)} s, ${value(`${incremental}, in scans`).toFixed(1)} scans`,
  ].join(' | ');
}
