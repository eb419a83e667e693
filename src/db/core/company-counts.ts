import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import { textArray } from './bound.ts';

/** The sum of a company's stored counts with these names (300-company-counts.sql). They are exact in every transaction. */
export async function sumCompanyCounts(
  em: EntityManager,
  companyId: CompanyId,
  names: readonly string[],
): Promise<number> {
  const [row] = await em.execute<{ total: number }[]>(
    'select coalesce(sum(c.rows), 0)::integer as total from company_counts(?) c where c.counted = any (?::text[])',
    [companyId, textArray(names)],
  );
  return row?.total ?? 0;
}
