import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { counted } from '../support/counted.ts';
import { hasPython, PYTHON_CLIENT, type PythonProject, pythonProject } from '../support/python-project.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';

/** The Python package: its wheel, installed in a fresh virtual environment, checked by mypy and run. Needs Python 3.10. */

const EXAMPLE = join(PYTHON_CLIENT, 'examples/marketplace.py');
const MAX_LINES = 60;
const isTried = hasPython();
if (!isTried) counted('python client: not tried, there is no Python 3.10');

(isTried ? describe : describe.skip)('the wheel of the Python client', () => {
  let project: PythonProject;
  let service: TestService;

  beforeAll(async () => {
    project = await pythonProject();
    service = await sharedService();
  }, 300_000);
  afterAll(async () => {
    await service?.stop();
    project?.remove();
  });

  test('passes its own tests, and mypy --strict with them, the example and its sources', async () => {
    await project.python([join(PYTHON_CLIENT, 'tests/test_client.py')]);
    await project.checkTypes([join(PYTHON_CLIENT, 'tests/test_client.py')]);
    await project.checkTypes([EXAMPLE]);
    await project.checkTypes([join(PYTHON_CLIENT, 'src')]);
  });

  test(`takes a marketplace from its registration to a statement, in at most ${MAX_LINES} lines`, async () => {
    expect(readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    const output = await project.python([EXAMPLE, service.url, service.sandbox.url]);
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
