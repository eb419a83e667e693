import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ESCROW_HANDLERS } from '../workflows/details/handlers.ts';
import { withConnections } from './connections-table.ts';
import { escrowDiagram } from './escrow-diagram.ts';
import { withFigures } from './figures-table.ts';
import { limitsPage } from './limits-page.ts';
import { withProblemTable } from './problem-table.ts';
import { withSizing } from './sizing-table.ts';

/** `npm run docs`: writes the generated parts of the documents. A test fails if a document is outdated. */

const ARCHITECTURE = fileURLToPath(new URL('../../docs/architecture.md', import.meta.url));
const PERFORMANCE = fileURLToPath(new URL('../../docs/performance.md', import.meta.url));
const SCALING = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url));
const TEMPORAL = fileURLToPath(new URL('../../docs/operations/temporal.md', import.meta.url));
const LIMITS = fileURLToPath(new URL('../../docs/limits.md', import.meta.url));
const ERRORS_GUIDE = fileURLToPath(new URL('../../docs/guides/idempotency-and-errors.md', import.meta.url));
const BLOCK = /(<!-- escrow-states -->\n)[\s\S]*?(<!-- \/escrow-states -->)/;

/** `page` with the diagram of the transition table. Throws if the block for it is missing. */
export function withDiagram(page: string): string {
  if (!BLOCK.test(page)) throw new Error('the page has no block <!-- escrow-states --> … <!-- /escrow-states -->');
  return page.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${escrowDiagram()}\n\n${end}`);
}

const SIGNALS = /(<!-- signals -->\n)[\s\S]*?(<!-- \/signals -->)/;

/** `page` with the table of the signals to escrows. Throws if the block for it is missing. */
export function withSignals(page: string): string {
  if (!SIGNALS.test(page)) throw new Error('the page has no block <!-- signals --> … <!-- /signals -->');
  const rows = Object.entries(ESCROW_HANDLERS).map(
    ([name, { sample, does }]) => `| \`${name}\` | \`${sample}\` | ${does} |`,
  );
  const table = ['| `--name` | `--input` | does |', '|---|---|---|', ...rows].join('\n');
  return page.replace(SIGNALS, (_block, begin: string, end: string) => `${begin}\n${table}\n\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(ARCHITECTURE, withDiagram(readFileSync(ARCHITECTURE, 'utf8')));
  writeFileSync(PERFORMANCE, withFigures(readFileSync(PERFORMANCE, 'utf8')));
  writeFileSync(SCALING, withSizing(withConnections(readFileSync(SCALING, 'utf8'))));
  writeFileSync(TEMPORAL, withSignals(readFileSync(TEMPORAL, 'utf8')));
  writeFileSync(LIMITS, limitsPage());
  writeFileSync(ERRORS_GUIDE, withProblemTable(readFileSync(ERRORS_GUIDE, 'utf8')));
}
