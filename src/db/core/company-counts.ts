import type { CompanyId } from '../../domain/ids.ts';
import { textArray } from './bound.ts';
import type { Bound } from './list-reader.ts';

/** The sum of a company's stored counts with these names (300-company-counts.sql). They are exact in every transaction. */
export function sumOfCompanyCounts(companyId: CompanyId, names: readonly string[]): Bound {
  return {
    sql: '(select coalesce(sum(c.rows), 0)::integer from company_counts(?) c where c.counted = any (?::text[]))',
    values: [companyId, textArray(names)],
  };
}
