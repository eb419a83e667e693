import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiDocument } from '../support/api-document.ts';
import { counted } from '../support/counted.ts';

/** The code that public generators make from the description, and the generated parts of our own client. */

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const run = async (program: string, args: string[], cwd: string) => {
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), NODE_OPTIONS: '', DO_NOT_TRACK: '1' };
  const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 16_000_000 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${args.join(' ')}: ${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
};

const GENERATORS = {
  'openapi-typescript': {
    program: './node_modules/openapi-typescript/bin/cli.js',
    args: ['openapi.json', '-o', 'openapi-typescript/types.ts'],
  },
  '@hey-api/openapi-ts': {
    program: './node_modules/@hey-api/openapi-ts/bin/run.js',
    args: ['-i', 'openapi.json', '-o', 'hey-api', '--no-log-file'],
  },
  orval: {
    program: '../../node_modules/orval/dist/bin/orval.mjs',
    args: ['--input', './openapi.json', '--output', './orval/client.ts', '--client', 'fetch'],
  },
} as const;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'escrow-generators-'));
  await writeFile(join(directory, 'openapi.json'), JSON.stringify(apiDocument()));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type GeneratorName = keyof typeof GENERATORS;
const names = Object.keys(GENERATORS) as GeneratorName[]; // the keys of the table
const runs = new Map<GeneratorName, Promise<string>>();

/** Each generator runs once, in the first test that needs it. */
function generate(name: GeneratorName): Promise<string> {
  const { program, args } = GENERATORS[name];
  const started = runs.get(name) ?? run(process.execPath, [at(program), ...args], directory);
  runs.set(name, started);
  return started;
}

describe('generators of clients', () => {
  test.each(names)('%s generates code from the description', async (name) => {
    await generate(name);
  });

  test('tsc --strict accepts the code of all three', async () => {
    for (const name of names) await generate(name);
    const include = ['openapi-typescript', 'hey-api', 'orval'];
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
    };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
    const listed = await run(at('../../node_modules/.bin/tsc'), ['--listFiles'], directory);
    for (const name of include) expect(listed).toContain(`/${name}/`);
    counted(`generators: the code of ${include.length} passes tsc --strict (${names.join(', ')})`);
  });
});

test("the client's generated files are those of this description (else: npm run client)", async () => {
  const files: Record<string, string> = JSON.parse(
    await run(process.execPath, [at('write-client.ts'), '--print'], directory),
  );
  expect(Object.keys(files)).toHaveLength(3);
  for (const [name, content] of Object.entries(files)) {
    const written = await readFile(at(`../../clients/typescript/src/${name}`), 'utf8');
    expect([name, written === content]).toEqual([name, true]);
  }
});
