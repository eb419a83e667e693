import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { amountDetails, Refusal } from '../../domain/errors.ts';
import { type CompanyId, publicId, type TransactionId } from '../../domain/ids.ts';
import {
  type IntercompanySettlement,
  type IntercompanySide,
  paymentPosting,
  receiptPosting,
} from '../../domain/ledger/intercompany.ts';
import type { Currency } from '../../domain/money.ts';
import { continueInTenant } from '../core/orm.ts';
import { requirePlatformCompany } from '../identity/platform-company.ts';
import { companyAccount } from '../ledger/own-accounts.ts';
import { postAll } from '../ledger/post.ts';
import { lockCash } from './cash-backing.ts';

/** What companies owe the platform, and its settlement. See docs/adr/0017. */

type IntercompanyDebt = {
  readonly companyId: CompanyId;
  readonly name: string;
  readonly currency: Currency;
  readonly owedCents: bigint;
  /** What the company may pay out after its debt is paid; negative if it lacks cash for the debt. */
  readonly payableCents: bigint;
};

type DebtRow = {
  company_id: CompanyId;
  name: string;
  currency: Currency;
  owed_cents: string;
  payable_cents: string;
};

/** A page of the debts of all companies, by name. The transaction must be tied to the platform's company. */
export async function listDebts(
  em: EntityManager,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ records: IntercompanyDebt[]; total: number }> {
  const rows = await em.execute<DebtRow[]>('select * from intercompany_debts(null) limit ? offset ?', [limit, offset]);
  const [count] = await em.execute<{ total: number }[]>(
    'select count(*)::integer as total from intercompany_debts(null)',
  );
  return { records: rows.map(debtOf), total: count?.total ?? 0 };
}

function debtOf(row: DebtRow): IntercompanyDebt {
  return {
    companyId: row.company_id,
    name: row.name,
    currency: row.currency,
    owedCents: BigInt(row.owed_cents),
    payableCents: BigInt(row.payable_cents),
  };
}

type SettleDebtRequest = {
  readonly settlementId: TransactionId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  /** Null: all that is owed. */
  readonly amountCents: bigint | null;
  readonly reference: string;
  /** Whether the company must have the cash. */
  readonly mustBeBacked: boolean;
};

type SettledDebt = {
  readonly settlementId: TransactionId;
  readonly receiptId: TransactionId;
  readonly amountCents: bigint;
  /** What the company still owes. */
  readonly remainingCents: bigint;
  readonly createdAt: Date;
};

/**
 * Settles what a company owes the platform, or a part of it: both postings in the caller's transaction, which is tied to the
 * company first and to the platform at the end. A repetition with the same id changes nothing.
 *
 * Throws `not_found` if there is no such company; `wrong_state` if the amount is more than the debt; `duplicate_reference` if
 * another settlement of the company has the reference; `payout_not_backed` without the cash.
 */
export async function settleDebt(em: EntityManager, request: SettleDebtRequest): Promise<SettledDebt> {
  const { settlementId, companyId, currency, reference } = request;
  await lockCash(em, companyId, currency);
  const earlier = await findSettlement(em, request);
  const debt = await findDebt(em, companyId, currency);
  if (earlier !== undefined) {
    if (earlier.settlementId !== settlementId)
      throw new Refusal('duplicate_reference', 'the reference is already used by another settlement', {
        duplicateOf: publicId('transaction', earlier.settlementId),
      });
    return { ...earlier, remainingCents: debt?.owedCents ?? 0n };
  }
  if (debt === undefined) {
    const [company] = await em.execute<unknown[]>('select 1 from company where id = ?', [companyId]);
    if (company === undefined) throw new Refusal('not_found', 'company not found');
    throw new Refusal('wrong_state', `the company owes nothing in ${currency}`);
  }
  const amountCents = request.amountCents ?? debt.owedCents;
  if (amountCents > debt.owedCents)
    throw new Refusal('wrong_state', `only ${debt.owedCents} cents are owed`, {
      details: amountDetails(debt.owedCents, amountCents, currency),
    });
  const backedCents = debt.payableCents + debt.owedCents;
  if (request.mustBeBacked && amountCents > backedCents)
    throw new Refusal('payout_not_backed', undefined, { details: amountDetails(backedCents, amountCents, currency) });

  const receiptId = uuidv7() as TransactionId; // made here
  const platformId = await requirePlatformCompany(em);
  const settlement = { settlementId, receiptId, companyId, platformId, currency, amountCents, reference };
  await postAll(em, [paymentPosting(settlement, await sideOf(em, companyId, currency))]);
  const createdAt = await record(em, settlement);
  await continueInTenant(em, platformId);
  await postAll(em, [receiptPosting(settlement, await sideOf(em, platformId, currency))]);
  return { settlementId, receiptId, amountCents, remainingCents: debt.owedCents - amountCents, createdAt };
}

async function findDebt(em: EntityManager, companyId: CompanyId, currency: Currency) {
  const rows = await em.execute<DebtRow[]>('select * from intercompany_debts(?) where currency = ?', [
    companyId,
    currency,
  ]);
  return rows.map(debtOf)[0];
}

async function findSettlement(em: EntityManager, { settlementId, companyId, currency, reference }: SettleDebtRequest) {
  const [row] = await em.execute<
    { id: TransactionId; receipt_id: TransactionId; amount_cents: string; created_at: Date }[]
  >(
    `select id, receipt_id, amount_cents::text as amount_cents, created_at from intercompany_settlement
     where company_id = ? and (id = ? or (currency = ? and reference = ?))`,
    [companyId, settlementId, currency, reference],
  );
  if (row === undefined) return undefined;
  return {
    settlementId: row.id,
    receiptId: row.receipt_id,
    amountCents: BigInt(row.amount_cents),
    createdAt: new Date(row.created_at),
  };
}

async function sideOf(em: EntityManager, companyId: CompanyId, currency: Currency): Promise<IntercompanySide> {
  return {
    intercompanyId: await companyAccount(em, companyId, 'INTERCOMPANY', currency),
    bankId: await companyAccount(em, companyId, 'BANK', currency),
  };
}

async function record(em: EntityManager, settlement: IntercompanySettlement): Promise<Date> {
  const { settlementId, receiptId, companyId, currency, amountCents, reference } = settlement;
  const [row] = await em.execute<{ created_at: Date }[]>(
    `insert into intercompany_settlement (id, receipt_id, company_id, currency, amount_cents, reference)
     values (?, ?, ?, ?, ?, ?) returning created_at`,
    [settlementId, receiptId, companyId, currency, amountCents.toString(), reference],
  );
  if (row === undefined) throw new Error('the settlement was not recorded');
  return new Date(row.created_at);
}
