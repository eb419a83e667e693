import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowFees } from '../../domain/escrow/escrow.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { CURRENCIES, CURRENCY_CODES, type Currency } from '../../domain/money.ts';
import { textArray } from '../core/bound.ts';
import type { Company } from '../entities/tenancy.ts';

/** Rates with the instant from which they apply, per company and currency. */

export const FEE_KINDS = ['TRANSFER_TAX', 'SYSTEM_FEE', 'SERVICE_FEE'] as const;
export type FeeKind = (typeof FEE_KINDS)[number];

export type FeeConfig = {
  readonly kind: FeeKind;
  readonly currency: Currency;
  readonly basisPoints: number;
  readonly effectiveFrom: Date;
};

/** The maximum number of rates in a list. */
export const MAX_FEE_CONFIGS = 1_000;

type CompanyFees = Pick<Company, 'id' | 'systemFeeBasisPoints' | 'serviceFeeBasisPoints'>;

/**
 * Creates the default rates of a company, in the caller's transaction: transfer tax, and the company's fees. Existing rates
 * stay.
 */
export async function seedFeeConfigs(
  em: EntityManager,
  company: CompanyFees,
): Promise<{ seeded: number; skipped: number }> {
  const rates = CURRENCY_CODES.flatMap((currency) => [
    { kind: 'TRANSFER_TAX', currency, basis_points: CURRENCIES[currency].transferTaxBasisPoints },
    { kind: 'SYSTEM_FEE', currency, basis_points: company.systemFeeBasisPoints },
    { kind: 'SERVICE_FEE', currency, basis_points: company.serviceFeeBasisPoints },
  ]);
  // Without the lock, two concurrent calls would both find nothing.
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`fee-configs/${company.id}`]);
  const made = await em.execute<unknown[]>(
    `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
     select ?, rate.kind, rate.currency, rate.basis_points, now()
     from jsonb_to_recordset(?::jsonb) as rate (kind text, currency text, basis_points integer)
     where not exists (
       select from fee_config f where f.company_id = ? and f.kind = rate.kind and f.currency = rate.currency)
     returning 1`,
    [company.id, JSON.stringify(rates), company.id],
  );
  return { seeded: made.length, skipped: rates.length - made.length };
}

/** Records a new fee for escrows that are created from now on, in every currency. In the caller's transaction. */
export async function changeFee(
  em: EntityManager,
  companyId: CompanyId,
  kind: Exclude<FeeKind, 'TRANSFER_TAX'>,
  basisPoints: number,
): Promise<void> {
  await em.execute(
    `insert into fee_config (company_id, kind, currency, basis_points, effective_from)
     select ?, ?, currency, ?, clock_timestamp() from unnest(?::text[]) as currency`,
    [companyId, kind, basisPoints, textArray(CURRENCY_CODES)],
  );
}

/** The fees for an escrow that is created now: the rates in force in its currency, else the company's initial rates. */
export async function feesInForce(
  em: EntityManager,
  company: CompanyFees & Pick<Company, 'createdAt'>,
  currency: Currency,
): Promise<EscrowFees> {
  const rows = await em.execute<{ kind: FeeKind; basis_points: number; effective_from: Date }[]>(
    `select distinct on (kind) kind, basis_points, effective_from from fee_config
     where company_id = ? and kind in ('SYSTEM_FEE', 'SERVICE_FEE') and currency = ? and effective_from <= clock_timestamp()
     order by kind, effective_from desc`,
    [company.id, currency],
  );
  const inForce = (kind: FeeKind, initial: number) => {
    const row = rows.find((one) => one.kind === kind);
    return row === undefined
      ? { basisPoints: initial, since: company.createdAt.toISOString() }
      : { basisPoints: row.basis_points, since: new Date(row.effective_from).toISOString() };
  };
  const system = inForce('SYSTEM_FEE', company.systemFeeBasisPoints);
  const service = inForce('SERVICE_FEE', company.serviceFeeBasisPoints);
  return {
    systemFeeBasisPoints: system.basisPoints,
    serviceFeeBasisPoints: service.basisPoints,
    systemFeeSince: system.since,
    serviceFeeSince: service.since,
  };
}

/** The transfer tax in force now; null if the company has none. */
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

/** Past, current and future rates by kind and currency, the latest first. Beyond `MAX_FEE_CONFIGS` the oldest are left out. */
export async function findFeeConfigs(em: EntityManager, companyId: CompanyId): Promise<FeeConfig[]> {
  const rows = await em.execute<
    { kind: FeeConfig['kind']; currency: Currency; basis_points: number; effective_from: Date }[]
  >(
    `select kind, currency, basis_points, effective_from from (
       select * from fee_config where company_id = ? order by effective_from desc, kind, currency limit ?
     ) latest
     order by kind, currency, effective_from desc`,
    [companyId, MAX_FEE_CONFIGS],
  );
  return rows.map((row) => ({
    kind: row.kind,
    currency: row.currency,
    basisPoints: row.basis_points,
    effectiveFrom: new Date(row.effective_from),
  }));
}
