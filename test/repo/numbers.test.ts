import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { refreshSeconds } from '../../src/api/checkout/answers.ts';
import type { CheckoutView } from '../../src/api/checkout/view.ts';
import { MESSAGE_LIFETIME_HOURS } from '../../src/domain/sent-message.ts';
import { LISTENING_DAYS } from '../../src/domain/withdrawal/payout.ts';
import { SANE_REQUEST_ID } from '../../src/observability/tracing/cause.ts';

/** Numbers in the README and in decisions are those of the code and of the latest benchmark. */

const at = (path: string) => new URL(`../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
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
