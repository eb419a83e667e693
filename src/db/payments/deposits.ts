import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { isRefusalCode, Refusal } from '../../domain/errors.ts';
import {
  type AccountId,
  type CompanyId,
  idMadeBy,
  publicId,
  type TransactionId,
  type UserId,
} from '../../domain/ids.ts';
import { depositPosting } from '../../domain/ledger/deposits.ts';
import type { Posting, PostingResult } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { batchedBy } from '../core/batcher.ts';
import { inTenant } from '../core/orm.ts';
import { currentOrigin, type Origin } from '../core/source.ts';
import { LedgerKeyConflict, postToLedger } from '../ledger/post.ts';
import { findTransaction, type TransactionRecord } from '../ledger/transactions.ts';
import {
  type Answer,
  claimKeysWithLookup,
  type JoinedLookup,
  type Once,
  type OnceOutcome,
  runClaimed,
} from '../requests/idempotency.ts';

export type DepositRequest = {
  readonly companyId: CompanyId;
  /** Null: the user whose custom reference equals one of the references, else the company. */
  readonly userId: UserId | null;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly externalReference: string | null;
  readonly userReference: string | null;
  readonly isTransit: boolean;
};

export type DepositDone = { readonly accountId: AccountId; readonly transaction: TransactionRecord };

/**
 * Credits deposits, concurrent ones of one company in one transaction, together with their idempotency keys, the stored
 * responses, and their lines in the audit log. Refuses with `unknown_user`, `duplicate_reference`, `amount_too_large`.
 */
export type Depositor = (once: Once, request: DepositRequest) => Promise<OnceOutcome>;

/** A batch has deposits of several requests, so each keeps its own origin. */
type Asked = Once & { readonly request: DepositRequest; readonly origin: Origin };

/** `answerOf` builds the response for a deposit. */
export function createDepositor(orm: MikroORM, answerOf: (done: DepositDone) => Answer): Depositor {
  const deposit = batchedBy(
    ({ request }: Asked) => request.companyId,
    (asked) => depositOnce(orm, asked, answerOf),
    // One call at a time for a company: a second one would wait for the same accounts, and be small.
    { maxItems: 100, maxInFlight: 1 },
  );
  return (once, request) => deposit({ ...once, request, origin: currentOrigin() });
}

/** Deposits of one company, in one transaction. */
async function depositOnce(
  orm: MikroORM,
  asked: readonly Asked[],
  answerOf: (done: DepositDone) => Answer,
): Promise<OnceOutcome[]> {
  const [first, ...others] = asked;
  if (first === undefined) return [];
  const { companyId } = first.request;
  try {
    return await inTenant(orm, companyId, async (em) => {
      const claims = asked.map(({ claim }) => claim);
      const requests = asked.map(({ request }) => request);
      const begun = await claimKeysWithLookup<DepositAccounts>(em, claims, depositAccounts(companyId, requests));
      const items = begun.map((one, index) => ({ ...(asked[index] as Asked), ...one })); // as many as there are deposits
      return runClaimed(em, items, async (fresh) => {
        const deposits = fresh.map(({ commandId, request, origin, found }) => ({
          ...request,
          origin,
          transactionId: idMadeBy('transaction', commandId),
          accounts: found,
        }));
        const done = await credit(em, deposits);
        return done.map((result) => (result instanceof Refusal ? result : answerOf(result)));
      });
    });
  } catch (error) {
    // A reference was posted with other content, which rolls all of them back: the batcher finds out which one it was.
    if (!(error instanceof LedgerKeyConflict) || others.length > 0) throw error;
    return inTenant(orm, companyId, async (em) => [await referenceTaken(em, first.request)]);
  }
}

export type Deposit = DepositRequest & {
  readonly transactionId: TransactionId;
  /** Absent: that of the transaction. */
  readonly origin?: Origin;
};

/** Credits deposits of one company in the caller's transaction. A refused deposit fails alone, with its refusal as the result. */
export async function depositAll(
  em: EntityManager,
  companyId: CompanyId,
  requests: readonly Deposit[],
): Promise<(DepositDone | Refusal)[]> {
  if (requests.length === 0) return [];
  const { rows, values } = depositAccounts(companyId, requests);
  const accounts = await em.execute<DepositAccounts[]>(`select * from ${rows} order by ordinal`, [...values]);
  return credit(
    em,
    requests.map((request, index) => ({ ...request, accounts: accounts[index] ?? null })),
  );
}

