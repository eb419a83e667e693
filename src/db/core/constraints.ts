import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';

/** The name of the unique constraint or index that `error` reports as violated; `undefined` for any other error. */
export function violatedUnique(error: unknown): string | undefined {
  if (!(error instanceof UniqueConstraintViolationException)) return undefined;
  return 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';
}
