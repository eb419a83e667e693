import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { amountDetails, Refusal } from '../../domain/errors.ts';
import type { BuyerDebts } from '../../domain/escrow/proceeds.ts';
import {
  type AccountId,
  type CompanyId,
  type EscrowId,
  type HoldId,
  idMadeBy,
  type TransactionId,
} from '../../domain/ids.ts';
import type { Posting } from '../../domain/ledger/postings.ts';
import {
  type Debt,
  debtSettlementPosting,
  type Part,
  partsOf,
  type ReceivableId,
  type ReceivableReason,
  repaymentPosting,
  type SettlementKind,
} from '../../domain/ledger/receivables.ts';
import { type Currency, minCents } from '../../domain/money.ts';
import { availableCents, companyAccount, receivableAccount } from '../ledger/own-accounts.ts';
import { postAll } from '../ledger/post.ts';

/** Writes receivables and their settlements, always together with the posting that moves the money. */

export type NewReceivable = {
  readonly receivableId: ReceivableId;
  readonly companyId: CompanyId;
  readonly reason: ReceivableReason;
  readonly accountId: AccountId;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly depositId: TransactionId | null;
  readonly escrowId: EscrowId | null;
};

/**
 * Serialises everything that changes what is owed to a company, until the end of the transaction. Take it before any account is
 * locked, and after rows of escrows, links and withdrawals.
 */
export async function lockReceivables(em: EntityManager, companyId: CompanyId): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`receivable/${companyId}`]);
}

