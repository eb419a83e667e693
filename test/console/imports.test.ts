import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { KEYED_OPERATIONS } from '../../clients/typescript/src/keyed-operations.ts';

/** The console has no privileged access: no module that it loads reaches the database or Temporal. */

const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/g;
const ALLOWED_PACKAGES = [
  'intl-messageformat',
  'hono',
  'jose',
  'csv-stringify',
  'd3-scale',
  'd3-shape',
  'uqr',
  'libphonenumber-js',
  'uuid',
];
const ALLOWED_BUILTINS = ['node:crypto', 'node:fs', 'node:module', 'node:zlib', 'node:stream', 'node:timers/promises'];

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, target = '']) => target);
}

/** All files that the console loads, itself included, with the packages that each one imports. */
function loaded(): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  const queue = globSync('src/console/**/*.ts');
  for (const file of queue) {
    if (seen.has(file)) continue;
    const targets = importsOf(file);
    seen.set(
      file,
      targets.filter((target) => !target.startsWith('.')),
    );
    queue.push(
      ...targets.filter((target) => target.startsWith('.')).map((target) => normalize(join(dirname(file), target))),
    );
  }
  return seen;
}

describe('modules of the console', () => {
  const files = [...loaded()];

  test('its own files, the domain and what writes files, nothing else of the service', () => {
    const own = /^src\/(?:(?:console|csv|domain|turns)\/|observability\/logged-file\.ts$)/;
    expect(files.map(([file]) => file).filter((file) => !own.test(file))).toEqual([]);
  });

  test('no package but those for pages, sessions and charts', () => {
    const packages = files.flatMap(([file, names]) => names.map((name) => ({ file, name })));
    const isAllowed = (name: string) =>
      ALLOWED_BUILTINS.includes(name) ||
      ALLOWED_PACKAGES.some((allowed) => name === allowed || name.startsWith(`${allowed}/`));
    expect(packages.filter(({ name }) => !isAllowed(name))).toEqual([]);
    expect(packages.length).toBeGreaterThan(10);
  });

  test('the pattern finds every form of import', () => {
    const text = `import a from 'a';\nimport { b,\n c } from 'b';\nimport 'c';\nexport * from 'd';\nimport type { E } from 'e';\n`;
    expect([...text.matchAll(IMPORT)].map(([, target]) => target)).toEqual(['a', 'b', 'c', 'd']);
  });
});

test('every operation with which the console changes something takes an idempotency key', () => {
  /**
   * Bank details that are set again are one more entry of their history; the answer has the number, which no stored answer may have.
   * A key is replaced once. The others change nothing; or a session, a password or a factor: what they take or make works once. Erasing again answers the same.
   */
  const others = [
    'patch /v1/ledger/{ledgerId}/bank-details',
    'post /v1/core/companies/api-keys/roll',
    'post /v1/treasury/quote',
    'post /v1/identity/users/{id}/erase',
    'post /v1/auth/login',
    'post /v1/auth/mfa',
    'post /v1/auth/logout',
    'delete /v1/auth/sessions/{id}',
    'post /v1/auth/password',
    'post /v1/auth/password/forgot',
    'post /v1/auth/password/reset',
    'post /v1/auth/totp',
    'post /v1/auth/totp/confirm',
    'post /v1/auth/totp/disable',
  ];
  const CALL = /\.(post|patch|delete)\(\s*'(\/v1\/[^']+)'/g;
  const operations = globSync('src/console/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CALL)].map(([, method, path]) => `${method} ${path}`),
  );
  expect(operations.length).toBeGreaterThan(40);
  const unkeyed = operations.filter((one) => !KEYED_OPERATIONS.has(one) && !others.includes(one));
  expect(unkeyed).toEqual([]);
});
