import type { EntityManager } from '@mikro-orm/postgresql';
import { isRefusalCode, Refusal } from '../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId, UserId } from '../domain/ids.ts';
import { depositPosting } from '../domain/ledger/deposits.ts';
import type { Currency } from '../domain/money.ts';
import { LedgerKeyConflict, postToLedger } from './ledger-store.ts';

export type DepositRequest = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  /** Null: the user whose custom reference one of the references is, else the company. */
  readonly userId: UserId | null;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly userReference: string | null;
  readonly isTransit: boolean;
};

export type DepositDone = { readonly accountId: AccountId; readonly createdAt: Date };

/**
 * Credits a deposit in the caller's transaction. The same transaction id again changes nothing and answers the same.
 * Throws `unknown_user`, `duplicate_reference`, `amount_too_large`.
 */
export async function deposit(em: EntityManager, request: DepositRequest): Promise<DepositDone> {
  const { accountId, contraAccountId } = await accountsOf(em, request);
  const [outcome] = await postToLedger(em, [depositPosting({ ...request, accountId, contraAccountId })]).catch(
    (error: unknown) => {
      throw error instanceof LedgerKeyConflict ? duplicateReference() : error;
    },
  );
  if (outcome === undefined) throw new Error('the ledger answered nothing');
  if (outcome.kind === 'refused') {
    if (!isRefusalCode(outcome.code)) throw new Error(`the ledger refused a deposit: ${outcome.code}`);
    throw new Refusal(outcome.code);
  }
  if (outcome.transactionId !== request.transactionId) throw duplicateReference();
  return { accountId, createdAt: outcome.createdAt };
}

function duplicateReference(): Refusal {
  return new Refusal('duplicate_reference', 'another deposit has this external reference');
}

/** The account to credit, and the one the money comes from, in one round trip. */
async function accountsOf(em: EntityManager, request: DepositRequest) {
  const { companyId, userId, currency, userReference, externalReference, isTransit } = request;
  const [row] = await em.execute<{ target: AccountId | null; fallback: AccountId; contra: AccountId }[]>(
    `with asked (company_id, user_id, memo, reference, currency, contra_type) as
       (select ?::uuid, ?::uuid, ?::text, ?::text, ?::text, ?::text)
     select
       (select a.id from app_user u
          join ledger l on l.user_id = u.id and l.company_id = u.company_id
          join account a on a.ledger_id = l.id and a.currency = asked.currency and a.type = 'USER'
        where u.company_id = asked.company_id
          and case when asked.user_id is not null then u.id = asked.user_id
                   else u.custom_reference in (asked.memo, asked.reference) end
        order by (u.custom_reference = asked.memo) desc nulls last limit 1) as target,
       (select a.id from account a
        where a.company_id = asked.company_id and a.type = 'COMPANY' and a.currency = asked.currency) as fallback,
       (select a.id from account a
        where a.company_id = asked.company_id and a.type = asked.contra_type and a.currency = asked.currency) as contra
     from asked`,
    [companyId, userId, userReference, externalReference, currency, isTransit ? 'TRANSIT' : 'BANK'],
  );
  if (row === undefined) throw new Error('no accounts for a deposit');
  if (row.target === null && userId !== null) throw new Refusal('unknown_user');
  return { accountId: row.target ?? row.fallback, contraAccountId: row.contra };
}
