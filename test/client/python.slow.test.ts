import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { counted } from '../support/counted.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/** The Python package: its wheel, installed in a fresh virtual environment, checked by mypy and run. Needs Python 3.10. */

const CLIENT = fileURLToPath(new URL('../../clients/python', import.meta.url));
const EXAMPLE = join(CLIENT, 'examples/marketplace.py');
const MAX_LINES = 60;
const isPythonNew = 'import sys; sys.exit(sys.version_info < (3, 10))';
const hasPython = spawnSync('python3', ['-c', isPythonNew]).status === 0;
if (!hasPython) counted('python client: not tried, there is no Python 3.10');

(hasPython ? describe : describe.skip)('the wheel of the Python client', () => {
  let directory: string;
  let service: TestService;
  const bin = (name: string) => join(directory, 'venv', 'bin', name);
  /** Keeps the event loop free: a test that blocks it does not see that the service closed an idle connection. */
  const run = async (program: string, args: readonly string[]) =>
    (await promisify(execFile)(program, args, { cwd: directory })).stdout;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'escrow-python-'));
    await run('python3', ['-m', 'venv', 'venv']);
    await run(bin('pip'), ['wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', CLIENT]);
    const [wheel = ''] = readdirSync(join(directory, 'wheels'));
    await run(bin('pip'), ['install', '--quiet', join('wheels', wheel), 'mypy==2.4.1']);
    service = await sharedService();
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('passes its own tests, and mypy --strict with them and the example', async () => {
    await run(bin('python'), [join(CLIENT, 'tests/test_client.py')]);
    await run(bin('mypy'), ['--strict', join(CLIENT, 'tests/test_client.py')]);
    await run(bin('mypy'), ['--strict', EXAMPLE]);
  });

  test(`takes a marketplace from its registration to a statement, in at most ${MAX_LINES} lines`, async () => {
    expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    const output = await run(bin('python'), [EXAMPLE, service.url, service.sandbox.url]);
    expect(output).toContain('card ACCEPTED');
    expect(output).toContain('payout COMPLETED');
    expect(output.match(/^statement .*$/gm)).toEqual([
      'statement PAYMENT 23760 23760',
      'statement PAYMENT 20000 43760',
      'statement PAYMENT 24750 68510',
      'statement WITHDRAWAL 30000 38510',
    ]);
  });
});
