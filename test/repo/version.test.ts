import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

/** The version of a release stands in package.json; what is shipped beside the service has the same one. */

const VERSION = /"version": "([^"]+)"/;
const SHIPPED: readonly (readonly [file: string, version: RegExp])[] = [
  ['clients/typescript/package.json', VERSION],
  ['clients/python/pyproject.toml', /^version = "([^"]+)"$/m],
  ['deploy/helm/Chart.yaml', /^version: (\S+)$/m],
  ['deploy/helm/Chart.yaml', /^appVersion: "([^"]+)"$/m],
];

const versionIn = (file: string, version: RegExp) => version.exec(readFileSync(file, 'utf8'))?.[1];

test.each(SHIPPED)('%s has the version of package.json (%s)', (file, version) => {
  expect(versionIn(file, version)).toBe(versionIn('package.json', VERSION));
});
