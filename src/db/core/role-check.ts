import type { MikroORM } from '@mikro-orm/postgresql';
import { isOutage } from './database-errors.ts';

export type ServiceRole = 'escrow_api' | 'escrow_worker';

type ConnectedRole = {
  readonly name: string;
  /**
   * It bypasses row-level security or grants: a superuser, a role with BYPASSRLS, or the owner of a table, itself or by
   * membership.
   */
  readonly isPrivileged: boolean;
  /** The roles of the service whose rights it has. */
  readonly has: readonly ServiceRole[];
};

/** The role of the connection. Null if the database cannot be reached, which readiness reports. */
export async function findConnectedRole(orm: MikroORM): Promise<ConnectedRole | null> {
  const rows = await orm.em
    .fork()
    .execute<{ name: string; is_privileged: boolean; has: ServiceRole[] }[]>(
      `select current_user::text as name, r.rolsuper or r.rolbypassrls or exists (
         select from pg_class c where c.relnamespace = 'public'::regnamespace and pg_has_role(c.relowner, 'member')
       ) as is_privileged, array(
         select s.rolname::text from pg_roles s
         where s.rolname in ('escrow_api', 'escrow_worker') and pg_has_role(s.oid, 'member') order by 1
       ) as has
       from pg_roles r where r.rolname = current_user`,
    )
    .catch((error: unknown) => {
      if (isOutage(error)) return [];
      throw error;
    });
  const [role] = rows;
  return role === undefined ? null : { name: role.name, isPrivileged: role.is_privileged, has: role.has };
}
