import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { isRefusalCode, Refusal } from '../../domain/errors.ts';
import {
  type AccountId,
  type CommandId,
  type CompanyId,
  idMadeBy,
  publicId,
  type TransactionId,
  type UserId,
} from '../../domain/ids.ts';
import { depositPosting } from '../../domain/ledger/deposits.ts';
import type { Posting } from '../../domain/ledger/postings.ts';
import type { Currency } from '../../domain/money.ts';
import { ledgerPostingSeconds, ledgerPostings } from '../../observability/metrics.ts';
import { codeOf } from '../../observability/thrown.ts';
import { Batcher, batchedBy, rowsFor } from '../core/batcher.ts';
import { executeBound, textArray } from '../core/bound.ts';
import { isOutage } from '../core/database-errors.ts';
import { currentOrigin, type Origin } from '../core/source.ts';
import { KEY_CONFLICT, postingToJson } from '../ledger/post.ts';
import type { TransactionRecord } from '../ledger/transactions.ts';
import { auditJson } from '../requests/audit-log.ts';
import {
  type Answer,
  CLAIM_LIMITS,
  type ClaimRow,
  claimJson,
  claimResultOf,
  type Once,
  type OnceOutcome,
} from '../requests/request-store.ts';

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
export type DepositAnswer = Answer & { readonly body: { readonly createdAt: string; readonly accountId: string } };

/**
 * Credits deposits, concurrent ones of all companies in one statement, together with their idempotency keys, the stored responses,
 * and their lines in the audit log. Refuses with `unknown_user`, `duplicate_reference`, `amount_too_large`.
 */
export type Depositor = (once: Once, request: DepositRequest) => Promise<OnceOutcome>;

/** A batch has deposits of several requests, so each keeps its own origin. */
type Asked = Once & { readonly request: DepositRequest; readonly origin: Origin };

type Deposited =
  | OnceOutcome
  | { readonly kind: 'delayed' }
  | { readonly kind: 'resumed'; readonly commandId: CommandId };

/** One call at a time: a second one would wait for the same accounts, and be small. */
const BATCH = { maxItems: 100, maxInFlight: 1 };

/** Of the connections: those that may wait for a company's lock. All others are for companies that are free. */
const WAITING_SHARE = 0.5;

/** How long a call that other companies share, or wait for, waits for a lock. */
const PATIENCE = '20ms';
const LOCK_TIMEOUT = '55P03';

export const DEPOSIT_ALONE = 'select * from deposit_all(?::uuid[], ?::jsonb, ?::interval, ?::interval, ?::interval)';
/** The same for a call that waits no longer than PATIENCE, even if all its deposits are of one company. The limit ends with the call. */
export const DEPOSIT_TOGETHER = `
  with patience as materialized (select set_config('lock_timeout', '${PATIENCE}', true) as lock_timeout)
  select d.* from patience p cross join lateral deposit_all(?::uuid[], ?::jsonb, ?::interval, ?::interval,
    case when p.lock_timeout is not null then ?::interval end) d`;

/** `answerOf` builds the response for a deposit. */
export function createDepositor(orm: MikroORM, answerOf: (done: DepositDone) => DepositAnswer): Depositor {
  const together = new Batcher(async (asked: readonly Asked[]) => {
    try {
      return await depositAll(orm, DEPOSIT_TOGETHER, asked, answerOf);
    } catch (error) {
      const isForAll = isOutage(error) || companiesOf(asked).length === 1;
      if (isForAll && codeOf(error) !== LOCK_TIMEOUT) throw error;
      return asked.map((): Deposited => ({ kind: 'delayed' }));
    }
  }, BATCH);
  const alone = batchedBy(
    ({ claim }: Asked) => claim.companyId,
    (asked: readonly Asked[]) => depositAll(orm, DEPOSIT_ALONE, asked, answerOf),
    { ...BATCH, maxGroups: Math.ceil((orm.config.get('pool')?.max ?? 1) * WAITING_SHARE) },
  );
  return async (once, request) => {
    let asked: Asked = { ...once, request, origin: currentOrigin() };
    // A company that waits for a lock waits by itself.
    let outcome = await (alone.isBusy(asked) ? alone.submit(asked) : together.submit(asked));
    while (!(outcome instanceof Refusal) && (outcome.kind === 'delayed' || outcome.kind === 'resumed')) {
      if (outcome.kind === 'resumed') asked = { ...asked, claim: { ...asked.claim, commandId: outcome.commandId } };
      outcome = await alone.submit(asked);
    }
    return outcome;
  };
}

/** The companies whose credentials the requests have shown. */
function companiesOf(asked: readonly Asked[]): CompanyId[] {
  return [...new Set(asked.map(({ claim }) => claim.companyId))];
}

