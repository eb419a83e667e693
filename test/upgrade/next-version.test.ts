import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeNextVersion } from './next-version.ts';

test('the made-up next version can be made of this code', () => {
  const directory = mkdtempSync(join(tmpdir(), 'escrow-next-'));
  try {
    writeNextVersion(directory);
    expect(readFileSync(join(directory, 'src/domain/escrow/commands.ts'), 'utf8')).toContain("event: 'REMINDED'");
  } finally {
    rmSync(directory, { recursive: true });
  }
});
