import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, AdministratorId, CompanyId, LedgerId, TransactionId } from '../../domain/ids.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import type { Source } from '../../domain/source.ts';
import { type BankDetails, isSameDestination, maskAccountNumber } from '../../domain/withdrawal/bank-details.ts';
import type { PayoutConcern } from '../../domain/withdrawal/bank-reports.ts';
import type { Withdrawal, WithdrawalStatus, WithdrawalTerms } from '../../domain/withdrawal/withdrawal.ts';
import { type EncryptedText, type FieldCipher, readDetails, readOrNull } from '../core/field-cipher.ts';
import {
  createListReader,
  type Exactly,
  type Listed,
  NEWEST_FIRST,
  type Page,
  type TimeFilter,
  timeConditions,
  timeSorts,
} from '../core/list-reader.ts';
import { columnsOf, looked, orNull, type RecordOf, readModel, time, value, wire } from '../core/read-model.ts';
import { WithdrawalRow } from '../entities/withdrawal.ts';
import { boundTo } from './bank-details.ts';

/** Destinations of withdrawals, and withdrawals as readers see them. */

type Destination = BankDetails & {
  readonly externalReference: string;
  /** The bank gets the payment no earlier; null: at once. */
  readonly notBefore: Date | null;
  /** The administrator behind the request. */
  readonly personId: AdministratorId | null;
};

const ACCOUNT_NUMBER = 'payout_destination.account_number';

/**
 * Stores the destination of a withdrawal before the withdrawal is requested. A destination that is already stored under this id
 * stays. Returns the time until which the payment waits.
 */
export async function storeDestination(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  id: TransactionId,
  destination: Destination,
): Promise<Date | null> {
  await em.execute(
    `insert into payout_destination
       (id, company_id, external_reference, bank_name, branch_code, account_number, account_name, not_before, person_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (company_id, id) do nothing`,
    [
      id,
      companyId,
      destination.externalReference,
      destination.bankName,
      destination.branchCode,
      cipher.encrypt(ACCOUNT_NUMBER, id, destination.accountNumber, boundTo(destination)),
      destination.accountName,
      destination.notBefore,
      destination.personId,
    ],
  );
  const [row] = await em.execute<{ not_before: Date | null }[]>(
    'select not_before from payout_destination where company_id = ? and id = ?',
    [companyId, id],
  );
  return row?.not_before == null ? null : new Date(row.not_before);
}

/** Deletes the destination of a refused withdrawal. An existing withdrawal keeps its destination. */
export async function deleteDestination(em: EntityManager, companyId: CompanyId, id: TransactionId): Promise<void> {
  await em.execute(
    `delete from payout_destination d where d.company_id = ? and d.id = ?
       and not exists (select from withdrawal w where w.company_id = d.company_id and w.id = d.id)`,
    [companyId, id],
  );
}

/** After this time no idempotency key and no run can lead to the withdrawal any more. */
const ABANDONED_AFTER_DAYS = 7;
/** How far back the search goes. Regular runs have already found older ones. */
const SEARCHED_DAYS = 30;

/**
 * Deletes destinations without a withdrawal, of all companies: an API process that dies after storing a destination and before
 * the request leaves one behind. `em` must have the rights of the worker or the owner. Returns the number of deleted
 * destinations.
 */
export async function deleteAbandonedDestinations(em: EntityManager): Promise<number> {
  const dropped = await em.execute<unknown[]>(
    `delete from payout_destination d
     where d.created_at < now() - make_interval(days => ?) and d.created_at > now() - make_interval(days => ?)
       and not exists (select from withdrawal w where w.company_id = d.company_id and w.id = d.id)
     returning d.id`,
    [ABANDONED_AFTER_DAYS, ABANDONED_AFTER_DAYS + SEARCHED_DAYS],
  );
  return dropped.length;
}

