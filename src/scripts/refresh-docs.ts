import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { statusOf } from '../api/problem.ts';
import { REFUSAL_CODES, REFUSALS } from '../domain/errors.ts';
import { ESCROW_MESSAGE_TEXTS } from '../workflows/details/message-texts.ts';
import { withConnections } from './connections-table.ts';
import { escrowDiagram } from './escrow-diagram.ts';
import { withFigures } from './figures-table.ts';
import { limitsPage } from './limits-page.ts';
import { withSizing } from './sizing-table.ts';

/** `npm run docs`: writes the generated parts of the documents. A test fails if a document is outdated. */

const ARCHITECTURE = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url));
const PERFORMANCE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const SCALING = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url));
const TEMPORAL = fileURLToPath(new URL('../../docs/operations/temporal.md', import.meta.url));
const LIMITS = fileURLToPath(new URL('../../docs/limits.md', import.meta.url));
const ERRORS_GUIDE = fileURLToPath(new URL('../../docs/guides/idempotency-and-errors.md', import.meta.url));
const STATES = /(<!-- escrow-states -->\n)[\s\S]*?(<!-- \/escrow-states -->)/;

/** `page` with the diagram of the transition table. Throws if the block for it is missing. */
export function withDiagram(page: string): string {
  if (!STATES.test(page)) throw new Error('the page has no block <!-- escrow-states --> … <!-- /escrow-states -->');
  return page.replace(STATES, (_block, begin: string, end: string) => `${begin}\n${escrowDiagram()}\n\n${end}`);
}

const SIGNALS = /(<!-- signals -->\n)[\s\S]*?(<!-- \/signals -->)/;

/** `page` with the table of the signals to escrows. Throws if the block for it is missing. */
export function withSignals(page: string): string {
  if (!SIGNALS.test(page)) throw new Error('the page has no block <!-- signals --> … <!-- /signals -->');
  const rows = Object.entries(ESCROW_MESSAGE_TEXTS).map(
    ([name, { sample, does }]) => `| \`${name}\` | \`${sample}\` | ${does} |`,
  );
  const table = ['| `--name` | `--input` | does |', '|---|---|---|', ...rows].join('\n');
  return page.replace(SIGNALS, (_block, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

const PROBLEM_CODES = /(<!-- problem-codes -->\n)[\s\S]*?(<!-- \/problem-codes -->)/;

/** `page` with the table of problem codes. Throws if the block for it is missing. */
export function withProblemTable(page: string): string {
  if (!PROBLEM_CODES.test(page))
    throw new Error('the page has no block <!-- problem-codes --> … <!-- /problem-codes -->');
  return page.replace(PROBLEM_CODES, (_block, begin: string, end: string) => `${begin}\n${problemTable()}\n${end}`);
}

function problemTable(): string {
  const rows = REFUSAL_CODES.toSorted((one, other) => statusOf(one) - statusOf(other) || one.localeCompare(other)).map(
    (code) => `| ${statusOf(code)} | \`${code}\` | ${REFUSALS[code].cure} |\n`,
  );
  return `| status | code | what to do |\n|---|---|---|\n${rows.join('')}| 500 | \`internal_error\` | Repeat with the same key; tell us the \`requestId\` if it stays. |\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(ARCHITECTURE, withDiagram(readFileSync(ARCHITECTURE, 'utf8')));
  writeFileSync(PERFORMANCE, withFigures(readFileSync(PERFORMANCE, 'utf8')));
  writeFileSync(SCALING, withSizing(withConnections(readFileSync(SCALING, 'utf8'))));
  writeFileSync(TEMPORAL, withSignals(readFileSync(TEMPORAL, 'utf8')));
  writeFileSync(LIMITS, limitsPage());
  writeFileSync(ERRORS_GUIDE, withProblemTable(readFileSync(ERRORS_GUIDE, 'utf8')));
}
