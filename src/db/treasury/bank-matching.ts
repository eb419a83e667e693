import type { EntityManager } from '@mikro-orm/postgresql';
import { NIL } from 'uuid';
import { Refusal, refusedFor } from '../../domain/errors.ts';
import type { BankEntryId, BankStatementId, CompanyId, TransactionId } from '../../domain/ids.ts';
import {
  type BankMatchKind,
  bankEntryPosting,
  type Cleared,
  type ProviderSettlement,
  SETTLED_ACCOUNT,
  settledBy,
  settledByHand,
} from '../../domain/ledger/bank-statement.ts';
import type { Currency } from '../../domain/money.ts';
import { violatedUnique } from '../core/database-errors.ts';
import { Company } from '../entities/tenancy.ts';
import { availableCents, companyAccounts, receivableAccount } from '../ledger/own-accounts.ts';
import { postAll } from '../ledger/post.ts';
import {
  type BankEntryRecord,
  type BankStatementRecord,
  findBankEntry,
  findBankStatement,
  IS_OPEN,
  type NewBankStatement,
  storeBankStatement,
} from './bank-statements.ts';
import { lockReceivables, recordReceivable } from './receivables.ts';

/** What the entries of the bank confirm and settle in the books. 248-bank-statements.sql matches entries to captures and payouts. */

/** Stores the statements of a file and matches their entries; in the caller's transaction. In the order of the file. */
export async function addBankStatements(
  em: EntityManager,
  companyId: CompanyId,
  added: readonly NewBankStatement[],
): Promise<BankStatementRecord[]> {
  await lockBank(em, companyId);
  for (const statement of added) await storeBankStatement(em, statement);
  for (const { id } of added) await settleNamed(em, companyId, id);
  await matchOpen(em);
  const records: BankStatementRecord[] = [];
  for (const { id } of added) records.push(await findBankStatement(em, companyId, id));
  return records;
}

/** So many take a fraction of the time that a statement of SQL has. */
const MATCHED_AT_ONCE = 1_000;

/** Matches all open entries of the transaction's company with captures and payouts, oldest first. */
async function matchOpen(em: EntityManager): Promise<void> {
  let after: { date: string; id: string } | undefined = { date: '0001-01-01', id: NIL };
  while (after !== undefined)
    [after] = await em.execute<{ date: string; id: string }[]>(
      'select date::text as date, id from bank_match_open(?, ?, ?)',
      [after.date, after.id, MATCHED_AT_ONCE],
    );
}

/** Statements and matches by hand of one company take turns. Settlements are posted before other matches: they lock accounts. */
async function lockBank(em: EntityManager, companyId: CompanyId): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`bank/${companyId}`]);
}

type ToSettle = Pick<BankEntryRecord, 'id' | 'currency' | 'direction' | 'amountCents' | 'reference'>;

/** Settles the clearing accounts by the entries that name the gateway or mobile money in one of their texts. */
async function settleNamed(em: EntityManager, companyId: CompanyId, statementId: BankStatementId): Promise<void> {
  const company = await em.findOneOrFail(Company, { id: companyId });
  for (const [kind, reference] of [
    ['CARD_SETTLEMENT', company.settlementCardReference],
    ['MOBILE_SETTLEMENT', company.settlementMobileReference],
  ] as const) {
    if (reference == null) continue;
    const rows = await em.execute<(Omit<ToSettle, 'amountCents'> & { amount: string })[]>(
      `select e.id, e.currency, e.direction, e.amount_cents::text as amount, e.reference from bank_entry e
       where e.company_id = ? and e.statement_id = ? and ${IS_OPEN}
         and exists (select from unnest(e.search) s(words) where position(lower(btrim(?)) in s.words) > 0)
       order by e.date, e.created_at, e.id`,
      [companyId, statementId, reference],
    );
    for (const { amount, ...row } of rows) {
      const entry = { ...row, amountCents: BigInt(amount) };
      const settled = await settledOf(em, companyId, kind, entry, company.settlementFeeBasisPoints);
      if (settled !== null) await book(em, companyId, kind, entry, settled);
    }
  }
}