type WithdrawalFilter = TimeFilter & {
  readonly id?: TransactionId | undefined;
  readonly status?: readonly WithdrawalStatus[] | undefined;
  readonly externalReference?: string | undefined;
  readonly accountId?: AccountId | undefined;
  /** A whole reference, or that of the bank, in any case. */
  readonly q?: string | undefined;
};

export const WITHDRAWAL_SORTS = timeSorts('w');

const WITHDRAWAL = readModel({
  ...columnsOf(WithdrawalRow, 'w', ['companyId', 'seq']),
  state: wire<Withdrawal>('w.state'),
  bankName: value<string>('d.bank_name'),
  branchCode: value<string>('d.branch_code'),
  accountNumber: value<EncryptedText | null>('d.account_number'),
  accountName: value<string>('d.account_name'),
  notBefore: orNull(time('d.not_before')),
  attempts: value<number>('d.attempts'),
});
type Found = RecordOf<typeof WITHDRAWAL>;

export type WithdrawalRecord = Omit<Found, 'state' | 'accountNumber' | 'attempts'> & {
  /** Whether an attempt to hand the payment to the bank was recorded. It can no longer be cancelled. */
  readonly isHandedOver: boolean;
  /** All but the last four characters hidden. Empty: the payee was erased. */
  readonly maskedAccountNumber: string;
  /** The bank's reason, if it rejected or returned the payment. */
  readonly reason: string | null;
  /** Why a person should check the withdrawal; null if there is no reason. */
  readonly concern: PayoutConcern | null;
  /** The number of events that led to this state. */
  readonly version: number;
};

const READER = createListReader<WithdrawalFilter, Found, keyof typeof WITHDRAWAL_SORTS>({
  table: 'withdrawal',
  alias: 'w',
  ...WITHDRAWAL,
  joins: looked('join', 'payout_destination', 'd', 'd.company_id = w.company_id and d.id = w.id'),
  conditions: {
    id: 'w.id = ?',
    status: 'w.status = any(?::text[])',
    externalReference: 'w.external_reference = ?',
    accountId: 'w.account_id = ?',
    // Each attempt at the bank has the id of the withdrawal in its reference (domain/withdrawal/payout.ts).
    q: `match_key(w.external_reference) = match_key(?) or w.id = case when ? ~* '^(WD|R[0-9]{1,2})[0-9a-f]{32}$' then right(?, 32)::uuid end`,
    ...timeConditions('w'),
  },
  sorts: WITHDRAWAL_SORTS,
  defaultOrder: NEWEST_FIRST,
});

/** The company's matching withdrawals, newest first unless the page has another order. */
export async function listWithdrawals<Asked extends WithdrawalFilter>(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  filter: Exactly<WithdrawalFilter, Asked>,
  page: Page<keyof typeof WITHDRAWAL_SORTS>,
): Promise<Listed<WithdrawalRecord>> {
  const { records, ...rest } = await READER.list(em, companyId, filter, page);
  return { ...rest, records: records.map((row) => recordOf(row, maskedOrHidden(row, cipher))) };
}

export async function findWithdrawal(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  id: TransactionId,
): Promise<WithdrawalRecord | null> {
  const [row] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  if (row === undefined) return null;
  const { id: rowId, accountNumber } = row;
  if (accountNumber === null) return recordOf(row, ''); // the payee was erased
  return recordOf(row, maskAccountNumber(readDetails(cipher, ACCOUNT_NUMBER, rowId, accountNumber, boundTo(row))));
}

/** A list shows its other rows, whatever happened to one of them. */
function maskedOrHidden(row: Found, cipher: FieldCipher): string {
  if (row.accountNumber === null) return ''; // the payee was erased
  const readable = readOrNull(cipher, ACCOUNT_NUMBER, row.id, row.accountNumber, boundTo(row));
  return readable === null ? '*' : maskAccountNumber(readable);
}

function recordOf(
  { state, accountNumber: _, attempts, ...found }: Found,
  maskedAccountNumber: string,
): WithdrawalRecord {
  const { reason, concern, seq } = state;
  return { ...found, isHandedOver: attempts > 0, maskedAccountNumber, reason, concern, version: seq };
}