/** Records a debt. The transaction that books it must be posted. */
export async function recordReceivable(em: EntityManager, receivable: NewReceivable): Promise<void> {
  const { receivableId, companyId, reason, accountId, currency, amountCents, depositId, escrowId } = receivable;
  await em.execute(
    `insert into receivable (id, company_id, reason, account_id, currency, amount_cents, deposit_id, escrow_id)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [receivableId, companyId, reason, accountId, currency, amountCents.toString(), depositId, escrowId],
  );
}

/** Records parts that a posted transaction has settled or given back. */
export async function recordSettlements(
  em: EntityManager,
  companyId: CompanyId,
  transactionId: TransactionId,
  kind: SettlementKind,
  parts: readonly Part[],
): Promise<void> {
  for (const { receivableId, amountCents } of parts)
    await em.execute(
      `insert into receivable_settlement (id, receivable_id, transaction_id, company_id, kind, amount_cents)
       values (?, ?, ?, ?, ?, ?)`,
      [uuidv7(), receivableId, transactionId, companyId, kind, amountCents.toString()],
    );
}

type DebtRow = {
  id: ReceivableId;
  account_id: AccountId;
  remaining_cents: string;
  written_off_cents: string;
};

const debtOf = (row: DebtRow): Debt => ({
  receivableId: row.id,
  accountId: row.account_id,
  remainingCents: BigInt(row.remaining_cents),
  writtenOffCents: BigInt(row.written_off_cents),
});

/** The open debts of an account, oldest first; those of `escrowId` come before the others. */
async function openDebts(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  escrowId: EscrowId | null,
): Promise<Debt[]> {
  const rows = await em.execute<DebtRow[]>(
    `select id, account_id, remaining_cents::text as remaining_cents, written_off_cents::text as written_off_cents
     from receivable_balance where company_id = ? and account_id = ? and remaining_cents > 0
     order by (escrow_id = ?) is true desc, created_at, id`,
    [companyId, accountId, escrowId],
  );
  return rows.map(debtOf);
}

/** All debts that a deposit's chargebacks left, the newest first. */
export async function debtsOfDeposit(
  em: EntityManager,
  companyId: CompanyId,
  depositId: TransactionId,
): Promise<Debt[]> {
  const rows = await em.execute<DebtRow[]>(
    `select id, account_id, remaining_cents::text as remaining_cents, written_off_cents::text as written_off_cents
     from receivable_balance where company_id = ? and deposit_id = ? order by created_at desc, id desc`,
    [companyId, depositId],
  );
  return rows.map(debtOf);
}

/** Whether the escrow's payment was taken back, in whole or in part, and is not made good. */
export async function isTakenBack(em: EntityManager, companyId: CompanyId, escrowId: EscrowId): Promise<boolean> {
  const open = await em.execute<unknown[]>(
    'select 1 from receivable_balance where company_id = ? and escrow_id = ? and remaining_cents > 0',
    [companyId, escrowId],
  );
  return open.length > 0;
}

/** What the buyer owes for the escrow's payment, and what the escrow's refund has settled. */
export async function findBuyerDebts(em: EntityManager, companyId: CompanyId, escrowId: EscrowId): Promise<BuyerDebts> {
  const rows = await em.execute<{ owed: string; written_off: string; settled: string; other: string }[]>(
    `select own.owed::text as owed, own.written_off::text as written_off, refund.settled::text as settled,
       refund.other::text as other
     from (
       select coalesce(sum(remaining_cents), 0) as owed, coalesce(sum(written_off_cents), 0) as written_off
       from receivable_balance where company_id = ? and escrow_id = ?
     ) own, (
       select coalesce(sum(s.amount_cents) filter (where r.escrow_id = ?), 0) as settled,
         coalesce(sum(s.amount_cents) filter (where r.escrow_id is distinct from ?), 0) as other
       from hold_change h
         join receivable_settlement s on s.company_id = h.company_id and s.transaction_id = h.transaction_id
         join receivable r on r.company_id = s.company_id and r.id = s.receivable_id
       where h.company_id = ? and h.hold_id = ? and s.kind = 'COLLECTED'
     ) refund`,
    [companyId, escrowId, escrowId, escrowId, companyId, idMadeBy('hold', escrowId)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('sums have no row');
  return {
    owedCents: BigInt(row.owed),
    writtenOffCents: BigInt(row.written_off),
    settledCents: BigInt(row.settled),
    otherCents: BigInt(row.other),
  };
}

/** Throws `payment_charged_back` if the escrow's payment was taken back and is not made good. */
export async function assertPaid(em: EntityManager, companyId: CompanyId, escrowId: EscrowId): Promise<void> {
  if (await isTakenBack(em, companyId, escrowId)) throw new Refusal('payment_charged_back');
}

/** Throws `receivable_open` if the owner of the account owes money. */
export async function assertOwesNothing(em: EntityManager, companyId: CompanyId, accountId: AccountId): Promise<void> {
  if (await owes(em, companyId, accountId)) throw new Refusal('receivable_open');
}

/** Whether the owner of the account owes money. For a user, the accounts in all currencies count. */
export async function owes(em: EntityManager, companyId: CompanyId, accountId: AccountId): Promise<boolean> {
  const open = await em.execute<unknown[]>(
    `select 1 from account mine
       join account owing on owing.company_id = mine.company_id and owing.ledger_id = mine.ledger_id and owing.type = mine.type
       join receivable r on r.company_id = mine.company_id and r.account_id = owing.id
       join receivable_balance b on b.company_id = mine.company_id and b.id = r.id
     where mine.company_id = ? and mine.id = ? and b.remaining_cents > 0 limit 1`,
    [companyId, accountId],
  );
  return open.length > 0;
}

type Refund = {
  readonly companyId: CompanyId;
  readonly escrowId: EscrowId;
  readonly holdId: HoldId;
  readonly accountId: AccountId;
  readonly currency: Currency;
  /** The amount that the account gets if it owes nothing. */
  readonly amountCents: bigint;
};

export type Collection = {
  /** The caller posts these before the refund, in the same call. */
  readonly postings: readonly Posting[];
  /** Records the settlements after the postings. */
  record(): Promise<void>;
};

/** A refund first settles what the account owes. The money comes out of the escrow's hold, so a frozen account pays too. */
export async function collectFromRefund(em: EntityManager, refund: Refund): Promise<Collection> {
  const { companyId, accountId, currency, escrowId, holdId, amountCents } = refund;
  const none = { postings: [], record: async () => undefined };
  if (amountCents === 0n || (await openDebts(em, companyId, accountId, escrowId)).length === 0) return none;
  await lockReceivables(em, companyId);
  const parts = partsOf(await openDebts(em, companyId, accountId, escrowId), amountCents);
  const receivableAccountId = await receivableAccount(em, companyId, currency);
  const settlements = parts.map((part) => ({ part, transactionId: uuidv7() as TransactionId })); // made here
  return {
    postings: settlements.map(({ part, transactionId }) =>
      debtSettlementPosting({
        ...{ transactionId, companyId, receivableAccountId, currency, escrowId, holdId, ...part },
        payerAccountId: accountId,
      }),
    ),
    async record() {
      for (const { part, transactionId } of settlements)
        await recordSettlements(em, companyId, transactionId, 'COLLECTED', [part]);
    },
  };
}

/** Who pays when an administrator settles a receivable: the account that owes it, or the company's own money. */
export const SETTLEMENT_SOURCES = ['BALANCE', 'WRITE_OFF'] as const;
type SettlementSource = (typeof SETTLEMENT_SOURCES)[number];

type SettleRequest = {
  readonly transactionId: TransactionId;
  readonly companyId: CompanyId;
  readonly receivableId: ReceivableId;
  readonly source: SettlementSource;
  /** Null: all that is owed, or for BALANCE as much of it as the account has. */
  readonly amountCents: bigint | null;
};

/**
 * Settles a receivable, or a part of it; in the caller's transaction. A repetition with the same transaction id changes nothing.
 * Throws `not_found`; `wrong_state` if nothing, or less than the amount, is owed;
 * `insufficient_funds`; `account_frozen`.
 */
export async function settleReceivable(em: EntityManager, request: SettleRequest): Promise<void> {
  const { companyId, receivableId, transactionId, source } = request;
  await lockReceivables(em, companyId);
  const [repeated] = await em.execute<unknown[]>(
    'select 1 from receivable_settlement where company_id = ? and transaction_id = ?',
    [companyId, transactionId],
  );
  if (repeated !== undefined) return;
  const [row] = await em.execute<(DebtRow & { currency: Currency; escrow_id: EscrowId | null })[]>(
    `select id, account_id, currency, escrow_id, remaining_cents::text as remaining_cents,
       written_off_cents::text as written_off_cents
     from receivable_balance where company_id = ? and id = ?`,
    [companyId, receivableId],
  );
  if (row === undefined) throw new Refusal('not_found', 'receivable not found');
  const { accountId, remainingCents } = debtOf(row);
  if (remainingCents === 0n) throw new Refusal('wrong_state', 'the receivable is settled');
  const payerAccountId =
    source === 'BALANCE' ? accountId : await companyAccount(em, companyId, 'COMPANY', row.currency);
  const mostCents =
    source === 'BALANCE'
      ? minCents(remainingCents, await availableCents(em, companyId, payerAccountId))
      : remainingCents;
  const amountCents = request.amountCents ?? mostCents;
  if (amountCents > remainingCents)
    throw new Refusal('wrong_state', `only ${remainingCents} cents are owed`, {
      details: amountDetails(remainingCents, amountCents, row.currency),
    });
  if (amountCents <= 0n)
    throw new Refusal('insufficient_funds', undefined, {
      details: amountDetails(mostCents, remainingCents, row.currency),
    });
  await postAll(em, [
    debtSettlementPosting({
      ...{ transactionId, companyId, receivableId, payerAccountId, amountCents, holdId: null },
      receivableAccountId: await receivableAccount(em, companyId, row.currency),
      currency: row.currency,
      escrowId: row.escrow_id,
    }),
  ]);
  const kind = source === 'BALANCE' ? 'COLLECTED' : 'WRITTEN_OFF';
  await recordSettlements(em, companyId, transactionId, kind, [{ receivableId, amountCents }]);
}

/**
 * What undoing a debt adds to the step that credits RECEIVABLE with the whole debt. `debtCents`: the whole debt, 0 if there is
 * none.
 */
export type Undoing = Collection & { readonly debtCents: bigint };

export const NOTHING_UNDONE: Undoing = { debtCents: 0n, postings: [], record: async () => undefined };

/**
 * Undoes a debt that `transactionId` reversed in full. The open part is settled, and whoever paid the settled parts is repaid. No
 * effect if there is no such debt.
 */
export async function undoReceivable(
  em: EntityManager,
  companyId: CompanyId,
  receivableId: ReceivableId,
  transactionId: TransactionId,
): Promise<Undoing> {
  await lockReceivables(em, companyId);
  const [row] = await em.execute<(DebtRow & { currency: Currency; collected_cents: string; amount_cents: string })[]>(
    `select id, account_id, currency, amount_cents::text as amount_cents, remaining_cents::text as remaining_cents,
       collected_cents::text as collected_cents, written_off_cents::text as written_off_cents
     from receivable_balance where company_id = ? and id = ?`,
    [companyId, receivableId],
  );
  if (row === undefined) return NOTHING_UNDONE;
  const { accountId, remainingCents, writtenOffCents } = debtOf(row);
  const collectedCents = BigInt(row.collected_cents);
  const repaymentId = uuidv7() as TransactionId; // made here
  const isSettledInPart = collectedCents + writtenOffCents > 0n;
  return {
    debtCents: BigInt(row.amount_cents),
    postings: isSettledInPart
      ? [
          repaymentPosting({
            ...{ transactionId: repaymentId, companyId, receivableId, accountId, collectedCents, writtenOffCents },
            currency: row.currency,
            receivableAccountId: await receivableAccount(em, companyId, row.currency),
            companyAccountId: await companyAccount(em, companyId, 'COMPANY', row.currency),
          }),
        ]
      : [],
    async record() {
      const part = (amountCents: bigint) => (amountCents > 0n ? [{ receivableId, amountCents }] : []);
      await recordSettlements(em, companyId, transactionId, 'REVERSED', part(remainingCents));
      await recordSettlements(em, companyId, repaymentId, 'REPAID', part(collectedCents));
      await recordSettlements(em, companyId, repaymentId, 'RECOVERED', part(writtenOffCents));
    },
  };
}
