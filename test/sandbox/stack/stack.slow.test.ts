import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LOOPBACK } from '../../../src/sandbox/stack/ports.ts';
import { startPostgres } from '../../../src/sandbox/stack/postgres.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { answersFromData } from '../../../src/sandbox/stack/temporal.ts';
import { eventually } from '../../support/eventually.ts';
import { anyFreePort } from '../../support/ports.ts';
import { allEnd, StackProcess, serversOf } from '../../support/stack-process.ts';
import { testTemporal } from '../../support/temporal.ts';

let dataDir = '';
const newDirectory = () => {
  dataDir = mkdtempSync(join(tmpdir(), 'escrow-stack-'));
};
const removeDirectory = () => rmSync(dataDir, { recursive: true, force: true });

describe('the embedded stack, from start to start', () => {
  beforeAll(newDirectory);
  afterAll(removeDirectory);

  test('leaves no process behind when killed, and finds its data again', async () => {
    const first = StackProcess.start({ dataDir });
    const { databaseUrl } = await first.ready();
    await withClient(databaseUrl, (client) => client.query("create table kept as select 'kept' as word"));
    const servers = serversOf(dataDir);
    expect(servers).toHaveLength(2);
    process.kill(first.pid, 'SIGKILL');

    const second = StackProcess.start({ dataDir });
    const found = await withClient((await second.ready()).databaseUrl, (client) =>
      client.query('select word from kept'),
    );
    expect(found.rows).toEqual([{ word: 'kept' }]);
    expect(await allEnd(servers)).toBe(true);
    process.kill(second.pid, 'SIGTERM');
    expect(await second.exitCode).toBe(0);
  });

  test('refuses a second process on its directory, and stops at Ctrl-C without leftover processes', async () => {
    const first = StackProcess.start({ dataDir });
    await first.ready();
    const servers = serversOf(dataDir);

    const second = StackProcess.start({ dataDir });
    expect(await second.exitCode).toBe(1);
    expect(second.output.trim()).toBe(
      `Another process (pid ${first.pid}) already runs on ${dataDir}. Stop it, or set DATA_DIR and PORT to run a second one beside it.`,
    );

    process.kill(-first.pid, 'SIGINT'); // a terminal signals the whole process group
    expect(await first.exitCode).toBe(0);
    expect(first.output).toMatch(/Stopping …\nStopped\.\n$/);
    expect(await allEnd(servers)).toBe(true);
    expect(existsSync(join(dataDir, 'lock.json'))).toBe(false);
  });

  test('restarts a Temporal that runs but does not answer, on its port and with its data', async () => {
    const stack = StackProcess.start({ dataDir, temporalIllAfterMs: 3_000 });
    const { temporalAddress } = await stack.ready();
    const record = () => JSON.parse(readFileSync(join(dataDir, 'run/temporal.json'), 'utf8')) as { pid: number };
    const { pid } = record();
    process.kill(pid, 'SIGSTOP');
    await eventually(() => stack.output.includes('Temporal answers again.'));
    expect(stack.output).toContain('Temporal has not answered for 3 s. Restarting it …');
    expect(record().pid).not.toBe(pid);
    expect(await answersFromData(temporalAddress)).toBe(true);
    process.kill(stack.pid, 'SIGTERM');
    expect(await stack.exitCode).toBe(0);
  });

  test('stops when one of its servers ends, and names that server', async () => {
    const stack = StackProcess.start({ dataDir });
    await stack.ready();
    const servers = serversOf(dataDir);
    const [postgres] = servers;
    process.kill(postgres?.pid ?? 0, 'SIGKILL');
    expect(await stack.exitCode).toBe(1);
    expect(stack.output).toMatch(
      /The postgres server exited unexpectedly \(signal SIGKILL\)\. Its log: .*postgres\.log\n$/,
    );
    expect(await allEnd(servers)).toBe(true);
  });

  test('keeps its secrets from other users', async () => {
    const stack = StackProcess.start({ dataDir });
    await stack.ready();
    expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600);
    process.kill(stack.pid, 'SIGTERM');
    expect(await stack.exitCode).toBe(0);
  });
});

describe('the embedded stack refuses to start', () => {
  let temporalAddress = '';
  beforeEach(() => {
    newDirectory();
    temporalAddress = testTemporal().address;
  });
  afterEach(removeDirectory);

  const refusal = async (stack: StackProcess) => {
    expect(await stack.exitCode).toBe(1);
    expect(stack.output).not.toMatch(/^\s+at /m); // no stack trace
    return stack.output;
  };

  test('on a configured port that is in use', async () => {
    const holder = await listen();
    const port = portOf(holder);
    const output = await refusal(StackProcess.start({ dataDir, temporalAddress, postgresPort: port }));
    holder.close();
    expect(output).toBe(`POSTGRES_PORT: port ${port} is in use on 127.0.0.1. Set POSTGRES_PORT to a free one.\n`);
  });

  test('on a port that another program takes after the choice', async () => {
    const holder = await listen();
    const port = portOf(holder);
    const start = startPostgres({ dataDir, port, superuserPassword: 'first', ownerPassword: 'second' });
    await expect(start).rejects.toThrow(`PostgreSQL does not start: port ${port} is in use on 127.0.0.1.`);
    holder.close();
  });

  test('on incomplete data', async () => {
    writeFileSync(join(dataDir, 'secrets.json'), '{}');
    mkdirSync(join(dataDir, 'postgres'));
    const output = await refusal(StackProcess.start({ dataDir, temporalAddress }));
    expect(output).toContain(`PostgreSQL does not start on ${join(dataDir, 'postgres')}: files are missing.`);
  });

  test('on data whose password is lost', async () => {
    mkdirSync(join(dataDir, 'postgres'));
    expect(await refusal(StackProcess.start({ dataDir, temporalAddress }))).toContain('secrets.json is missing');
  });

  test('without a Temporal server, and leaves no PostgreSQL behind', async () => {
    const env = { PATH: '/usr/bin:/bin', ...nowhere(dataDir) };
    const output = await refusal(StackProcess.start({ dataDir, postgresPort: await anyFreePort() }, env));
    for (const way of ['TEMPORAL_ADDRESS', 'install the Temporal CLI', 'downloaded', 'go install'])
      expect(output).toContain(way);
    expect(serversOf(dataDir)).toEqual([]);
  });
});

/** An environment in which no download and no build can succeed, and none uses the network. */
function nowhere(home: string): NodeJS.ProcessEnv {
  return {
    HOME: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    GOPROXY: 'off',
    GOMODCACHE: join(home, 'modules'),
    HTTPS_PROXY: `http://${LOOPBACK}:1`,
  };
}

function listen(): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, LOOPBACK, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
