import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { isRefusalCode, Refusal } from '../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId, UserId } from '../domain/ids.ts';
import { depositPosting } from '../domain/ledger/deposits.ts';
import type { Posting, PostingOutcome } from '../domain/ledger/postings.ts';
import type { Currency } from '../domain/money.ts';
import { Batcher } from './batcher.ts';
import { LedgerKeyConflict, postToLedger } from './ledger-store.ts';
import { inTenant } from './orm.ts';
import { findTransaction, type TransactionRecord } from './transactions.ts';

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

export type DepositDone = { readonly accountId: AccountId; readonly transaction: TransactionRecord };

/**
 * Credits deposits, those of one company that come at the same time in one transaction. The same transaction id again
 * changes nothing and answers what is there. Throws `unknown_user`, `duplicate_reference`, `amount_too_large`.
 */
export type Depositor = (request: DepositRequest) => Promise<DepositDone>;

export function createDepositor(orm: MikroORM): Depositor {
  const batcher = new Batcher((requests: readonly DepositRequest[]) => depositByCompany(orm, requests), {
    maxItems: 100,
    maxInFlight: 2,
  });
  return async (request) => {
    const result = await batcher.submit(request);
    if (result instanceof Refusal) throw result;
    return result;
  };
}

async function depositByCompany(
  orm: MikroORM,
  requests: readonly DepositRequest[],
): Promise<(DepositDone | Refusal)[]> {
  const companies = Map.groupBy(requests, ({ companyId }) => companyId);
  const results = new Map<DepositRequest, DepositDone | Refusal>();
  for (const [companyId, ofCompany] of companies) {
    const done = await inTenant(orm, companyId, (em) => depositAll(em, companyId, ofCompany)).catch(
      (error: unknown) => {
        // The reference of one of them was posted with other content, which undoes them all.
        if (error instanceof LedgerKeyConflict && ofCompany.length === 1) return [duplicateReference()];
        throw error;
      },
    );
    for (const [index, request] of ofCompany.entries()) {
      const result = done[index];
      if (result !== undefined) results.set(request, result);
    }
  }
  return requests.map((request) => results.get(request) ?? new Refusal('dependency_unavailable'));
}

/** Credits deposits of one company in the caller's transaction; a refused one is answered as its refusal, and fails alone. */
export async function depositAll(
  em: EntityManager,
  companyId: CompanyId,
  requests: readonly DepositRequest[],
): Promise<(DepositDone | Refusal)[]> {
  const accounts = await findDepositAccounts(em, companyId, requests);
  const known = requests.flatMap((request, index) => {
    const found = accounts[index];
    if (found === undefined || (found.target === null && request.userId !== null)) return [];
    const accountId = found.target ?? found.fallback;
    return [{ request, accountId, posting: depositPosting({ ...request, accountId, contraAccountId: found.contra }) }];
  });
  const outcomes = await postToLedger(
    em,
    known.map(({ posting }) => posting),
  );
  const results = new Map<DepositRequest, DepositDone | Refusal>();
  for (const [index, { request, accountId, posting }] of known.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('the ledger left a deposit unanswered');
    results.set(request, await resultOf(em, posting, accountId, outcome));
  }
  return requests.map((request) => results.get(request) ?? new Refusal('unknown_user'));
}

async function resultOf(
  em: EntityManager,
  posting: Posting,
  accountId: AccountId,
  outcome: PostingOutcome,
): Promise<DepositDone | Refusal> {
  if (outcome.kind === 'refused') {
    if (!isRefusalCode(outcome.code)) throw new Error(`the ledger refused a deposit: ${outcome.code}`);
    return new Refusal(outcome.code);
  }
  if (outcome.transactionId !== posting.transactionId) return duplicateReference();
  // Posted before, by a try whose answer was lost: it may have settled since.
  const before =
    outcome.kind === 'duplicate' ? await findTransaction(em, posting.companyId, posting.transactionId) : null;
  return { accountId, transaction: before ?? recordOf(posting, outcome.createdAt) };
}

function recordOf(posting: Posting, createdAt: Date): TransactionRecord {
  const { transactionId: id, type, status, amountCents, currency, reference, escrowId, metadata } = posting;
  return { id, type, status, amountCents, currency, reference, escrowId, metadata: { ...metadata }, createdAt };
}

function duplicateReference(): Refusal {
  return new Refusal('duplicate_reference', 'another deposit has this external reference');
}

type DepositAccounts = { readonly target: AccountId | null; readonly fallback: AccountId; readonly contra: AccountId };

/** Where each deposit goes and where its money comes from, in one round trip. */
async function findDepositAccounts(
  em: EntityManager,
  companyId: CompanyId,
  requests: readonly DepositRequest[],
): Promise<DepositAccounts[]> {
  const asked = requests.map(({ userId, userReference, externalReference, currency, isTransit }) => ({
    user_id: userId,
    memo: userReference,
    reference: externalReference,
    currency,
    is_transit: isTransit,
  }));
  return em.execute<DepositAccounts[]>(
    'select target, fallback, contra from deposit_accounts(?, ?::jsonb) order by ordinal',
    [companyId, JSON.stringify(asked)],
  );
}
