import { statusOf } from '../api/problem.ts';
import { REFUSAL_CODES, REFUSALS } from '../domain/errors.ts';

/** The catalogue of problem codes for docs/guides/idempotency-and-errors.md. */

const BLOCK = /(<!-- problem-codes -->\n)[\s\S]*?(<!-- \/problem-codes -->)/;

/** `page` with the current catalogue. Throws if the block for it is missing. */
export function withProblemTable(page: string): string {
  if (!BLOCK.test(page)) throw new Error('the page has no block <!-- problem-codes --> … <!-- /problem-codes -->');
  return page.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${problemTable()}\n${end}`);
}

function problemTable(): string {
  const rows = REFUSAL_CODES.toSorted((one, other) => statusOf(one) - statusOf(other) || one.localeCompare(other)).map(
    (code) => `| ${statusOf(code)} | \`${code}\` | ${REFUSALS[code].cure} |\n`,
  );
  return `| status | code | what to do |\n|---|---|---|\n${rows.join('')}| 500 | \`internal_error\` | Repeat with the same key; tell us the \`requestId\` if it stays. |\n`;
}
