import { StartupError } from '../config/startup-error.ts';
import { codeOf, messageOf } from '../observability/thrown.ts';
import type { Log, RunningRole } from './shared.ts';

type RunOptions = {
  /** If its signal is aborted, a start stops as soon as possible, and stops the parts that have started. */
  readonly start: (signal: AbortSignal) => Promise<RunningRole | undefined>;
  readonly log: Log;
  /** Whether failures are printed with their stack. */
  readonly isDebug: boolean;
};

type End =
  | { readonly kind: 'done' }
  | { readonly kind: 'signal' }
  | { readonly kind: 'failure'; readonly error: unknown };

const STOP_TIMEOUT_MS = 40_000;

/**
 * Runs a role until its work is done, a signal stops it, or something fails. In every
 * case everything that was started is stopped.
 * @returns the exit code
 */
export async function run({ start, log, isDebug }: RunOptions): Promise<number> {
  const giveUp = new AbortController();
  const interrupted = interruption();
  const awake = setInterval(() => undefined, 60_000); // Node ends a process that only waits for promises
  const starting = start(giveUp.signal).then((role) => ({ kind: 'started', role }) as const, failure);

  const first = await Promise.race([interrupted, starting]);
  const end = first.kind === 'started' ? await endOf(first.role, interrupted) : first;

  if (end.kind === 'signal') log('Stopping …');
  if (end.kind === 'failure') console.error(tell(end.error, isDebug)); // before the stop, which may not end in time
  process.on('SIGINT', () => process.exit(130)); // a second Ctrl-C ends it at once
  const overdue = setTimeout(() => process.exit(1), STOP_TIMEOUT_MS);
  if (first.kind !== 'started') giveUp.abort();
  try {
    const started = await starting;
    if (started.kind === 'started') await started.role?.stop();
  } catch (error) {
    console.error(tell(error, isDebug));
  }
  clearTimeout(overdue);
  clearInterval(awake);
  if (end.kind === 'signal') log('Stopped.');
  return end.kind === 'failure' ? 1 : 0;
}

async function endOf(role: RunningRole | undefined, interrupted: Promise<End>): Promise<End> {
  return role === undefined ? { kind: 'done' } : Promise.race([interrupted, role.failed.then(failure)]);
}

function failure(error: unknown): End {
  return { kind: 'failure', error };
}

/** The first signal to stop, or the first uncaught error. */
function interruption(): Promise<End> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve({ kind: 'signal' }));
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (error: unknown) => resolve({ kind: 'failure', error }));
    }
  });
}

/** The most frequent causes of a failed start, by the code or the name of the error, and what to do. */
const REMEDIES: Readonly<Record<string, string>> = {
  '28P01':
    'DATABASE_URL: PostgreSQL refuses the password. Set it as in DATABASE_…_PASSWORD, and run npm run migrate after a change.',
  '28000': 'DATABASE_URL: PostgreSQL does not let this role log in. Run npm run migrate, or see pg_hba.conf.',
  '3D000': 'DATABASE_URL: the database does not exist. Create it, owned by escrow_owner.',
  '42501':
    'DATABASE_URL: the role lacks a privilege. Migrations need the role that owns the database, with createrole.',
  '53100': "PostgreSQL's disk is full. Free space, then start again.",
  ECONNREFUSED: 'DATABASE_URL or TEMPORAL_ADDRESS: nothing listens there. Start the server, or correct the address.',
  ENOTFOUND: 'DATABASE_URL or TEMPORAL_ADDRESS: the host has no address. Correct the name.',
  EAI_AGAIN: 'DATABASE_URL or TEMPORAL_ADDRESS: the host has no address, or no name server answers.',
  SchemaDiffers: 'DATABASE_URL: the schema does not fit this version.',
  NamespaceNotFoundError:
    'TEMPORAL_NAMESPACE: the namespace does not exist. Create it: temporal operator namespace create.',
};

function remedyOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const remedy = REMEDIES[codeOf(at) ?? ''] ?? REMEDIES[at.name];
    if (remedy !== undefined) return remedy;
    if (/namespace .*not found/i.test(at.message)) return REMEDIES.NamespaceNotFoundError;
  }
  return undefined;
}

function tell(error: unknown, isDebug: boolean): string {
  if (isDebug && error instanceof Error) return error.stack ?? error.message;
  if (error instanceof StartupError) return error.message;
  const remedy = remedyOf(error);
  const cause = `${messageOf(error)} (LOG_LEVEL=debug prints the stack)`;
  return remedy === undefined ? `It failed unexpectedly: ${cause}` : `${remedy}\nThe cause: ${cause}`;
}
