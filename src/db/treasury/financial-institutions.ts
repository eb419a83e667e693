import { readFileSync } from 'node:fs';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { FinancialInstitution } from '../entities/identity.ts';

/** The banks that are delivered with the service. The file's `about` states their source. */
const SEEDS: { institutions: readonly { name: string; code: string; branchCodes: readonly string[] }[] } = JSON.parse(
  readFileSync(new URL('./financial-institutions.json', import.meta.url), 'utf8'),
);

const MAX_INSTITUTIONS = 1_000;

export async function findInstitutions(em: EntityManager): Promise<FinancialInstitution[]> {
  return em.find(FinancialInstitution, {}, { orderBy: { name: 'asc' }, limit: MAX_INSTITUTIONS });
}

/** Adds the banks whose code does not exist yet; leaves the others unchanged. */
export async function seedInstitutions(em: EntityManager): Promise<{ seeded: number; skipped: number }> {
  const rows = SEEDS.institutions.map((institution) => ({ id: uuidv7(), ...institution }));
  const seeded = await em.execute<unknown[]>(
    `insert into financial_institution (id, name, code, branch_codes)
     select id, name, code, "branchCodes"
     from jsonb_to_recordset(?::jsonb) as seed (id uuid, name text, code text, "branchCodes" text[])
     on conflict (code) do nothing returning id`,
    [JSON.stringify(rows)],
  );
  return { seeded: seeded.length, skipped: rows.length - seeded.length };
}
