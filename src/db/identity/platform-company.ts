import type { EntityManager } from '@mikro-orm/postgresql';
import type { AdministratorId, CompanyId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';

/** The platform's own company; null until it is set up. */
export async function findPlatformCompany(em: EntityManager): Promise<CompanyId | null> {
  const [row] = await em.execute<{ id: CompanyId | null }[]>('select platform_company() as id');
  return row?.id ?? null;
}

/** The same for callers that exist only after the platform was set up. */
export async function requirePlatformCompany(em: EntityManager): Promise<CompanyId> {
  const id = await findPlatformCompany(em);
  if (id === null) throw new Error('there is no platform company');
  return id;
}

/**
 * The role of an administrator who may act in the company: one of its own, or one of the platform. Null if there is none with this
 * id, or if the administrator was removed.
 */
export async function findStaffRole(
  em: EntityManager,
  companyId: CompanyId,
  administratorId: AdministratorId,
): Promise<Role | null> {
  const [row] = await em.execute<{ role: Role }[]>(
    `select role from administrator
     where company_id in (?, (select platform_company())) and id = ? and removed_at is null and (company_id = ? or role = 'SUPER_ADMIN')`,
    [companyId, administratorId, companyId],
  );
  return row?.role ?? null;
}
