import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { currentRequestId } from './tracing/request.ts';

/** The names of fields that may contain a secret or personal data. They are never printed, at any depth of a logged object. */
const SENSITIVE = [
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
] as const;

/**
 * An error without the ORM's message, which contains whole statements with their values. The log gets
 * the message of PostgreSQL or Node, and the stack.
 */
export function safeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: 'not an error' };
  const isStatement = 'sqlMessage' in error || error.constructor.name.endsWith('Exception');
  const cause = error.cause instanceof Error ? error.cause : 'previous' in error ? error.previous : undefined;
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    ...('constraint' in error ? { constraint: error.constraint } : {}),
    ...(isStatement ? {} : { message: error.message }),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12),
    ...(cause === undefined || cause === error ? {} : { cause: safeError(cause) }),
  };
}

const paths = SENSITIVE.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * Structured logs, one JSON object per line, by default to standard output. A line that is logged during the work for a request
 * of the API contains the request's id, in the worker too.
 */
export function createLog(level: LoggerOptions['level'] = 'info', destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    redact: { paths: [...paths, '*.headers["x-api-key"]'], censor: '[redacted]' },
    serializers: { err: safeError, error: safeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: () => {
      const requestId = currentRequestId();
      return requestId === undefined ? {} : { requestId };
    },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
