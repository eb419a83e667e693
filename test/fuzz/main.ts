import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type EmbeddedInfo, readEmbeddedInfo } from '../../src/roles/embedded-info.ts';
import { anyFreePort } from '../../src/sandbox/stack/ports.ts';
import { pollUntil } from '../../src/sandbox/stack/wait.ts';
import { makeFixtures } from './fixtures.ts';
import { ACTS, type Act, toml } from './settings.ts';

/**
 * `npm run fuzz`: Schemathesis against a separate service, in all its phases. docs/fuzzing.md says what is checked and
 * what cannot be. Needs Python 3.10 or newer; Schemathesis is installed into a virtual environment in the system's
 * directory for temporary files. Nothing else is changed.
 */

const SCHEMATHESIS = '4.32.5';
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'missing_required_header',
];
const START_TIMEOUT_MS = 300_000;

const { values: options } = parseArgs({
  options: {
    examples: { type: 'string', default: '100' },
    workers: { type: 'string', default: '1' },
    seed: { type: 'string' },
    /** Only operations whose name contains this text. */
    only: { type: 'string', default: '' },
    /** Such as `fuzzing,stateful`, the random ones. */
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
  },
});

async function virtualEnvironment(): Promise<string> {
  const directory = join(tmpdir(), `escrow-fuzz-${SCHEMATHESIS}`);
  const program = join(directory, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  await mustRun('python3', ['-m', 'venv', directory]);
  await mustRun(join(directory, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${SCHEMATHESIS}`]);
  return program;
}

/** Its exit code. Does not block: the service's log is read meanwhile. */
function run(program: string, args: readonly string[], cwd = process.cwd()): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', cwd });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

async function mustRun(program: string, args: readonly string[]): Promise<void> {
  if ((await run(program, args)) !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

async function startService(dataDir: string): Promise<{ child: ChildProcess; info: EmbeddedInfo }> {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(await anyFreePort()),
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_COMPANY_PER_MINUTE: '1000000',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
  };
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'all'], {
    env,
    cwd: dataDir,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', count);
  const info = await pollUntil(START_TIMEOUT_MS, () => {
    if (child.exitCode !== null) throw new Error('the service ended before it was ready');
    return readEmbeddedInfo(dataDir);
  });
  if (info === undefined) throw new Error('the service did not get ready');
  return { child, info };
}

/** Operation → status → count, from the service's log. */
const answers = new Map<string, Map<number, number>>();

function count(line: string): void {
  if (!line.startsWith('{')) return;
  const entry: { msg?: string; method?: string; route?: string; status?: number; err?: object } = JSON.parse(line);
  if (entry.err !== undefined && entry.msg === 'request failed') console.log(line);
  if (entry.msg !== 'request' || entry.route === undefined || entry.status === undefined) return;
  const operation = `${entry.method} ${entry.route.replace(/:(\w+)/g, '{$1}')}`;
  const statuses = answers.get(operation) ?? new Map<number, number>();
  answers.set(operation, statuses.set(entry.status, (statuses.get(entry.status) ?? 0) + 1));
}

function tellAnswers(operations: readonly string[]): void {
  console.log('\nWhat each operation answered, and how often:');
  for (const operation of operations) {
    const statuses = [...(answers.get(operation) ?? [])].toSorted(([a], [b]) => a - b);
    const text = statuses.map(([status, times]) => `${status} × ${times}`).join(', ');
    const isReached = statuses.some(([status]) => status < 300);
    console.log(`${isReached ? ' ' : '!'} ${operation}: ${text || 'nothing'}`);
  }
}

async function describedOperations(apiUrl: string): Promise<string[]> {
  const { paths }: { paths: Record<string, object> } = JSON.parse(await (await fetch(`${apiUrl}/openapi.json`)).text());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

async function post(info: EmbeddedInfo, path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${info.apiUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
  const answer: { id: string; accessToken: string; key: string } = JSON.parse(text);
  return answer;
}

/** Registers a company. Guessed passwords block the login of one owner, so acts that guess passwords do not share an owner. */
async function newOwner(info: EmbeddedInfo): Promise<Record<string, string>> {
  const name = `fuzzed-${randomUUID()}`;
  const login = { email: `${name}@example.com`, password: `password of ${name}` };
  const admin = { ...login, firstName: 'Olive', lastName: 'Owner' };
  const { id } = await post(info, '/v1/core/companies', { name: 'Fuzzed', slug: name, admin });
  const { accessToken } = await post(info, '/v1/auth/login', login);
  return { 'x-company-id': id, authorization: `Bearer ${accessToken}` };
}

async function keyOf(info: EmbeddedInfo, bearer: Record<string, string>): Promise<Record<string, string>> {
  const { key } = await post(info, '/v1/core/companies/api-keys', { name: 'throw-away' }, bearer);
  return { 'x-company-id': bearer['x-company-id'] ?? '', 'x-api-key': key };
}

async function credential(info: EmbeddedInfo, kind: Act['credential']): Promise<Record<string, string>> {
  const { demo, platformAdmin } = info;
  const company = { 'x-company-id': demo.companyId };
  if (kind === 'owner key') return { ...company, 'x-api-key': demo.apiKey };
  if (kind === 'platform key') return { ...company, 'x-api-key': platformAdmin.apiKey };
  if (kind === 'token of a new owner') return newOwner(info);
  if (kind === 'key of a new owner') return keyOf(info, await newOwner(info));
  const login = { email: demo.ownerEmail, password: demo.ownerPassword };
  const { accessToken } = await post(info, '/v1/auth/login', login);
  return keyOf(info, { ...company, authorization: `Bearer ${accessToken}` });
}

async function fuzz(program: string, dataDir: string, info: EmbeddedInfo): Promise<number> {
  const operations = (await describedOperations(info.apiUrl)).filter((name) => name.includes(options.only));
  let failed = 0;
  for (const [index, act] of ACTS.entries()) {
    const chosen = operations.filter(act.matches);
    if (chosen.length === 0) continue;
    console.log(`\n${index + 1}. ${act.name}: ${chosen.length} operations\n`);
    const directory = join(dataDir, `act-${index + 1}`);
    mkdirSync(directory);
    writeFileSync(join(directory, 'schemathesis.toml'), toml(await makeFixtures(info), chosen));
    const headers = Object.entries(await credential(info, act.credential));
    failed += await run(
      program,
      [
        'run',
        `${info.apiUrl}/openapi.json`,
        ...chosen.flatMap((name) => ['--include-name', name]),
        ...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
        ...['--checks', CHECKS.join(','), '--max-examples', options.examples, '--workers', options.workers],
        ...['--phases', options.phases, '--no-color', '--generation-database', 'none'],
        ...(options.seed === undefined ? [] : ['--seed', options.seed]),
      ],
      directory,
    );
  }
  tellAnswers(operations);
  return failed;
}

/** The books must balance after all requests. */
async function booksAreRight({ apiUrl, platformAdmin }: EmbeddedInfo): Promise<boolean> {
  const headers = { 'x-api-key': platformAdmin.apiKey, 'x-company-id': platformAdmin.companyId };
  const answer = await (await fetch(`${apiUrl}/v1/ledger/verify-ledger-integrity`, { headers })).text();
  console.log(`\nThe audit of the books: ${answer}`);
  const { ok }: { ok: boolean } = JSON.parse(answer);
  return ok;
}

const program = await virtualEnvironment();
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-fuzz-data-'));
const { child, info } = await startService(dataDir);
const ended = new Promise((resolve) => child.once('exit', resolve));
try {
  const failed = await fuzz(program, dataDir, info);
  process.exitCode = (await booksAreRight(info)) && failed === 0 ? 0 : 1;
} finally {
  child.kill('SIGTERM');
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}
