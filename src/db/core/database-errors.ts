import { isNativeError } from 'node:util/types';
import { DriverException, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { codeOf } from '../../observability/thrown.ts';

/**
 * SQLSTATE classes and codes that mean the database is unavailable, starting, stopping or too slow (57014: statement_timeout,
 * 55P03: lock_timeout, 25P03: idle in a transaction, 53100: the disk is full, 25006: the server is a standby after a failover). 08P01
 * means that the client violated the protocol, except as the end of a connection: a pooler reports with it that it has no server.
 */
const OUTAGE_STATES = /^(08(?!P01)|57P0[1-3]|53[1-3]00|57014|55P03|25P03|25006)/;
/** The SQLSTATEs of an outage begin with a digit, and the system's codes with a letter. */
const SQLSTATE = /^\d[0-9A-Z]{4}$/;
const PROTOCOL_VIOLATION = '08P01';
const OUTAGE_ERRNOS = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN'],
]);
/** Node's message when the peer closes a request or a response early. The code is ECONNRESET too. */
const BROKEN_OFF = 'aborted';
const OUTAGE_MESSAGES =
  /Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed)/;

/** Whether `error`, or its cause, says that the database cannot be reached or does not answer in time. */
export function isOutage(error: unknown): boolean {
  if (!isNativeError(error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (OUTAGE_STATES.test(code) || OUTAGE_MESSAGES.test(error.message)) return true;
  if (OUTAGE_ERRNOS.has(code) && error.message !== BROKEN_OFF) return true;
  if (code === PROTOCOL_VIOLATION && 'severity' in error && error.severity === 'FATAL') return true;
  if (error instanceof AggregateError && error.errors.some(isOutage)) return true;
  return isOutage(error.cause) || ('previous' in error && isOutage(error.previous));
}

/** Whether `error` is an outage in which the database did not even answer with an error of its own. */
export function isSilence(error: unknown): boolean {
  return isOutage(error) && !SQLSTATE.test(codeOf(error) ?? '');
}

/** The SQLSTATE of a statement for which the role lacks a privilege. */
const INSUFFICIENT_PRIVILEGE = '42501';

export function isDenied(error: unknown): boolean {
  return codeOf(error) === INSUFFICIENT_PRIVILEGE;
}

/** SQLSTATE classes of values that the database never accepts: data exceptions and violated constraints. */
const REJECTED_VALUES = /^2[23]/;

/** The SQLSTATE of an error that PostgreSQL reported; empty for any other error. */
export function sqlStateOf(error: unknown): string {
  return error instanceof DriverException ? String(error.code ?? '') : '';
}

/** Whether PostgreSQL rejected the values of a statement, so that a retry would fail too. */
export function rejectsValues(error: unknown): boolean {
  return REJECTED_VALUES.test(sqlStateOf(error));
}

/** The name of the unique constraint or index that `error` reports as violated; `undefined` for any other error. */
export function violatedUnique(error: unknown): string | undefined {
  if (!(error instanceof UniqueConstraintViolationException)) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}

/** Thrown to roll back a step of an entity when another transaction wrote that sequence number first. */
export class SequenceConflict extends Error {}
