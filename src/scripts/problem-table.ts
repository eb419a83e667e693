import { PROBLEM_CURES } from '../api/openapi/problem-cures.ts';
import { STATUS_OF } from '../api/problem.ts';
import { REFUSAL_TITLES, type RefusalCode } from '../domain/errors.ts';

/** The catalogue of problem codes for docs/guides/idempotency-and-errors.md. */

const BLOCK = /(<!-- problem-codes -->\n)[\s\S]*?(<!-- \/problem-codes -->)/;

/** `page` with the current catalogue. Throws if the block for it is missing. */
export function withProblemTable(page: string): string {
  if (!BLOCK.test(page)) throw new Error('the page has no block <!-- problem-codes --> … <!-- /problem-codes -->');
  return page.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${problemTable()}\n${end}`);
}

function problemTable(): string {
  const codes = Object.keys(REFUSAL_TITLES) as RefusalCode[]; // Object.keys loses the key types
  const rows = codes
    .sort((one, other) => STATUS_OF[one] - STATUS_OF[other] || one.localeCompare(other))
    .map((code) => `| ${STATUS_OF[code]} | \`${code}\` | ${REFUSAL_TITLES[code]} | ${PROBLEM_CURES[code]} |\n`);
  return `| status | code | meaning | what to do |\n|---|---|---|---|\n${rows.join('')}| 500 | \`internal_error\` | Something went wrong on our side | Repeat with the same key; tell us the \`requestId\` if it stays. |\n`;
}
