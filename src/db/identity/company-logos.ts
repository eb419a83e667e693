import type { EntityManager } from '@mikro-orm/postgresql';

/** A logo by the hex of its SHA-256, before the tenant is known. It is a PNG image. */
export async function findLogo(em: EntityManager, digest: string): Promise<Buffer | null> {
  const [row] = await em.execute<{ content: Buffer | null }[]>('select company_logo_by_digest(?) as content', [digest]);
  return row?.content ?? null;
}