/** The same for deposits whose accounts are known already. */
async function credit(
  em: EntityManager,
  requests: readonly (Deposit & { readonly accounts: DepositAccounts | null })[],
): Promise<(DepositDone | Refusal)[]> {
  const captures = await capturesOf(em, requests);
  const results = new Map<Deposit, DepositDone | Refusal>();
  const known = requests.flatMap((request, index) => {
    const { accounts } = request;
    if (accounts === null || (accounts.target === null && request.userId !== null)) return [];
    const captureId = captures.get(index);
    if (captureId !== undefined) {
      results.set(request, duplicateOfCapture(captureId));
      return [];
    }
    const accountId = accounts.target ?? accounts.fallback;
    const posting = depositPosting({
      ...request,
      accountId,
      contraAccountId: accounts.contra,
      isReferenceUnique: !accounts.is_users,
    });
    return [{ request, accountId, posting }];
  });
  const outcomes = await postToLedger(
    em,
    known.map(({ posting }) => posting),
    known.map(({ request }) => request.origin),
  );
  for (const [index, { request, accountId, posting }] of known.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('the ledger returned no outcome for a deposit');
    results.set(request, await resultOf(em, posting, accountId, outcome));
  }
  return requests.map((request) => results.get(request) ?? new Refusal('unknown_user'));
}

async function resultOf(
  em: EntityManager,
  posting: Posting,
  accountId: AccountId,
  outcome: PostingResult,
): Promise<DepositDone | Refusal> {
  if (outcome.kind === 'refused') {
    if (!isRefusalCode(outcome.code)) throw new Error(`the ledger refused a deposit: ${outcome.code}`);
    return new Refusal(outcome.code, undefined, { details: outcome.details });
  }
  if (outcome.transactionId !== posting.transactionId) return duplicateOfDeposit(outcome.transactionId);
  // Posted by an earlier attempt whose response was lost: it may have settled since.
  const before =
    outcome.kind === 'duplicate' ? await findTransaction(em, posting.companyId, posting.transactionId) : null;
  return { accountId, transaction: before ?? recordOf(posting, outcome.createdAt) };
}

function recordOf(posting: Posting, createdAt: Date): TransactionRecord {
  const { transactionId: id, type, status, amountCents, currency, reference, escrowId, metadata } = posting;
  return { id, type, status, amountCents, currency, reference, escrowId, metadata: { ...metadata }, createdAt };
}

async function referenceTaken(em: EntityManager, { companyId, externalReference }: DepositRequest): Promise<Refusal> {
  const [row] = await em.execute<{ id: TransactionId }[]>(
    `select id from ledger_transaction where company_id = ? and type = 'DEPOSIT' and reference = ?`,
    [companyId, externalReference],
  );
  if (row === undefined) throw new Error('no deposit has the conflicting reference');
  return duplicateOfDeposit(row.id);
}

function duplicateOfDeposit(id: TransactionId): Refusal {
  const duplicateOf = publicId('transaction', id);
  return new Refusal('duplicate_reference', `the external reference is already used by deposit ${duplicateOf}`, {
    duplicateOf,
  });
}

function duplicateOfCapture(id: TransactionId): Refusal {
  const duplicateOf = publicId('transaction', id);
  const detail = `bank capture ${duplicateOf} has this reference, currency and amount: its money is booked`;
  return new Refusal('duplicate_reference', detail, { duplicateOf });
}

/**
 * The captures that have already reported the money of these deposits, by the deposit's index. Locks the keys of the receipts.
 */
async function capturesOf(
  em: EntityManager,
  requests: readonly DepositRequest[],
): Promise<ReadonlyMap<number, TransactionId>> {
  const [first] = requests;
  if (first === undefined || requests.every((one) => one.externalReference === null && one.userReference === null))
    return new Map();
  const asked = requests.map(({ externalReference, userReference, currency, amountCents }) => ({
    reference: externalReference,
    memo: userReference,
    currency,
    amount_cents: amountCents.toString(),
  }));
  const rows = await em.execute<{ ordinal: string; capture_id: TransactionId }[]>(
    'select * from captured_before(?, ?::jsonb)',
    [first.companyId, JSON.stringify(asked)],
  );
  return new Map(rows.map((row) => [Number(row.ordinal) - 1, row.capture_id]));
}

type DepositAccounts = {
  readonly target: AccountId | null;
  readonly fallback: AccountId;
  readonly contra: AccountId;
  /** The external reference is a user's custom reference. */
  readonly is_users: boolean;
};

/** The destination of each deposit, and the source of its money. */
function depositAccounts(companyId: CompanyId, requests: readonly DepositRequest[]): JoinedLookup {
  const asked = requests.map(({ userId, userReference, externalReference, currency, isTransit }) => ({
    user_id: userId,
    memo: userReference,
    reference: externalReference,
    currency,
    is_transit: isTransit,
  }));
  return { rows: 'deposit_accounts(?, ?::jsonb)', values: [companyId, JSON.stringify(asked)] };
}
