import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { hashOfSources } from '../../src/worker/workflow-bundle.ts';
import { writeNextVersion } from './next-version.ts';

test('the made-up next version can be made of this code, with all that its bundle is made of', () => {
  const directory = mkdtempSync(join(tmpdir(), 'escrow-next-'));
  try {
    writeNextVersion(directory);
    expect(hashOfSources(pathToFileURL(`${directory}/`))).not.toBe(hashOfSources());
    expect(readFileSync(join(directory, 'src/domain/escrow/commands.ts'), 'utf8')).toContain("event: 'REMINDED'");
  } finally {
    rmSync(directory, { recursive: true });
  }
});