type CardSettlement = { readonly grossCents: bigint; readonly upTo: string | null };

/** Null: the payments on the clearing account do not explain the amount. */
async function settledOf(
  em: EntityManager,
  companyId: CompanyId,
  kind: ProviderSettlement,
  { currency, direction, amountCents }: ToSettle,
  maxFeeBasisPoints: number,
): Promise<CardSettlement | null> {
  const payments = await clearedOf(em, companyId, kind, currency);
  if (direction === 'CREDIT') return settledBy(payments, amountCents, maxFeeBasisPoints);
  // The gateway takes back what was charged back, no less and no more.
  const owed = payments.map(({ entryId, amountCents: one }) => ({ entryId, amountCents: -one }));
  return settledBy(owed, amountCents, 0);
}

const MAX_CLEARED = 10_000;

/** The payments on a clearing account that no settlement has paid yet, oldest first. */
async function clearedOf(
  em: EntityManager,
  companyId: CompanyId,
  kind: ProviderSettlement,
  currency: Currency,
): Promise<Cleared[]> {
  const rows = await em.execute<{ id: string; amount: string }[]>(
    `select l.id::text as id, (-l.amount)::text as amount
     from account a join entry l on l.company_id = a.company_id and l.account_id = a.id
     where a.company_id = ? and a.type = ? and a.currency = ?
       and l.id > coalesce((
         select max(m.settled_up_to) from bank_match m join bank_entry e on e.company_id = m.company_id and e.id = m.entry_id
         where m.company_id = a.company_id and m.kind = ? and m.settled_up_to is not null and e.currency = a.currency), 0)
       and not exists (
         select from bank_match m where m.company_id = l.company_id and m.transaction_id = l.transaction_id)
     order by l.id limit ?`,
    [companyId, SETTLED_ACCOUNT[kind], currency, kind, MAX_CLEARED],
  );
  return rows.map(({ id, amount }) => ({ entryId: id, amountCents: BigInt(amount) }));
}

/** Posts a settlement or a fee, and matches the entry with it. A fee that COMPANY cannot pay becomes a receivable. */
async function book(
  em: EntityManager,
  companyId: CompanyId,
  kind: ProviderSettlement | 'FEE',
  entry: ToSettle,
  settled: CardSettlement | null,
): Promise<void> {
  const { id: entryId, currency, direction, amountCents: netCents, reference } = entry;
  const costCents =
    settled === null
      ? direction === 'DEBIT'
        ? netCents
        : 0n
      : direction === 'CREDIT'
        ? settled.grossCents - netCents
        : 0n;
  if (costCents > 0n) await lockReceivables(em, companyId);
  const own = await companyAccounts(em, companyId, ['BANK', 'COMPANY', 'CLEARING_CARD', 'CLEARING_MOBILE'], currency);
  const coveredCents = costCents > 0n ? await availableCents(em, companyId, own.COMPANY) : 0n;
  const owedCents = costCents > coveredCents ? costCents - coveredCents : 0n;
  const receivableAccountId = owedCents === 0n ? null : await receivableAccount(em, companyId, currency);
  const posting = bankEntryPosting({
    ...{ companyId, entryId, direction, netCents, currency, reference },
    bankAccountId: own.BANK,
    companyAccountId: own.COMPANY,
    settled:
      settled === null || kind === 'FEE'
        ? null
        : { clearingAccountId: own[SETTLED_ACCOUNT[kind]], grossCents: settled.grossCents },
    owed: receivableAccountId === null ? null : { receivableAccountId, amountCents: owedCents },
  });
  await postAll(em, [posting]);
  if (owedCents > 0n)
    await recordReceivable(em, {
      ...{ receivableId: posting.transactionId, companyId, accountId: own.COMPANY, currency },
      ...{ reason: 'FEE', amountCents: owedCents, depositId: null, escrowId: null },
    });
  await insertMatch(em, companyId, entryId, kind, posting.transactionId, settled?.upTo ?? null);
}

