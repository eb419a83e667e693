import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { escrowDiagram } from './escrow-diagram.ts';
import { limitsPage } from './limits-page.ts';
import { withProblemTable } from './problem-table.ts';

/** `npm run docs`: writes the generated parts of the documents. A test fails if a document is outdated. */

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const LIMITS = fileURLToPath(new URL('../../docs/limits.md', import.meta.url));
const ERRORS_GUIDE = fileURLToPath(new URL('../../docs/guides/idempotency-and-errors.md', import.meta.url));
const BLOCK = /(<!-- escrow-states -->\n)[\s\S]*?(<!-- \/escrow-states -->)/;

/** `readme` with the diagram of the transition table. Throws if the block for it is missing. */
export function withDiagram(readme: string): string {
  if (!BLOCK.test(readme)) throw new Error('README.md has no block <!-- escrow-states --> … <!-- /escrow-states -->');
  return readme.replace(BLOCK, (_block, begin: string, end: string) => `${begin}\n${escrowDiagram()}\n\n${end}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(README, withDiagram(readFileSync(README, 'utf8')));
  writeFileSync(LIMITS, limitsPage());
  writeFileSync(ERRORS_GUIDE, withProblemTable(readFileSync(ERRORS_GUIDE, 'utf8')));
}
