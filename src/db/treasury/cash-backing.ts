import type { EntityManager } from '@mikro-orm/postgresql';
import { amountDetails, Refusal } from '../../domain/errors.ts';
import type { CompanyId } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';

/** Payouts are backed by cash that the company has received: captured, or settled by a gateway. See docs/adr/0017. */

/** The amount that the company may still pay out, in cents; negative if it has paid out more than it received. */
async function payableCents(em: EntityManager, companyId: CompanyId, currency: Currency): Promise<bigint> {
  const [row] = await em.execute<{ cents: string | null }[]>('select company_payable_cash(?, ?)::text as cents', [
    companyId,
    currency,
  ]);
  return BigInt(row?.cents ?? 0);
}

/**
 * Throws `payout_not_backed` if the company's payouts exceed its cash and its limit. The payout of `payoutCents`, which this
 * transaction has just written, counts too. Runs in the transaction that writes the payout; concurrent payouts are serialised.
 */
export async function assertBacked(
  em: EntityManager,
  companyId: CompanyId,
  currency: Currency,
  payoutCents: bigint,
): Promise<void> {
  await lockCash(em, companyId, currency);
  const leftCents = await payableCents(em, companyId, currency);
  if (leftCents < 0n)
    throw new Refusal('payout_not_backed', undefined, {
      details: amountDetails(leftCents + payoutCents, payoutCents, currency),
    });
}

/** Serialises everything that takes cash of a company, until the end of the transaction. */
export async function lockCash(em: EntityManager, companyId: CompanyId, currency: Currency): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`cash/${companyId}/${currency}`]);
}

/** Sets how much a company may pay out beyond its cash. */
export async function setPayoutLimit(
  em: EntityManager,
  companyId: CompanyId,
  currency: Currency,
  amountCents: bigint,
): Promise<void> {
  await em.execute(
    `insert into payout_limit (company_id, currency, amount_cents) values (?, ?, ?)
     on conflict (company_id, currency) do update set amount_cents = excluded.amount_cents, updated_at = now()`,
    [companyId, currency, amountCents.toString()],
  );
}
