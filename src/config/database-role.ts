import type { MikroORM } from '@mikro-orm/postgresql';
import { findPrivilegedRole } from '../db/core/role-check.ts';
import { StartupError } from './startup-error.ts';

/**
 * Checks that DATABASE_URL, or the other variable named, has a role that row-level security and grants apply to.
 * @throws StartupError
 */
export async function refusePrivilegedRole(
  orm: MikroORM,
  expected: 'escrow_api' | 'escrow_worker',
  variable: 'DATABASE_URL' | 'DATABASE_READ_URL' = 'DATABASE_URL',
): Promise<void> {
  const name = await findPrivilegedRole(orm);
  if (name === null) return;
  throw new StartupError(
    `${variable} names the role ${name}, which is not subject to row-level security: it is a superuser, bypasses it, or owns the tables. ` +
      `Name ${expected}, which the role migrate makes.`,
  );
}
