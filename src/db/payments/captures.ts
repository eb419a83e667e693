import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, CompanyId, TransactionId, UserId } from '../../domain/ids.ts';
import { assignmentPosting, type CaptureMatch, capturePosting } from '../../domain/ledger/captures.ts';
import type { TransactionStatus } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { createListReader, NEWEST_FIRST, type TimeFilter, timeConditions, timeSorts } from '../core/list-reader.ts';
import { cents, looked, type RecordOf, readModel, time, value } from '../core/read-model.ts';
import { AppUser } from '../entities/tenancy.ts';
import { awaitErasure } from '../identity/personal-data.ts';
import { companyAccounts, findUserAccount } from '../ledger/own-accounts.ts';
import { postAll } from '../ledger/post.ts';
import { isPosted, setTransactionStatus } from '../ledger/transactions.ts';

/** Receipts that the bank reports, and their owners. */

export const CAPTURE_MATCHES = ['TRANSIT_DEPOSIT', 'USER', 'SUSPENSE'] as const;
type MatchedKind = (typeof CAPTURE_MATCHES)[number];

/** `status`, `matchedKind` and `matchedId` have other sources in the facts of a capture. */
export const captureFields = (status: string, matchedKind: string, matchedId: string) => ({
  id: value<TransactionId>('c.id'),
  amountCents: cents('c.amount_cents'),
  currency: value<Currency>('c.currency'),
  reference: value<string>('c.reference'),
  status: value<TransactionStatus>(status),
  matchedKind: value<MatchedKind>(matchedKind),
  /** The deposit, the user, or the suspense account. */
  matchedId: value<string>(matchedId),
  /** The current holder of the money. */
  accountId: value<AccountId>('c.account_id'),
  possibleDuplicateOf: value<TransactionId | null>('c.possible_duplicate_of'),
  createdAt: time('t.created_at'),
});
const CAPTURE = readModel(captureFields('t.status', 'c.matched_kind', 'c.matched_id'));
export type CaptureRecord = RecordOf<typeof CAPTURE>;

type CaptureRequest = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string;
};

/**
 * Books a receipt, in the caller's transaction. It settles the deposit in transit that reports the same money; else it goes to
 * the user with its custom reference; else to SUSPENSE. If it is the counterpart of a settled deposit (245-receipts.sql says
 * when), it always goes to SUSPENSE, so that the money is credited once. A repetition with the same transaction id changes
 * nothing and returns the same result.
 */
