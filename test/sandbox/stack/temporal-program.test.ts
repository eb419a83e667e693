import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cacheDirectory, findTemporalProgram } from '../../../src/sandbox/stack/temporal-program.ts';

describe('findTemporalProgram', () => {
  let home = '';
  let env: NodeJS.ProcessEnv = {};
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'escrow-home-'));
    env = {
      HOME: home,
      PATH: join(home, 'bin'), // a machine may have a Temporal server elsewhere on its path
      XDG_CACHE_HOME: join(home, 'cache'),
      GOPATH: join(home, 'go'),
    };
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const program = (path: string, exitCode = 0) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const find = () => findTemporalProgram({ env, progress: () => undefined });

  test('prefers the one on PATH to the cached one', async () => {
    const cached = program(join(cacheDirectory(env), 'temporal'));
    expect(await find()).toBe(cached);
    const onPath = program(join(home, 'bin', 'temporal'));
    expect(await find()).toBe(onPath);
  });

  test('skips one that does not run', async () => {
    program(join(home, 'bin', 'temporal'), 1);
    const cached = program(join(cacheDirectory(env), 'temporal'));
    expect(await find()).toBe(cached);
  });

  test('finds an earlier Go build', async () => {
    // A stand-in for Go that only prints the directory of its workspace.
    const go = program(join(home, 'bin', 'go'));
    writeFileSync(go, `#!/bin/sh\necho ${join(home, 'go')}\n`);
    const built = program(join(home, 'go', 'bin', 'temporal'));
    expect(await find()).toBe(built);
  });

  test('builds with Go into the cache if the download fails', async () => {
    const go = program(join(home, 'bin', 'go'));
    const source = program(join(home, 'source'));
    writeFileSync(
      go,
      `#!/bin/sh\nif [ "$1" = install ]; then /bin/cp ${source} "$GOBIN/temporal"; else echo ${home}/none; fi\n`,
    );
    env.HTTPS_PROXY = 'http://127.0.0.1:1';
    expect(await find()).toBe(join(cacheDirectory(env), 'temporal'));
  });
});
