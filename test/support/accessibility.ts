import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { eventually } from './eventually.ts';

/** The accessibility checks of axe-core, in pages of the browser. */

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** In the page. */
declare const axe: { run(options: object): Promise<AxeResults> };
declare const loadAxe: () => void;

const OPTIONS = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  selectors: false,
};

/**
 * Each page that the context opens from now on can load axe-core. A script in the page costs half of an evaluated text, and a page that
 * is not checked does not run it.
 */
export function prepareAxe(context: BrowserContext): Promise<unknown> {
  return context.addInitScript({ content: `globalThis.loadAxe = () => {\n${AXE}\n};` });
}

/**
 * The violated rules, each with the elements that violate it. The page must come from a context with `prepareAxe`. The page
 * itself selects the violations, because all results of axe-core are a megabyte, and reading them costs more than the checks.
 * A page that loads itself again during the checks is checked again.
 */
export function violationsOn(page: Page): Promise<string[]> {
  return eventually(() =>
    violations(page).catch((error: unknown) => {
      if (String(error).includes('Execution context was destroyed')) return false;
      throw error;
    }),
  );
}

function violations(page: Page): Promise<string[]> {
  return page.evaluate(async (options) => {
    if (!('axe' in globalThis)) loadAxe();
    const { violations } = await axe.run(options);
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, OPTIONS);
}
