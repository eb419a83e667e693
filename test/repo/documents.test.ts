import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { REQUIRED } from '../../src/config/requirements.ts';
import { PAYOUT_CONCERNS } from '../../src/domain/withdrawal/bank-reports.ts';

/**
 * The names in documents: paths, links, npm scripts and variables. test/docs/guides.slow.test.ts checks the links of guides to headings.
 */

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(existsSync);
const documents = tracked.filter((path) => path.endsWith('.md'));
const folders = new Set(tracked.filter((path) => path.includes('/')).map((path) => path.split('/')[0]));
const scripts = Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts);

/** The repository's paths among the words in backticks. Words with a placeholder are not paths. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .map((word) => word.replace(/[.,;:/]+$/, ''))
    .filter((word) => word.includes('/') && folders.has(word.split('/')[0] ?? '') && !/[*<{…]/.test(word));
}

/** The targets of relative links, without their headings. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
}

function scriptsIn(text: string): string[] {
  return [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, script = '']) => script);
}

describe.each(documents)('%s', (document) => {
  const text = readFileSync(document, 'utf8');

  test('names only paths that exist', () => {
    expect(pathsIn(text).filter((path) => !existsSync(path))).toEqual([]);
  });

  test('links only to files that exist', () => {
    const missing = linksIn(text).filter((target) => !existsSync(normalize(join(dirname(document), target))));
    expect(missing).toEqual([]);
  });

  test('names only npm scripts of package.json', () => {
    expect(scriptsIn(text).filter((script) => !scripts.includes(script))).toEqual([]);
  });
});

describe('manuals', () => {
  const manuals = documents
    .filter((path) => /^(README|CONTRIBUTING|docs\/[a-z-]+|docs\/operations\/[a-z-]+)\.md$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join();

  test.each(scripts)('name the npm script %s', (script) => {
    expect(manuals).toMatch(new RegExp(`\`npm (run )?${script}[ \`]`));
  });
});

describe('the patterns', () => {
  const text = 'See `src/gone.ts`, [the page](docs/gone.md#part) and `npm run gone -- 1`; not `src/*.sql` or `a/b`.';

  test('find paths, links and scripts', () => {
    expect([pathsIn(text), linksIn(text), scriptsIn(text)]).toEqual([['src/gone.ts'], ['docs/gone.md'], ['gone']]);
  });
});

describe('files that say in their first line that they are generated', () => {
  const generated = tracked.filter(
    (path) =>
      /\.(ts|js|py|ya?ml)$/.test(path) &&
      /^(#|\/\/|\/\*+) (Generated from|Rendered by) /.test(readFileSync(path, 'utf8').slice(0, 40)),
  );

  test('are marked in .gitattributes, so that they count as such', () => {
    const marks = execFileSync('git', ['check-attr', 'linguist-generated', ...generated], { encoding: 'utf8' });
    expect(marks.trim().split('\n')).toEqual(generated.map((path) => `${path}: linguist-generated: set`));
  });

  test('are left out of searches by .ignore', () => {
    const left = readFileSync('.ignore', 'utf8').split('\n');
    expect(generated.filter((path) => !left.some((line) => line !== '' && path.startsWith(line)))).toEqual([]);
  });
});

describe('the README', () => {
  const readme = readFileSync('README.md', 'utf8');

  test('is short, and has its first command near its beginning', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
    expect(readme.split('\n').findIndex((line) => line.startsWith('npm ci && npm start'))).toBeLessThan(25);
  });

  test('names the Node version of package.json', () => {
    const [, version = ''] = />=(\d+\.\d+)/.exec(JSON.parse(readFileSync('package.json', 'utf8')).engines.node) ?? [];
    expect(readme).toContain(`Node ≥ ${version} `);
  });
});

describe('other pages', () => {
  test('docs/architecture.md describes every folder of src', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const sources = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const missing = sources.filter(({ name }) => !page.includes(`| \`src/${name}`));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  test.each(['migrate', 'api', 'worker'] as const)(
    'docs/configuration.md names the variables that %s requires',
    (role) => {
      const rows = readFileSync('docs/configuration.md', 'utf8').split('\n');
      const [, needs = ''] = rows.find((row) => row.startsWith(`| \`npm run ${role}\``))?.split(' | ') ?? [];
      const named = [...needs.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, variable]) => variable);
      expect(named.toSorted()).toEqual(REQUIRED[role].toSorted());
    },
  );

  test.each(PAYOUT_CONCERNS)('docs/operations/temporal.md says what payout_%s means', (concern) => {
    expect(readFileSync('docs/operations/temporal.md', 'utf8')).toContain(`\`payout_${concern}\` (`);
  });

  test('have at most 36,000 words together', () => {
    const words = documents.flatMap((path) => readFileSync(path, 'utf8').trim().split(/\s+/));
    expect(words.length).toBeLessThanOrEqual(36_000);
  });
});
