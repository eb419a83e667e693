import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';

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
