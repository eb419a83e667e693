import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientProject, run, typeCheck } from '../support/client-project.ts';
import { counted } from '../support/counted.ts';
import { eventually } from '../support/eventually.ts';
import { ownService } from '../support/own-service.ts';
import { hasPython, type PythonProject, pythonProject } from '../support/python-project.ts';
import { newCompany, PLATFORM, type TestService } from '../support/service.ts';

/**
 * The TypeScript of each guide is one program, and so is its Python. Both print the output that the guide shows. Python is tried where
 * the machine has 3.10.
 */

const GUIDES = new URL('../../docs/guides/', import.meta.url);
const NAMES = readdirSync(GUIDES).filter((name) => name.endsWith('.md'));
const WITH_CODE = NAMES.filter((name) => name !== 'README.md');
const read = (name: string) => readFileSync(new URL(name, GUIDES), 'utf8');
const blocks = (name: string, language: string) =>
  [...read(name).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , code]) => code);

let service: TestService;
let project: Awaited<ReturnType<typeof clientProject>>;
let python: PythonProject | undefined;
const pythonFile = (name: string) => name.replace('.md', '.py').replaceAll('-', '_');

beforeAll(async () => {
  [service, project, python] = await Promise.all([
    ownService(),
    clientProject(),
    hasPython() ? pythonProject() : undefined,
  ]);
  for (const name of WITH_CODE) {
    writeFileSync(join(project.directory, `${name}.ts`), blocks(name, 'ts').join(''));
    if (python !== undefined)
      writeFileSync(join(python.directory, pythonFile(name)), blocks(name, 'python').join('\n'));
  }
}, 300_000);
afterAll(async () => {
  project?.remove();
  python?.remove();
  await service?.stop();
});

test('there are nine guides, in the order of a first integration, and the README links all of them', () => {
  const linked = [...read('README.md').matchAll(/^\d\. \[[^\]]+\]\(([\w-]+\.md)\)/gm)].map(([, name]) => name);
  expect(linked).toHaveLength(9);
  expect([...linked].sort()).toEqual(WITH_CODE.sort());
});

test('the code of every guide is strict TypeScript', async () => {
  await typeCheck(
    project.directory,
    WITH_CODE.map((name) => `${name}.ts`),
  );
});

test('every block of TypeScript is followed by the same in Python', () => {
  for (const name of WITH_CODE) {
    const languages = [...read(name).matchAll(/^```(ts|python)$/gm)].map(([, language]) => language);
    expect([name, languages]).toEqual([name, languages.map((_language, index) => (index % 2 === 0 ? 'ts' : 'python'))]);
    expect(languages.length % 2).toBe(0);
  }
});

test('the Python of every guide passes mypy --strict', async () => {
  await python?.checkTypes(WITH_CODE.map(pythonFile));
});

/** What a busy machine may answer. The client does not repeat a buyer's request, which has no idempotency key. */
const BUSY = /\b(dependency|provider)_unavailable\b/;

type Run = (name: string, variables: Readonly<Record<string, string>>) => Promise<string>;
const inTypeScript: Run = (name, variables) => run(process.execPath, [`${name}.ts`], project.directory, variables);
/** Python has names of its own for three values. */
const inPython: Run = async (name, variables) =>
  (await python?.python([pythonFile(name)], variables))
    ?.replaceAll(/\b(True|False)\b/g, (word) => word.toLowerCase())
    .replaceAll(/\bNone\b/g, 'null') ?? '';

/** What the program of a guide prints for a new company. */
async function outputOf(name: string, program: Run): Promise<string> {
  const company = await newCompany(service);
  return program(name, {
    ESCROW_URL: service.url,
    ESCROW_SANDBOX_URL: service.sandbox.url,
    ESCROW_COMPANY_ID: company.id,
    ESCROW_API_KEY: company.apiKey,
    ESCROW_ACCESS_TOKEN: company.owner.token,
    PLATFORM_ADMIN_EMAIL: PLATFORM.email,
    PLATFORM_ADMIN_PASSWORD: PLATFORM.password,
  });
}

describe.each([
  ['TypeScript', inTypeScript],
  ['Python', inPython],
])('the %s of', (language, program) => {
  test.each(WITH_CODE)('%s prints what the guide says', async (name) => {
    if (program === inPython && python === undefined) {
      counted(`guides: the Python of ${name} not tried, there is no Python 3.10`);
      return;
    }
    const output = await eventually(() =>
      outputOf(name, program).catch((error: unknown) => {
        if (!BUSY.test(String(error))) throw error;
        return undefined; // again, for another company
      }),
    );
    expect(output).toBe(blocks(name, 'text').join(''));
    counted(`guides: ${name}, ${blocks(name, 'text').length} outputs of ${language} compared`);
  });
});

test('every link in a guide leads to a file, and to a heading of it', () => {
  for (const name of NAMES)
    for (const [, target = '', fragment] of read(name).matchAll(/\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)/g)) {
      const content = readFileSync(new URL(target, GUIDES), 'utf8');
      const anchors = [...content.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      if (fragment !== undefined) expect([name, anchors]).toEqual([name, expect.arrayContaining([fragment])]);
    }
});
