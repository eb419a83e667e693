import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { VERSION } from '../../src/config/version.ts';
import { SHIPPED_VERSIONS } from '../support/shipped-versions.ts';

/** The version of a release stands in package.json; what is shipped beside the service has the same one. */
test.each(SHIPPED_VERSIONS)('%s has the version of package.json (%s)', (file, version) => {
  expect(version.exec(readFileSync(file, 'utf8'))?.[1]).toBe(VERSION);
});

test('every process names it in its first line', () => {
  const { stdout } = spawnSync(process.execPath, ['src/main.ts', 'migrate'], { encoding: 'utf8', env: {} });
  expect(stdout.split('\n')[0]).toBe(`Version ${VERSION}.`);
});