type DepositRow = Omit<ClaimRow, 'outcome' | 'response_status' | 'response_body'> & {
  readonly outcome: Exclude<ClaimRow['outcome'], 'claimed'> | 'answered' | 'resumed' | 'delayed' | 'refused';
  readonly status: number | null;
  readonly body: string | null;
  readonly code: string | null;
  readonly duplicate_of: TransactionId | null;
  readonly is_capture: boolean;
};

/** Carries out deposits in one statement: each is done, refused or left as a whole. */
async function depositAll(
  orm: MikroORM,
  statement: string,
  asked: readonly Asked[],
  answerOf: (done: DepositDone) => DepositAnswer,
  isRepeated = false,
): Promise<Deposited[]> {
  const stopwatch = ledgerPostingSeconds.startTimer();
  try {
    const rows = await executeBound<DepositRow>(orm.em, statement, [
      textArray(companiesOf(asked)),
      JSON.stringify(asked.map((one) => depositJson(one, answerOf))),
      ...CLAIM_LIMITS,
      PATIENCE,
    ]);
    return rowsFor(asked, rows).map(outcomeOfDeposit);
  } catch (error) {
    // A deposit that ended meanwhile has the same reference and other content. The next call sees it.
    if (codeOf(error) === KEY_CONFLICT && asked.length === 1 && !isRepeated)
      return await depositAll(orm, statement, asked, answerOf, true);
    throw error;
  } finally {
    stopwatch();
  }
}

function outcomeOfDeposit(row: DepositRow | undefined): Deposited {
  if (row === undefined) throw new Error('a deposit has no result');
  const { outcome, status, body } = row;
  switch (outcome) {
    case 'resumed':
      return { kind: 'resumed', commandId: row.command_id };
    case 'delayed':
      return { kind: 'delayed' };
    case 'answered':
      if (status === null || body === null) throw new Error('a deposit without an answer');
      ledgerPostings.inc({ type: 'DEPOSIT', outcome: 'posted' });
      return { kind: 'answered', status, body: JSON.parse(body) };
    case 'refused':
      return refusalOf(row);
    default:
      return claimResultOf({ ...row, outcome, response_status: status, response_body: body });
  }
}

function refusalOf({ code, duplicate_of, is_capture }: DepositRow): Refusal {
  if (code === null || !isRefusalCode(code)) throw new Error(`the ledger refused a deposit: ${code}`);
  if (duplicate_of === null) {
    if (code !== 'unknown_user') ledgerPostings.inc({ type: 'DEPOSIT', outcome: 'refused' });
    return new Refusal(code);
  }
  const duplicateOf = publicId('transaction', duplicate_of);
  if (is_capture)
    return new Refusal(
      code,
      `bank capture ${duplicateOf} has this reference, currency and amount: its money is booked`,
      { duplicateOf },
    );
  ledgerPostings.inc({ type: 'DEPOSIT', outcome: 'duplicate' });
  return new Refusal(code, `the external reference is already used by deposit ${duplicateOf}`, { duplicateOf });
}

/** Stands for what the database fills in. It is random, so no text of a client contains it. */
const UNKNOWN = randomUUID();

/** A deposit in the form of `deposit_all`, without the accounts, which the database finds. */
function depositJson(
  { claim, request, origin, auditLineOf }: Asked,
  answerOf: (done: DepositDone) => DepositAnswer,
): Record<string, unknown> {
  const transactionId = idMadeBy('transaction', claim.commandId);
  const accountId = UNKNOWN as string as AccountId; // its text is replaced
  const deposit = { ...request, transactionId, accountId, contraAccountId: accountId };
  const posting = depositPosting(deposit);
  const answer = answerOf({ accountId, transaction: recordOf(posting) });
  return {
    ...claimJson(claim),
    user_id: request.userId,
    memo: request.userReference,
    is_transit: request.isTransit,
    repeated_key: depositPosting({ ...deposit, isReferenceUnique: false }).key,
    posting: postingToJson(posting, origin),
    status: answer.status,
    body: textAround(answer.body),
    audit: auditJson(auditLineOf(answer)),
  };
}

/** The text of an answer around its time and its account. */
function textAround(body: DepositAnswer['body']): string[] {
  const parts = JSON.stringify({ ...body, createdAt: UNKNOWN }).split(UNKNOWN);
  if (parts.length !== 3 || !parts[0]?.includes('"createdAt"'))
    throw new Error('the answer has its time before its account');
  return parts;
}

function recordOf(posting: Posting): TransactionRecord {
  const { transactionId: id, type, status, amountCents, currency, reference, escrowId, metadata } = posting;
  const createdAt = new Date(0); // replaced
  return { id, type, status, amountCents, currency, reference, escrowId, metadata: { ...metadata }, createdAt };
}
