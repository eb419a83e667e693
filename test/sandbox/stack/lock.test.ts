import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { assertUnlocked, lockDirectory } from '../../../src/sandbox/stack/lock.ts';
import { identifyProcess } from '../../../src/sandbox/stack/process-identity.ts';

describe('the lock of a data directory', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'escrow-lock-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const writeLock = (holder: object) => writeFileSync(join(dataDir, 'lock.json'), JSON.stringify(holder));

  test('is held by one process at a time and can be taken again after its release', () => {
    const lock = lockDirectory(dataDir);
    expect(() => lockDirectory(dataDir)).toThrow(`Another process (pid ${process.pid}) already runs on ${dataDir}`);
    lock.release();
    expect(() => assertUnlocked(dataDir)).not.toThrow();
    lockDirectory(dataDir).release();
  });

  test('is ignored when its process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const holder = identifyProcess(child.pid);
    writeLock(holder ?? {});
    expect(() => lockDirectory(dataDir)).toThrow(`pid ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDirectory(dataDir).release();
  });

  test('is ignored when its pid belongs to another process', () => {
    writeLock({ pid: process.pid, startedAt: 'at another time' });
    lockDirectory(dataDir).release();
  });

  test('is ignored when it is half written', () => {
    writeFileSync(join(dataDir, 'lock.json'), '{"pid": 1');
    lockDirectory(dataDir).release();
  });
});
