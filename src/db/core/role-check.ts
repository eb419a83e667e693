import type { MikroORM } from '@mikro-orm/postgresql';
import { StartupError } from '../../config/startup-error.ts';
import { isOutage } from './outage.ts';

/**
 * Refuses a database role that bypasses row-level security or grants: a superuser, a role with BYPASSRLS, or the owner of a
 * table, itself or by membership. An unreachable database is not refused here: readiness reports it.
 * @throws StartupError
 */
export async function refusePrivilegedRole(orm: MikroORM, expected: 'escrow_api' | 'escrow_worker'): Promise<void> {
  const rows = await orm.em
    .fork()
    .execute<{ name: string; is_privileged: boolean }[]>(
      `select current_user::text as name, r.rolsuper or r.rolbypassrls or exists (
         select from pg_class c where c.relnamespace = 'public'::regnamespace and pg_has_role(c.relowner, 'member')
       ) as is_privileged
       from pg_roles r where r.rolname = current_user`,
    )
    .catch((error: unknown) => {
      if (isOutage(error)) return [];
      throw error;
    });
  const [role] = rows;
  if (role?.is_privileged === true)
    throw new StartupError(
      `DATABASE_URL names the role ${role.name}, which is not subject to row-level security: it is a superuser, bypasses it, or owns the tables. ` +
        `Name ${expected}, which the role migrate makes.`,
    );
}
