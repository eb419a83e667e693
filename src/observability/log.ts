import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { censoredFields } from './metrics.ts';
import { codeOf, messageOf } from './thrown.ts';
import { currentRequestId } from './tracing/request.ts';

/** The names of fields that may contain a secret or personal data. They are never printed, at any depth of a logged object. */
const SENSITIVE: ReadonlySet<string> = new Set([
  'authorization',
  'password',
  'passwordHash',
  'currentPassword',
  'newPassword',
  'apiKey',
  'key',
  'secret_key',
  'accessToken',
  'refreshToken',
  'mobileNumber',
  'phoneNumber',
  'messagingNumber',
  'idNumber',
  'otp',
  'bankAccount',
  'account_number',
  'accountNumber',
  'email',
  'firstName',
  'lastName',
  'params',
  'query',
  'x-api-key',
]);
const CENSORED = '[redacted]';
/** Deeper objects are not printed. */
const MAX_DEPTH = 8;

/** PostgreSQL's code, which operators need not know by heart. */
const DISK_FULL = '53100';

/**
 * An error without the ORM's message, which contains whole statements with their values. The log gets the message of PostgreSQL
 * or Node, and the stack.
 */
function safeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const isStatement = 'sqlMessage' in error || error.constructor.name.endsWith('Exception');
  const cause = error.cause instanceof Error ? error.cause : 'previous' in error ? error.previous : undefined;
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    ...('code' in error && error.code === DISK_FULL ? { meaning: 'the disk of the database is full' } : {}),
    ...('constraint' in error ? { constraint: error.constraint } : {}),
    ...(isStatement ? {} : { message: error.message }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12),
    ...(cause === undefined || cause === error ? {} : { cause: safeError(cause) }),
  };
}

/** The fields of a line as they are printed: without the values of sensitive fields. */
function withoutSecrets(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!SENSITIVE.has(name)) return [name, printable(value, depth + 1)];
      censoredFields.inc();
      return [name, CENSORED];
    }),
  );
}

function printable(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return safeError(value);
  if (depth > MAX_DEPTH) return '[deeper]';
  if ('toJSON' in value && typeof value.toJSON === 'function') return printable(value.toJSON(), depth + 1);
  return Array.isArray(value) ? value.map((element) => printable(element, depth + 1)) : withoutSecrets(value, depth);
}

/** What is logged as an error may be any thrown value. */
function errorIn(name: 'err' | 'error', thrown: unknown): Record<string, unknown> {
  return thrown === undefined ? {} : { [name]: safeError(thrown) };
}

/**
 * Structured logs, one JSON object per line, by default to standard output. A line that is logged during the work for a request
 * of the API contains the request's id, in the worker too.
 */
export function createLog(level: LoggerOptions['level'] = 'info', destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    formatters: {
      log: ({ err, error, ...fields }) => ({
        ...withoutSecrets(fields),
        ...errorIn('err', err),
        ...errorIn('error', error),
      }),
    },
    serializers: { err: (printed: unknown) => printed }, // instead of pino's own
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  };
  return pino(options, destination ?? standardOutput());
}

/** Lines that could not be written yet; further ones are dropped. */
const MAX_UNWRITTEN_BYTES = 1_048_576;

/**
 * Standard output. While it cannot be written, as on a full disk, the service goes on, and the lines wait. A process that ends does not
 * wait for them: pino would try for ever.
 */
function standardOutput(): DestinationStream {
  const stream = pino.destination({ dest: 1, sync: false, maxLength: MAX_UNWRITTEN_BYTES });
  let isStuck = false;
  stream.on('error', (error: unknown) => {
    if (!isStuck) console.error(`The log cannot be written: ${messageOf(error)}`);
    isStuck = true;
  });
  stream.on('drain', () => {
    isStuck = false;
  });
  process.prependListener('exit', () => {
    if (isStuck) stream.destroy();
  });
  return stream;
}

export type TroubleLog = {
  /** A failure. It is logged if the previous one was of another kind, or if there was none. */
  readonly failed: (error: unknown, details?: object) => void;
  /** A success. It is logged if the previous attempt failed. */
  readonly worked: () => void;
};

/** Logs when something begins to fail and when it works again, so that an outage does not fill the log. */
export function troubleLog(log: Pick<Logger, 'error' | 'info'>, what: string): TroubleLog {
  let kind: string | undefined;
  let failures = 0;
  return {
    failed(error, details = {}) {
      const before = kind;
      kind = codeOf(error) ?? (error instanceof Error ? error.name : 'unknown');
      failures += 1;
      if (kind !== before) log.error({ ...details, err: error }, `${what} failed; it will be retried`);
    },
    worked() {
      if (kind !== undefined) log.info({ failures }, `${what} works again`);
      kind = undefined;
      failures = 0;
    },
  };
}