export async function capture(em: EntityManager, request: CaptureRequest): Promise<CaptureRecord> {
  const { transactionId, companyId, amountCents, currency, reference } = request;
  const done = await findCapture(em, companyId, transactionId);
  if (done !== null) return done;

  await awaitErasure(em, companyId);
  const accounts = await companyAccounts(em, companyId, ['BANK', 'TRANSIT', 'SUSPENSE'], currency);
  const found = await match(em, request, accounts);
  await postAll(em, [capturePosting({ ...request, bankAccountId: accounts.BANK, match: found.match })]);
  if (found.match.kind === 'TRANSIT_DEPOSIT')
    await setTransactionStatus(em, companyId, found.match.depositId, 'COMPLETED');
  await em.execute(
    `insert into bank_capture
       (id, company_id, reference, currency, amount_cents, matched_kind, matched_id, account_id, possible_duplicate_of)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      transactionId,
      companyId,
      reference,
      currency,
      amountCents.toString(),
      found.match.kind,
      found.matchedId,
      found.accountId,
      found.possibleDuplicateOf,
    ],
  );
  return requireCapture(em, companyId, transactionId);
}

type Found = {
  readonly match: CaptureMatch;
  readonly matchedId: string;
  readonly accountId: AccountId;
  readonly possibleDuplicateOf: TransactionId | null;
};

type CompanyAccounts = { readonly BANK: AccountId; readonly TRANSIT: AccountId; readonly SUSPENSE: AccountId };

async function match(em: EntityManager, request: CaptureRequest, accounts: CompanyAccounts): Promise<Found> {
  const deposit = await lockDepositOf(em, request);
  if (deposit?.status === 'PROCESSING') {
    const accountId = await holdingAccount(em, request.companyId, deposit.id);
    return {
      match: {
        kind: 'TRANSIT_DEPOSIT',
        depositId: deposit.id,
        transitAccountId: accounts.TRANSIT,
        holdAccountId: accountId,
      },
      matchedId: deposit.id,
      accountId,
      possibleDuplicateOf: null,
    };
  }
  const isCredited = deposit !== null && !deposit.hasCounterpart;
  const owner = isCredited ? null : await findOwner(em, request);
  if (owner !== null)
    return {
      match: { kind: 'USER', accountId: owner.accountId },
      matchedId: owner.userId,
      accountId: owner.accountId,
      possibleDuplicateOf: null,
    };
  return {
    match: { kind: 'SUSPENSE', accountId: accounts.SUSPENSE },
    matchedId: accounts.SUSPENSE,
    accountId: accounts.SUSPENSE,
    possibleDuplicateOf: deposit?.id ?? null,
  };
}

type ReportedDeposit = {
  readonly id: TransactionId;
  readonly status: 'PROCESSING' | 'COMPLETED';
  /** Another receipt settled or repeated it. */
  readonly hasCounterpart: boolean;
};

/**
 * The deposit that reports the same money as the receipt, with its row locked. The receipt's key is locked first, as in the
 * deposit path. If a deposit and a receipt, or two receipts, come concurrently, the second waits and finds the first.
 */
async function lockDepositOf(
  em: EntityManager,
  { companyId, reference, currency, amountCents }: CaptureRequest,
): Promise<ReportedDeposit | null> {
  const [row] = await em.execute<
    { deposit_id: TransactionId; status: ReportedDeposit['status']; has_counterpart: boolean }[]
  >('select deposit_id, status, has_counterpart from deposited_before(?, ?, ?, ?)', [
    companyId,
    reference,
    currency,
    amountCents.toString(),
  ]);
  return row === undefined ? null : { id: row.deposit_id, status: row.status, hasCounterpart: row.has_counterpart };
}

/** The account that holds a deposit in transit. */
async function holdingAccount(em: EntityManager, companyId: CompanyId, depositId: TransactionId): Promise<AccountId> {
  const [hold] = await em.execute<{ account_id: AccountId }[]>(
    'select account_id from hold where company_id = ? and id = ?', // a deposit's hold has the deposit's id
    [companyId, depositId],
  );
  if (hold === undefined) throw new Error(`deposit ${depositId} is in transit without a hold`);
  return hold.account_id;
}

async function findOwner(
  em: EntityManager,
  { companyId, reference, currency }: CaptureRequest,
): Promise<{ userId: UserId; accountId: AccountId } | null> {
  const [row] = await em.execute<{ user_id: UserId; account_id: AccountId }[]>(
    `select u.id as user_id, a.id as account_id from app_user u
       join ledger l on l.user_id = u.id and l.company_id = u.company_id
       join account a on a.company_id = l.company_id and a.ledger_id = l.id and a.type = 'USER' and a.currency = ?
     where u.company_id = ? and match_key(u.custom_reference) = match_key(?)`,
    [currency, companyId, reference],
  );
  return row === undefined ? null : { userId: row.user_id, accountId: row.account_id };
}

type AssignRequest = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly captureId: TransactionId;
  readonly userId: UserId;
};

/**
 * Assigns a receipt in SUSPENSE to its user, in the caller's transaction. A repetition with the same transaction id changes
 * nothing. Throws `not_found`, `unknown_user`, and `wrong_state` if the receipt is not in SUSPENSE (any more).
 */
export async function assignCapture(em: EntityManager, request: AssignRequest): Promise<CaptureRecord> {
  const { transactionId, companyId, captureId, userId } = request;
  await awaitErasure(em, companyId);
  await em.execute('select 1 from bank_capture where company_id = ? and id = ? for update', [companyId, captureId]);
  const found = await findCapture(em, companyId, captureId);
  if (found === null) throw new Refusal('not_found', 'capture not found');
  const userAccountId = await findUserAccount(em, companyId, userId, found.currency);
  if (userAccountId === null || (await em.count(AppUser, { id: userId, companyId, erasedAt: null })) === 0)
    throw new Refusal('unknown_user', 'userId does not name a user of the company');
  if (await isPosted(em, companyId, transactionId)) return found;
  if (found.matchedKind !== 'SUSPENSE' || found.status !== 'COMPLETED')
    throw new Refusal('wrong_state', 'the receipt is not in SUSPENSE');
  await postAll(em, [assignmentPosting({ ...found, ...request, suspenseAccountId: found.accountId, userAccountId })]);
  await em.execute(
    `update bank_capture set matched_kind = 'USER', matched_id = ?, account_id = ?, updated_at = now()
     where company_id = ? and id = ?`,
    [userId, userAccountId, companyId, captureId],
  );
  return requireCapture(em, companyId, captureId);
}

type CaptureFilter = TimeFilter & {
  readonly id?: TransactionId | undefined;
  readonly matchedTo?: readonly MatchedKind[] | undefined;
  readonly reference?: string | undefined;
  /** The same in any case. */
  readonly q?: string | undefined;
};

export const CAPTURE_SORTS = timeSorts('c');

const READER = createListReader<CaptureFilter, CaptureRecord, keyof typeof CAPTURE_SORTS>({
  table: 'bank_capture',
  alias: 'c',
  ...CAPTURE,
  joins: looked('join', 'ledger_transaction', 't', 't.company_id = c.company_id and t.id = c.id'),
  conditions: {
    id: 'c.id = ?',
    matchedTo: 'c.matched_kind = any(?::text[])',
    reference: 'c.reference = ?',
    q: 'match_key(c.reference) = match_key(?)',
    ...timeConditions('c'),
  },
  sorts: CAPTURE_SORTS,
  defaultOrder: NEWEST_FIRST,
});

/** The company's matching receipts, newest first unless the page has another order. */
export const { list: listCaptures } = READER;

async function findCapture(em: EntityManager, companyId: CompanyId, id: TransactionId): Promise<CaptureRecord | null> {
  const [capture] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  return capture ?? null;
}

async function requireCapture(em: EntityManager, companyId: CompanyId, id: TransactionId): Promise<CaptureRecord> {
  const found = await findCapture(em, companyId, id);
  if (found === null) throw new Error('a written capture was not found');
  return found;
}
