import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { findShippedBundle, hashOfSources, sourcesFileOf } from '../../src/worker/workflow-bundle.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'escrow-bundle-'));
  for (const folder of ['src/workflows', 'dist']) mkdirSync(join(directory, folder), { recursive: true });
  write('src/workflows/index.ts', 'export {};');
  write('package-lock.json', '{}');
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
const application = () => pathToFileURL(`${directory}/`);
const bundle = () => join(directory, 'dist/workflows.js');
const build = () => {
  writeFileSync(bundle(), 'bundled');
  writeFileSync(sourcesFileOf(bundle()), hashOfSources(application()));
};

describe('without WORKFLOW_BUNDLE, a worker', () => {
  test('uses the bundle of its own application, wherever it was started', () => {
    expect(findShippedBundle(application())).toBeUndefined();
    build();
    expect(findShippedBundle(application())).toEqual({ codePath: bundle() });
  });

  test.each([
    ['src/workflows/index.ts', 'export const later = 1;'],
    ['src/added.ts', 'export {};'],
    ['package-lock.json', '{"version":2}'],
  ])('does not use one of other sources: %s', (file, text) => {
    build();
    write(file, text);
    expect(findShippedBundle(application())).toBeUndefined();
  });

  test('does not use one that does not name its sources', () => {
    writeFileSync(bundle(), 'bundled');
    expect(findShippedBundle(application())).toBeUndefined();
  });
});
