import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ProcessRole } from '../../src/config/role.ts';
import type { AdapterSettings, ProviderVariable } from '../../src/providers/adapter.ts';
import { GATEWAYS } from '../../src/providers/gateway/registry.ts';
import { OPERATORS } from '../../src/providers/mobile-money/registry.ts';
import type { SandboxSettings } from '../../src/sandbox/providers/server.ts';
import { eventually } from './eventually.ts';
import { FIELD_KEY } from './keys.ts';
import { COMPILED_DIRECTORY, servers } from './servers.ts';
import type { TestService } from './service.ts';
import { testTemporal } from './temporal.ts';

export const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** On a busy machine Node takes many seconds to load a role when several start at once. */
const START_TIMEOUT_MS = 120_000;

/** `node src/main.ts <role>` in a separate process, for tests that kill it. */
export class RoleProcess {
  /** Null if a signal ended it. */
  readonly exitCode: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = '';
  #hasEnded = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.exitCode = new Promise((resolve) => child.once('close', resolve));
    child.once('close', () => {
      this.#hasEnded = true;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#output += String(chunk);
      });
    }
  }

  /** It gets only those variables of our environment that a program needs to run. `main`: of another version's code. */
  static start(role: ProcessRole, env: Record<string, string>, main = MAIN): RoleProcess {
    const { PATH = '', HOME = '', GOPATH = '' } = process.env;
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--no-memory-reducer', main, role],
      {
        env: { PATH, HOME, GOPATH, NODE_COMPILE_CACHE: COMPILED_DIRECTORY, LOG_LEVEL: 'error', ...env },
        cwd: tmpdir(),
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    return new RoleProcess(child);
  }

  get pid(): number {
    const { pid } = this.#child;
    if (pid === undefined) throw new Error('the process did not start');
    return pid;
  }

  /** All it has written to standard output and standard error. */
  get output(): string {
    return this.#output;
  }

  /** Waits until it has written `text`. Throws if it ends before, or at the time limit. */
  async says(text: string, timeoutMs = START_TIMEOUT_MS): Promise<void> {
    const hasSaid = () => this.#output.includes(text);
    await eventually(() => hasSaid() || this.#hasEnded, timeoutMs).catch(() => undefined);
    if (!hasSaid()) throw new Error(`It never said "${text}", only: ${this.#output}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Kills it with SIGKILL, like a crash. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exitCode;
  }
}

/** Starts a role and waits until it has written `readyWord`. Throws if it ends before. */
export async function startRole(
  role: ProcessRole,
  readyWord: string,
  env: Record<string, string>,
  main?: string,
): Promise<RoleProcess> {
  const started = RoleProcess.start(role, env, main);
  await started.says(readyWord);
  return started;
}

/** A worker for `service`, polling when this resolves. */
export async function startWorkerProcess(service: TestService, env: Record<string, string> = {}): Promise<RoleProcess> {
  const worker = beginWorkerProcess(service, env);
  await worker.says('The worker polls');
  return worker;
}

/** The same, without waiting until it polls. */
export function beginWorkerProcess(service: TestService, env: Record<string, string> = {}): RoleProcess {
  return RoleProcess.start('worker', {
    DATABASE_URL: service.database.workerUrl,
    WORKFLOW_BUNDLE: servers().workflowBundleFile,
    ...environment(service),
    ...env,
  });
}

/** An API for `service`, answering at `port` when this resolves. */
export async function startApiProcess(
  service: TestService,
  port: number,
  env: Record<string, string> = {},
): Promise<RoleProcess> {
  const api = RoleProcess.start('api', {
    DATABASE_URL: service.database.apiUrl,
    JWT_SECRET: randomBytes(48).toString('base64'),
    PORT: String(port),
    RATE_LIMIT_PER_MINUTE: '1000000',
    ...environment(service),
    ...env,
  });
  await api.says('The API answers');
  return api;
}

/** Runs `npm run rebuild-workflows` for the service, and returns its output. */
export async function rebuildWorkflows({ database, taskQueue }: TestService): Promise<string> {
  const { address, namespace } = testTemporal();
  const role = RoleProcess.start('rebuild-workflows', {
    DATABASE_URL: database.workerUrl,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
  });
  if ((await role.exitCode) !== 0) throw new Error(role.output);
  return role.output;
}

/** The environment with which a separate process reaches Temporal and the service's sandbox, and decrypts fields. */
function environment({ taskQueue, sandbox: { settings } }: TestService): Record<string, string> {
  const { address, namespace } = testTemporal();
  return {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TASK_QUEUE: taskQueue,
    FIELD_ENCRYPTION_KEYS: `${FIELD_KEY.id}:${FIELD_KEY.key.toString('base64')}`,
    ...providerEnvironment(settings),
  };
}

/** The environment with which a separate process reaches the providers of a sandbox. */
export function providerEnvironment({ gateways, messaging, mail, operators, payout }: SandboxSettings) {
  return {
    ...variablesFrom(GATEWAYS.oppwa.variables, gateways.settings.oppwa),
    WHATSAPP_HOST: messaging.host,
    WHATSAPP_PHONE_NUMBER_ID: messaging.phoneNumberId,
    WHATSAPP_ACCESS_TOKEN: messaging.accessToken,
    WHATSAPP_APP_SECRET: messaging.appSecret,
    WHATSAPP_VERIFY_TOKEN: messaging.verifyToken,
    SMTP_URL: mail.url,
    MAIL_FROM: mail.from,
    ...variablesFrom(OPERATORS.http.variables, operators.settings.http),
    PAYOUT_ADDRESS: payout.address,
    PAYOUT_TOKEN: payout.token ?? '',
    PAYOUT_DEBTOR_NAME: payout.debtor.name,
    PAYOUT_DEBTOR_ACCOUNT: payout.debtor.accountNumber,
    PAYOUT_DEBTOR_BANK_CODE: payout.debtor.bankCode,
  };
}

/** The settings of an adapter as environment variables. */
function variablesFrom(variables: Readonly<Record<string, ProviderVariable>>, settings: AdapterSettings) {
  return Object.fromEntries(Object.entries(variables).map(([key, { name }]) => [name, settings[key] ?? '']));
}