/** Payments of one ledger that wait at the same time. */
const MAX_WAITING = 1_000;

/**
 * Ends the wait of the ledger's payments that another administrator requested and that are younger than the approver: of those to
 * `to`, or of all. `isOwn`: there are others.
 */
export async function endWaits(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  ledgerId: LedgerId,
  {
    approver,
    to,
  }: {
    readonly approver: Approver;
    readonly to: BankDetails | null;
  },
): Promise<{ readonly ended: readonly WithdrawalTerms[]; readonly isOwn: boolean }> {
  const waiting = await findWaiting(em, companyId, ledgerId);
  const meant = waiting.filter((row) => {
    const accountNumber = readDetails(cipher, ACCOUNT_NUMBER, row.id, row.account_number, boundTo(row));
    return to === null || isSameDestination({ branchCode: row.branchCode, accountNumber }, to);
  });
  const ended = meant.filter((one) => mayEndWait(approver, one));
  for (const { id } of ended)
    await em.execute('update payout_destination set not_before = null where company_id = ? and id = ?', [
      companyId,
      id,
    ]);
  return { ended: ended.map(({ state }) => fromWire<Withdrawal>(state).terms), isOwn: meant.length > ended.length };
}

/** The administrator who ends a wait: another one than who caused it, and older. */
export type Approver = { readonly id: AdministratorId; readonly createdAt: Date };

export function mayEndWait(
  approver: Approver,
  { person_id: personId, created_at: at }: Pick<Waiting, 'person_id' | 'created_at'>,
): boolean {
  return personId !== approver.id && approver.createdAt < new Date(at);
}

/** The ledger's payments that wait because their destination is new, oldest first. */
export async function findWaiting(em: EntityManager, companyId: CompanyId, ledgerId: LedgerId): Promise<Waiting[]> {
  return em.execute<Waiting[]>(
    `select d.id, d.bank_name as "bankName", d.branch_code as "branchCode", d.account_name as "accountName", d.account_number,
       d.person_id, d.created_at, w.state
     from withdrawal w join account a on a.company_id = w.company_id and a.id = w.account_id
       join payout_destination d on d.company_id = w.company_id and d.id = w.id
     where w.company_id = ? and a.ledger_id = ? and w.status = 'PROCESSING' and d.not_before > company_now(w.company_id)
     order by d.created_at limit ?`,
    [companyId, ledgerId, MAX_WAITING],
  );
}

type Waiting = Omit<BankDetails, 'accountNumber'> & {
  id: TransactionId;
  account_number: EncryptedText;
  person_id: AdministratorId | null;
  created_at: Date;
  state: Wire<Withdrawal>;
};

/** Far more than any withdrawal has: the number of its payment attempts is limited. */
const MAX_WITHDRAWAL_EVENTS = 2_000;

export type WithdrawalTimelineEntry = {
  readonly event: string;
  readonly actor: string;
  readonly at: Date;
  readonly source: Source;
  /** The text that was sent with it. */
  readonly reason: string | null;
};

/** All events of a withdrawal, in order; at most `MAX_WITHDRAWAL_EVENTS`, oldest first. */
export async function findWithdrawalTimeline(
  em: EntityManager,
  companyId: CompanyId,
  id: TransactionId,
): Promise<WithdrawalTimelineEntry[]> {
  const rows = await em.execute<{ type: string; actor: string; at: Date; source: Source; reason: string | null }[]>(
    `select v.type, v.actor, v.at, v.source, t.content ->> 'reason' as reason from withdrawal_event v
     left join command_text t on t.company_id = v.company_id and t.command_id = v.command_id
     where v.company_id = ? and v.withdrawal_id = ? order by v.seq limit ?`,
    [companyId, id, MAX_WITHDRAWAL_EVENTS],
  );
  return rows.map(({ type, at, ...entry }) => ({ event: type, at: new Date(at), ...entry }));
}
