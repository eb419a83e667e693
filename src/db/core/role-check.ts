import type { MikroORM } from '@mikro-orm/postgresql';
import { isOutage } from './outage.ts';

/**
 * The name of the connected role if it bypasses row-level security or grants: a superuser, a role with BYPASSRLS, or the owner
 * of a table, itself or by membership. Null for other roles, and if the database cannot be reached, which readiness reports.
 */
export async function findPrivilegedRole(orm: MikroORM): Promise<string | null> {
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
  return role?.is_privileged === true ? role.name : null;
}
