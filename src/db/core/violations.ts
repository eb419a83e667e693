import { DriverException, UniqueConstraintViolationException } from '@mikro-orm/postgresql';

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
