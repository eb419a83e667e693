import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';
import { ownService } from '../support/own-service.ts';
import { newCompany, newUser } from '../support/service.ts';
import { GENERATORS, type Generator } from './generators.ts';
import { hasProgram, limitPrograms, NotTried, run, toolsIn } from './programs.ts';

/**
 * `npm run try:generators`: public generators of clients, each with its version, read the description that the service serves.
 * Each must generate without a warning, its code must compile, and a program of a few lines must create a deposit with it and read
 * a refusal by its code. What the machine lacks, or a registry does not answer, is printed as not tried, with the reason; so is
 * what has not ended after LIMIT_MINUTES. `-- python` tries only those with this text. With
 * TEST_COUNTS_FILE it adds how many passed and failed, as the lanes of tests do.
 */

/** A generator in Java or a compiler occupies about one core. */
const AT_ONCE = 2;
const CALL_TIMEOUT_MS = 120_000;
const LIMIT_MINUTES = 9;
const MAX_FAILURE_CHARACTERS = 4_000;
const NOT_TRIED = 'not tried';

const STEPS = ['generates', 'warnings', 'compiles', 'first call', 'error by code'] as const;
type Step = (typeof STEPS)[number];
type Row = { readonly name: string; readonly cells: Partial<Record<Step, string>>; readonly failure?: string };

const { positionals } = parseArgs({ allowPositionals: true });
const chosen = GENERATORS.filter(({ name }) => positionals.every((text) => name.includes(text)));

limitPrograms(LIMIT_MINUTES);
const directory = await mkdtemp(join(tmpdir(), 'escrow-generators-'));
await globalSetup();
const service = await ownService({ withWorker: false });
const tools = toolsIn(join(tmpdir(), 'escrow-generator-tools'));
const rowOf = new Map<Generator, Row>();
try {
  const response = await fetch(`${service.url}/openapi-client.json`);
  await writeFile(join(directory, 'openapi.json'), await response.text());
  const company = await newCompany(service);
  const user = await newUser(company);
  const environment = {
    ESCROW_URL: service.url,
    ESCROW_API_KEY: company.apiKey,
    ESCROW_COMPANY_ID: company.id,
    ESCROW_USER_ID: user.id,
  };
  const waiting = [...chosen];
  const tryNext = async (): Promise<void> => {
    const generator = waiting.shift();
    if (generator === undefined) return;
    const startedAt = Date.now();
    rowOf.set(generator, await tried(generator, environment));
    console.log(`${generator.name}: ${Math.round((Date.now() - startedAt) / 1_000)} s`);
    return tryNext();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, tryNext));
} finally {
  await service.stop();
  await globalTeardown();
  if (process.env.KEEP_GENERATED === undefined) await rm(directory, { recursive: true, force: true });
}

const rows = chosen.flatMap((generator) => rowOf.get(generator) ?? []);
tellTable();
for (const { name, failure } of rows) if (failure !== undefined) console.log(`\n${name}:\n${failure}`);
const failed = rows.filter(({ failure }) => failure !== undefined).length;
const notTried = rows.filter(({ cells }) => cells.generates?.startsWith(NOT_TRIED)).length;
const passed = rows.length - failed - notTried;
console.log(`\n${passed} passed, ${failed} failed, ${notTried} not tried`);
if (process.env.TEST_COUNTS_FILE) await appendFile(process.env.TEST_COUNTS_FILE, `${passed} ${failed}\n`);
process.exit(failed === 0 && rows.length > 0 ? 0 : 1);

async function tried(generator: Generator, environment: Record<string, string>): Promise<Row> {
  const { name, needs, notices = [], generate, compile } = generator;
  const cells: Row['cells'] = {};
  const own = join(directory, name.replaceAll(/\W+/g, '-'));
  await mkdir(own);
  try {
    requirePrograms(needs);
    const said = await generate({ document: join(directory, 'openapi.json'), own, tools });
    cells.generates = 'yes';
    const warnings = said
      .split('\n')
      .filter((line) => /warn/i.test(line) && !notices.some((notice) => line.includes(notice)));
    cells.warnings = String(warnings.length);
    if (warnings.length > 0) throw new Error(warnings.slice(0, 20).join('\n'));
    if (compile === undefined) return { name, cells: { ...others('generates only'), ...cells } };
    requirePrograms(compile.needs ?? []);
    await compile.build({ own, tools });
    cells.compiles = 'yes';
    const { program, args } = await compile.program({ own, tools });
    const told = await run(program, args, { cwd: own, env: environment, timeoutMs: CALL_TIMEOUT_MS });
    if (!/^deposit COMPLETED 25000$/m.test(told)) throw new Error(`the deposit was not made: ${told}`);
    cells['first call'] = 'yes';
    if (!/^problem 422 unknown_user$/m.test(told)) throw new Error(`the code was not read: ${told}`);
    cells['error by code'] = 'yes';
    return { name, cells };
  } catch (error) {
    if (error instanceof NotTried) return { name, cells: { ...others(`${NOT_TRIED}: ${error.message}`), ...cells } };
    return { name, cells: { ...others('no'), ...cells }, failure: String(error).slice(0, MAX_FAILURE_CHARACTERS) };
  }
}

function requirePrograms(names: readonly string[]): void {
  const lacking = names.filter((name) => !hasProgram(name));
  if (lacking.length > 0) throw new NotTried(`there is no ${lacking.join(', ')}`);
}

/** What all cells say that nothing else is known of. */
function others(text: string): Row['cells'] {
  return Object.fromEntries(STEPS.map((step) => [step, text]));
}

function tellTable(): void {
  const header = ['generator', ...STEPS];
  const lines = rows.map(({ name, cells }) => [name, ...STEPS.map((step) => cells[step] ?? '')]);
  console.log([header, header.map(() => '---'), ...lines].map((cellsOf) => `| ${cellsOf.join(' | ')} |`).join('\n'));
}
