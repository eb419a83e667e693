import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DefaultLogger } from '@temporalio/worker';
import { anyFreePort, LOOPBACK } from '../../src/sandbox/stack/ports.ts';
import { addressFor } from '../../src/sandbox/stack/postgres-client.ts';
import { EMBEDDED_NAMESPACE, type EmbeddedTemporal, startTemporal } from '../../src/sandbox/stack/temporal.ts';
import { findTemporalProgram } from '../../src/sandbox/stack/temporal-program.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { bundleWorkflows } from '../../src/worker/workflow-bundle.ts';
import { eventually } from '../support/eventually.ts';
import { FIELD_KEY, JWT_SECRET } from '../support/keys.ts';
import { providerEnvironment, RoleProcess, startRole } from '../support/role-process.ts';
import type { OwnSandbox } from '../support/sandbox.ts';
import { clientOf, type TestService } from '../support/service.ts';
import type { SystemPostgres } from './system-postgres.ts';

/** An installation whose parts can be lost and restored at the same addresses: PostgreSQL, Temporal, a worker and an API. */

const TASK_QUEUE = 'escrow';
/** Of Temporal's database, SQLite. */
const FILES = ['', '-wal', '-shm'];
/** Short, because the clients wait meanwhile. */
const BUSY_MS = 200;
const COPIED_MS = 300_000;
const SQLITE_BUSY = 5;

