import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import { CURRENCIES, CURRENCY_CODES, type Currency } from '../../domain/money.ts';

/** Rates by the instant from which they hold. */

export type FeeConfig = {
  readonly kind: 'TRANSFER_TAX';
  readonly currency: Currency;
  readonly basisPoints: number;
  readonly effectiveFrom: Date;
};

/** Makes the default rates of a company that has none, in the caller's transaction. Once: what is there stays. */
export async function seedFeeConfigs(
  em: EntityManager,
  companyId: CompanyId,
): Promise<{ seeded: number; skipped: number }> {
  // Two at once would otherwise both find nothing.
  await em.execute(`select pg_advisory_xact_lock(hashtext('fee_config'), hashtext(?))`, [companyId]);
  let seeded = 0;
  for (const currency of CURRENCY_CODES) {
    const made = await em.execute<unknown[]>(
      `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
       select ?, 'TRANSFER_TAX', ?, ?, now()
       where not exists (select from fee_config where company_id = ? and kind = 'TRANSFER_TAX' and currency = ?)
       returning 1`,
      [companyId, currency, CURRENCIES[currency].transferTaxBasisPoints, companyId, currency],
    );
    seeded += made.length;
  }
  return { seeded, skipped: CURRENCY_CODES.length - seeded };
}

/** The rate in force now; null where the company has none. */
export async function transferTaxBasisPoints(
  em: EntityManager,
  companyId: CompanyId,
  currency: Currency,
): Promise<number | null> {
  const [row] = await em.execute<{ basis_points: number }[]>(
    `select basis_points from fee_config
     where company_id = ? and kind = 'TRANSFER_TAX' and currency = ? and effective_from <= now()
     order by effective_from desc limit 1`,
    [companyId, currency],
  );
  return row?.basis_points ?? null;
}

/** Every rate there was, is and will be, the latest first. */
export async function findFeeConfigs(em: EntityManager, companyId: CompanyId): Promise<FeeConfig[]> {
  const rows = await em.execute<
    { kind: FeeConfig['kind']; currency: Currency; basis_points: number; effective_from: Date }[]
  >(
    `select kind, currency, basis_points, effective_from from fee_config where company_id = ?
     order by kind, currency, effective_from desc limit 1000`,
    [companyId],
  );
  return rows.map((row) => ({
    kind: row.kind,
    currency: row.currency,
    basisPoints: row.basis_points,
    effectiveFrom: new Date(row.effective_from),
  }));
}