async function insertMatch(
  em: EntityManager,
  companyId: CompanyId,
  entryId: BankEntryId,
  kind: BankMatchKind,
  transactionId: TransactionId,
  upTo: string | null = null,
): Promise<void> {
  await em.execute(
    'insert into bank_match (entry_id, company_id, kind, transaction_id, settled_up_to) values (?, ?, ?, ?, ?)',
    [entryId, companyId, kind, transactionId, upTo],
  );
}

type MatchRequest = {
  readonly companyId: CompanyId;
  readonly entryId: BankEntryId;
  /** A credit that is matched as a fee is money of the company: only who may record receipts may match it so. */
  readonly mayRecordReceipts: boolean;
} & (
  | { readonly kind: 'CAPTURE' | 'PAYOUT'; readonly id: TransactionId }
  | { readonly kind: ProviderSettlement | 'FEE' }
);

/**
 * Matches an open entry by hand, in the caller's transaction. Throws `not_found`, `forbidden`, and `wrong_state` if the entry is
 * matched, or if no open movement of that capture or payout has its direction, amount and currency.
 */
export async function matchBankEntry(em: EntityManager, request: MatchRequest): Promise<BankEntryRecord> {
  const { companyId, entryId, kind } = request;
  await lockBank(em, companyId);
  const entry = await findBankEntry(em, companyId, entryId);
  if (entry.match !== null) throw new Refusal('wrong_state', 'the entry is matched');
  if (kind === 'FEE' && entry.direction === 'CREDIT' && !request.mayRecordReceipts)
    throw refusedFor('forbidden', { code: 'platform_records_receipts' });
  try {
    if (kind === 'CAPTURE' || kind === 'PAYOUT')
      await insertMatch(em, companyId, entryId, kind, await movementOf(em, entry, request));
    else if (kind === 'FEE') await book(em, companyId, kind, entry, null);
    else {
      const upTo = settledByHand(await clearedOf(em, companyId, kind, entry.currency), entry.amountCents);
      await book(em, companyId, kind, entry, { grossCents: entry.amountCents, upTo });
    }
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error;
    throw new Refusal('wrong_state', 'the entry is already matched');
  }
  return findBankEntry(em, companyId, entryId);
}

/** The transaction of a capture or a payout that moved the entry's money on BANK, and that no entry confirms yet. */
async function movementOf(
  em: EntityManager,
  { direction, amountCents, currency }: BankEntryRecord,
  { companyId, kind, id }: Extract<MatchRequest, { kind: 'CAPTURE' | 'PAYOUT' }>,
): Promise<TransactionId> {
  const signed = direction === 'CREDIT' ? -amountCents : amountCents;
  const named =
    kind === 'CAPTURE'
      ? 'select c.id from bank_capture c where c.company_id = ? and c.id = ?'
      : `select (v.data ->> 'transactionId')::uuid from withdrawal_event v where v.company_id = ? and v.withdrawal_id = ?`;
  const [found] = await em.execute<{ id: TransactionId }[]>(
    `select t.id from ledger_transaction t
       join entry l on l.company_id = t.company_id and l.transaction_id = t.id
       join account a on a.company_id = l.company_id and a.id = l.account_id and a.type = 'BANK'
     where t.company_id = ? and t.currency = ? and t.id in (${named}) and l.amount = ?
       and not exists (select from bank_match m where m.company_id = t.company_id and m.transaction_id = t.id)
     order by t.position limit 1`,
    [companyId, currency, companyId, id, signed.toString()],
  );
  if (found === undefined)
    throw new Refusal(
      'wrong_state',
      `no open ${kind === 'CAPTURE' ? 'capture' : 'payout'} has this id, direction and amount`,
    );
  return found.id;
}
