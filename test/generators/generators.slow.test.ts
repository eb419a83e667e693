import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** The generated parts of our own clients. `npm run try:generators` tries public generators. */

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test("the clients' generated files are those of this description (else: npm run client)", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [at('write-client.ts'), '--print'], {
    env: { ...process.env, NODE_OPTIONS: '' },
    maxBuffer: 32_000_000,
  });
  const files: Record<string, string> = JSON.parse(stdout);
  expect(Object.keys(files)).toHaveLength(9);
  for (const [name, content] of Object.entries(files)) {
    const written = await readFile(at(`../../clients/${name}`), 'utf8');
    expect([name, written === content]).toEqual([name, true]);
  }
});