export type Step = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export class Installation {
  readonly url: string;
  readonly #dataDir: string;
  readonly #sandbox: OwnSandbox;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #startTemporal: () => Promise<EmbeddedTemporal>;
  #postgres: SystemPostgres | undefined;
  #temporal: EmbeddedTemporal | undefined;
  #roles: readonly RoleProcess[] = [];

  private constructor(
    dataDir: string,
    sandbox: OwnSandbox,
    environment: Record<string, string>,
    start: () => Promise<EmbeddedTemporal>,
  ) {
    this.url = `http://${LOOPBACK}:${environment.PORT}`;
    this.#dataDir = dataDir;
    this.#sandbox = sandbox;
    this.#environment = environment;
    this.#startTemporal = start;
    sandbox.callBack(this.url);
  }

  /** Without servers yet. */
  static async prepare(dataDir: string, sandbox: OwnSandbox): Promise<Installation> {
    const [apiPort, port] = [await anyFreePort(), await anyFreePort()];
    const bundleFile = join(dataDir, 'workflows.js');
    writeFileSync(bundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
    const program = await findTemporalProgram({ env: process.env, progress: console.log });
    const databaseFile = join(dataDir, 'temporal.db');
    const environment = {
      TEMPORAL_ADDRESS: `${LOOPBACK}:${port}`,
      TEMPORAL_NAMESPACE: EMBEDDED_NAMESPACE,
      TEMPORAL_TASK_QUEUE: TASK_QUEUE,
      FIELD_ENCRYPTION_KEYS: `${FIELD_KEY.id}:${FIELD_KEY.key.toString('base64')}`,
      JWT_SECRET,
      PORT: String(apiPort),
      WORKFLOW_BUNDLE: bundleFile,
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_COMPANY_PER_MINUTE: '1000000',
      RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
      ...providerEnvironment(sandbox.settings),
    };
    return new Installation(dataDir, sandbox, environment, () =>
      startTemporal({ program, dataDir, port, uiPort: null, databaseFile }),
    );
  }

  get postgres(): SystemPostgres {
    if (this.#postgres === undefined) throw new Error('PostgreSQL is not there');
    return this.#postgres;
  }

  get service(): TestService {
    const { ownerUrl, superuserUrl } = this.postgres;
    return clientOf({
      url: this.url,
      database: { name: 'escrow', ownerUrl, superuserUrl, apiUrl: '', workerUrl: '' },
      taskQueue: TASK_QUEUE,
      platform: { companyId: '', apiKey: '' },
      sandbox: this.#sandbox,
    });
  }

  get workerEnvironment(): Record<string, string> {
    return this.#environmentOf('worker');
  }

  /** Continues with this server. */
  async migrate(postgres: SystemPostgres): Promise<void> {
    this.#postgres = postgres;
    await this.#runToItsEnd('migrate', {
      ...this.#environment,
      DATABASE_URL: postgres.ownerUrl,
      DATABASE_API_PASSWORD: 'the server trusts',
      DATABASE_WORKER_PASSWORD: 'the server trusts',
      PLATFORM_ADMIN_EMAIL: 'operations@backup.example',
      PLATFORM_ADMIN_PASSWORD: 'a long password for the trial',
    });
  }

  /** The order of docs/operations/backup.md: workers, then the runs that are missing, then the API. */
  async startRoles(step: Step): Promise<void> {
    const worker = await step('workers', () => startRole('worker', 'The worker polls', this.#environmentOf('worker')));
    this.#roles = [worker];
    console.log(await step('rebuild-workflows', () => this.rebuild()));
    const api = await step('API', () => startRole('api', 'The API answers', this.#environmentOf('api')));
    this.#roles = [worker, api];
  }

  rebuild(): Promise<string> {
    return this.#runToItsEnd('rebuild-workflows', this.#environmentOf('worker'));
  }

  /** Temporal goes on writing, and locks its database while the disk is busy. */
  async copyTemporal(): Promise<void> {
    const copy = join(this.#dataDir, 'temporal.copy.db');
    const database = new DatabaseSync(join(this.#dataDir, 'temporal.db'), {
      readOnly: true,
      timeout: BUSY_MS,
      enableDoubleQuotedStringLiterals: true, // Temporal's schema has some
    });
    await eventually(() => {
      rmSync(copy, { force: true });
      try {
        database.prepare('vacuum into ?').run(copy);
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    }, COPIED_MS);
    database.close();
  }

  /** With the state of its copy, or with none. */
  async startTemporal(from: 'copy' | 'nothing'): Promise<void> {
    for (const suffix of FILES) rmSync(join(this.#dataDir, `temporal.db${suffix}`), { force: true });
    if (from === 'copy') copyFileSync(join(this.#dataDir, 'temporal.copy.db'), join(this.#dataDir, 'temporal.db'));
    this.#temporal = await this.#startTemporal();
  }

  /** What `temporal workflow terminate` of the page does. */
  async terminateRuns(): Promise<void> {
    const { TEMPORAL_ADDRESS = '' } = this.#environment;
    const settings = { temporalAddress: TEMPORAL_ADDRESS, temporalNamespace: EMBEDDED_NAMESPACE };
    const { client, connection } = lazyClient(settings);
    const query = `TaskQueue = "${TASK_QUEUE}" AND ExecutionStatus = "Running"`;
    try {
      await eventually(async () => {
        for await (const { workflowId, runId } of client.workflow.list({ query }))
          await client.workflow
            .getHandle(workflowId, runId)
            .terminate('restored')
            .catch(() => undefined); // it has ended
        return (await client.workflow.count(query)).count === 0;
      });
    } finally {
      await connection.close();
    }
  }

  /** Stops the service in order, and PostgreSQL. Temporal goes on. */
  async stop(): Promise<void> {
    for (const role of this.#roles) role.signal('SIGTERM');
    await Promise.all(this.#roles.map((role) => role.exitCode));
    this.#roles = [];
    await this.#postgres?.stop();
  }

  /** Everything ends at the same moment, and the data of PostgreSQL is gone. */
  async lose(): Promise<void> {
    const { dataDir, kill } = this.postgres;
    await Promise.all([kill(), this.#temporal?.child.stop(), ...this.#roles.map((role) => role.kill())]);
    this.#roles = [];
    rmSync(dataDir, { recursive: true });
  }

  async end(): Promise<void> {
    await this.stop();
    await this.#temporal?.child.stop();
  }

  #environmentOf(user: 'api' | 'worker'): Record<string, string> {
    return { ...this.#environment, DATABASE_URL: addressFor(this.postgres.ownerUrl, { user: `escrow_${user}` }) };
  }

  async #runToItsEnd(role: 'migrate' | 'rebuild-workflows', env: Record<string, string>): Promise<string> {
    const started = RoleProcess.start(role, env);
    if ((await started.exitCode) !== 0) throw new Error(`${role}: ${started.output}`);
    return started.output.trim().split('\n').at(-1) ?? '';
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
