import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type {
  AccountId,
  AdministratorId,
  ApiKeyId,
  CompanyId,
  LedgerId,
  TransactionId,
  UserId,
} from '../../domain/ids.ts';
import {
  type BankDetails,
  fitPaymentFile,
  isSameDestination,
  laterOf,
  maskAccountNumber,
} from '../../domain/withdrawal/bank-details.ts';
import { type EncryptedText, type FieldCipher, readOrNull } from '../core/field-cipher.ts';
import { createListReader, NEWEST_FIRST, type SortColumn } from '../core/list-reader.ts';
import { orNull, type RecordOf, readModel, time, value } from '../core/read-model.ts';
import { FinancialInstitution } from '../entities/identity.ts';
import { AppUser } from '../entities/tenancy.ts';
import { bankAccountOf } from '../identity/users.ts';

/**
 * The default bank details of ledgers. New ones take effect after the cooling-off period; until then withdrawals use the details
 * in effect. Times are those of the company's clock.
 */

const ACCOUNT_NUMBER = 'bank_details.account_number';

/** What an encrypted account number is bound to (BOUND_COLUMNS). */
export function boundTo({ bankName, branchCode, accountName }: Omit<BankDetails, 'accountNumber'>): readonly string[] {
  return [bankName, branchCode, accountName];
}

/** The administrator or API key that acts, and the administrator behind it: another one approves. A user acts on an order page. */
export type BankActor = {
  readonly kind: 'administrator' | 'api_key' | 'user';
  readonly id: AdministratorId | ApiKeyId | UserId;
  readonly personId: AdministratorId | null;
};

/** The administrator who acts, or who made the API key; null for a key of another company. */
export async function personBehind(
  em: EntityManager,
  { kind, id }: Pick<BankActor, 'kind' | 'id'>,
): Promise<AdministratorId | null> {
  if (kind === 'administrator') return id as AdministratorId; // by its kind
  if (kind === 'user') return null;
  const [row] = await em.execute<{ created_by: AdministratorId | null }[]>(
    'select created_by from api_key where id = ?',
    [id],
  );
  return row?.created_by ?? null;
}

type Row = {
  id: string;
  bank_name: string;
  branch_code: string;
  account_number: EncryptedText;
  account_name: string;
  actor_kind: BankActor['kind'];
  actor_id: string;
  person_id: AdministratorId | null;
  changed_at: Date;
  created_at: Date;
  effective_at: Date;
  is_pending: boolean;
};

export type StoredBankDetails = BankDetails & {
  readonly id: string;
  readonly actorKind: BankActor['kind'];
  readonly actorId: string;
  readonly changedAt: Date;
  readonly effectiveAt: Date;
  readonly personId: AdministratorId | null;
  /** By real time. */
  readonly createdAt: Date;
};

export type LedgerBankDetails = {
  readonly userId: UserId | null;
  /** Null: none are in effect, or they cannot be read. */
  readonly current: StoredBankDetails | null;
  /** The next details; null if there are none. */
  readonly pending: StoredBankDetails | null;
  /** Whether those in effect cannot be read. Nothing is paid in their place. */
  readonly isUnreadable: boolean;
};

/**
 * The ledger's default bank details; null if the company has no such ledger. Throws `details_unreadable` if the latest ones cannot be
 * read: it ends when they are stored again.
 */
export async function findBankDetails(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  ledgerId: LedgerId,
): Promise<LedgerBankDetails | null> {
  const found = await readableDetails(em, cipher, companyId, ledgerId);
  if (found?.latest === 'unreadable') throw new Refusal('details_unreadable');
  return found;
}

type Readable = LedgerBankDetails & {
  /** The details that were stored last; null if there are none. */
  readonly latest: StoredBankDetails | 'unreadable' | null;
};

async function readableDetails(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  ledgerId: LedgerId,
): Promise<Readable | null> {
  const [ledger] = await em.execute<{ user_id: UserId | null }[]>(
    'select user_id from ledger where company_id = ? and id = ?',
    [companyId, ledgerId],
  );
  if (ledger === undefined) return null;
  // The latest one of each kind: a change that was replaced has no time of effect.
  const rows = await em.execute<Row[]>(
    `select distinct on (is_pending) b.* from (
       select d.*, d.effective_at > company_now(d.company_id) as is_pending from bank_details d
       where d.company_id = ? and d.ledger_id = ? and d.effective_at is not null) b
     order by is_pending, b.created_at desc`,
    [companyId, ledgerId],
  );
  const storedOf = (isPending: boolean): Readable['latest'] => {
    const row = rows.find(({ is_pending }) => is_pending === isPending);
    return row === undefined ? null : (storedDetails(cipher, row) ?? 'unreadable');
  };
  const orNone = (stored: Readable['latest']) => (stored === 'unreadable' ? null : stored);
  const [current, pending] = [storedOf(false), storedOf(true)];
  return {
    userId: ledger.user_id,
    current: orNone(current),
    pending: orNone(pending),
    isUnreadable: current === 'unreadable',
    latest: pending ?? current,
  };
}

/** Null if the row cannot be read. */
function storedDetails(cipher: FieldCipher, row: Row): StoredBankDetails | null {
  const named = { bankName: row.bank_name, branchCode: row.branch_code, accountName: row.account_name };
  const accountNumber = readOrNull(cipher, ACCOUNT_NUMBER, row.id, row.account_number, boundTo(named));
  if (accountNumber === null) return null;
  return {
    ...named,
    id: row.id,
    accountNumber,
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    personId: row.person_id,
    changedAt: new Date(row.changed_at),
    createdAt: new Date(row.created_at),
    effectiveAt: new Date(row.effective_at),
  };
}

/**
 * Changes the ledger's bank details. They take effect after `coolingHours`; details that are in effect or pending already keep
 * their time. A pending change is replaced. Details that cannot be read are like none. Returns the details before; null if the company
 * has no such ledger. Throws `wrong_state` if its person was erased.
 */
export async function setBankDetails(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  ledgerId: LedgerId,
  details: BankDetails,
  { actor, coolingHours }: { readonly actor: BankActor; readonly coolingHours: number },
): Promise<LedgerBankDetails | null> {
  await em.execute('select id from ledger where company_id = ? and id = ? for update', [companyId, ledgerId]);
  const before = await readableDetails(em, cipher, companyId, ledgerId);
  if (before === null) return null;
  await assertNotErased(em, companyId, before.userId);
  const { current, latest } = before;
  if (latest !== 'unreadable' && isSame(latest, details)) return before;
  await em.execute(
    `update bank_details set effective_at = null
     where company_id = ? and ledger_id = ? and effective_at > company_now(company_id)`,
    [companyId, ledgerId],
  );
  const id = uuidv7();
  const waitsHours = isSame(current, details) ? 0 : coolingHours;
  await em.execute(
    `insert into bank_details (id, company_id, ledger_id, bank_name, branch_code, account_number, masked_number, account_name,
       actor_kind, actor_id, person_id, changed_at, effective_at, number_to_tell)
     select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, n.at, n.at + make_interval(hours => ?),
       (select u.mobile_number from app_user u where u.company_id = ? and u.id = ?)
     from (select company_now(?) as at) n`,
    [
      ...[id, companyId, ledgerId, details.bankName, details.branchCode],
      cipher.encrypt(ACCOUNT_NUMBER, id, details.accountNumber, boundTo(details)),
      maskAccountNumber(details.accountNumber),
      ...[details.accountName, actor.kind, actor.id, actor.personId, waitsHours],
      ...[companyId, before.userId, companyId],
    ],
  );
  return before;
}

/** Call it with the ledger locked: the erasure of its person waits for it, or has ended. */
async function assertNotErased(em: EntityManager, companyId: CompanyId, userId: UserId | null): Promise<void> {
  if (userId !== null && (await em.count(AppUser, { id: userId, companyId, erasedAt: { $ne: null } })) > 0)
    throw new Refusal('wrong_state', 'the person was erased');
}

function isSame(stored: StoredBankDetails | null, details: BankDetails): boolean {
  const names = ['bankName', 'branchCode', 'accountNumber', 'accountName'] as const;
  return stored !== null && names.every((name) => stored[name] === details[name]);
}

/** Ends the wait of the pending change. */
export async function approveBankDetails(
  em: EntityManager,
  companyId: CompanyId,
  { id }: StoredBankDetails,
  approverId: AdministratorId,
): Promise<void> {
  await em.execute(
    `update bank_details set effective_at = company_now(company_id), approved_by = ? where company_id = ? and id = ?`,
    [approverId, companyId, id],
  );
}

// Messages

/** Nobody is told of an older change. */
const TOLD_WITHIN = '7 days';
const MAX_UNTOLD = 50;

type UntoldChange = { readonly companyId: CompanyId; readonly id: string };

/** What a person is told: who pays to which account. The number of the account is masked. */
type Notice = { readonly merchant: string; readonly account: string };

/** The changes of all companies of which a person has to be told, oldest first. */
export async function findUntold(em: EntityManager): Promise<UntoldChange[]> {
  return em.execute<UntoldChange[]>(
    `select company_id as "companyId", id from bank_details
     where number_to_tell is not null and created_at > now() - ?::interval order by created_at limit ?`,
    [TOLD_WITHIN, MAX_UNTOLD],
  );
}

/** Sends the message about a change and records it, unless another worker does. The row is locked meanwhile. */
export function tellOf(
  { companyId, id }: UntoldChange,
  send: (to: string, notice: Notice) => Promise<unknown>,
): (em: EntityManager) => Promise<void> {
  return async (em) => {
    const [untold] = await em.execute<{ to: string; merchant: string; account: string }[]>(
      `select b.number_to_tell as to, c.name as merchant, b.bank_name || ' ' || b.masked_number as account
       from bank_details b join company c on c.id = b.company_id
       where b.company_id = ? and b.id = ? and b.number_to_tell is not null for update of b skip locked`,
      [companyId, id],
    );
    if (untold === undefined) return;
    const { to, ...notice } = untold;
    await send(to, notice);
    await em.execute('update bank_details set number_to_tell = null where company_id = ? and id = ?', [companyId, id]);
  };
}

// History

const HISTORY = readModel({
  bankName: value<string>('b.bank_name'),
  branchCode: value<string>('b.branch_code'),
  maskedNumber: value<string>('b.masked_number'),
  accountName: value<string>('b.account_name'),
  actorKind: value<BankActor['kind']>('b.actor_kind'),
  actorId: value<string>('b.actor_id'),
  approvedBy: value<AdministratorId | null>('b.approved_by'),
  changedAt: time('b.changed_at'),
  effectiveAt: orNull(time('b.effective_at')),
});
export type BankDetailsChange = RecordOf<typeof HISTORY>;

export const BANK_DETAILS_SORTS = {
  createdAt: { column: 'b.created_at', kind: 'time' },
} as const satisfies Record<string, SortColumn>;

/** The changes of a ledger's bank details, newest first. */
export const { list: listBankDetails } = createListReader<
  { readonly ledgerId: LedgerId },
  BankDetailsChange,
  keyof typeof BANK_DETAILS_SORTS
>({
  table: 'bank_details',
  alias: 'b',
  ...HISTORY,
  conditions: { ledgerId: 'b.ledger_id = ?' },
  sorts: BANK_DETAILS_SORTS,
  defaultOrder: NEWEST_FIRST,
});

// Destinations of withdrawals

type DefaultDestination = BankDetails & {
  readonly source: 'LEDGER' | 'USER';
  /** The time from which the destination is known well enough; a payment to a new one waits. */
  readonly knownAt: Date;
};

/**
 * The default destination of a withdrawal from an account now: the ledger's details in effect, else the user's bank account.
 * Null if there is neither, if a payment file cannot carry them, or if those in effect cannot be read.
 */
export async function findDefaultDestination(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  { current, userId, isUnreadable }: LedgerBankDetails,
  coolingHours: number,
): Promise<DefaultDestination | null> {
  if (isUnreadable) return null;
  if (current !== null && fitPaymentFile(current))
    return { ...destinationIn(current), source: 'LEDGER', knownAt: current.effectiveAt };
  return userId === null ? null : findUserDestination(em, cipher, companyId, userId, coolingHours);
}

function destinationIn({ bankName, branchCode, accountNumber, accountName }: BankDetails): BankDetails {
  return { bankName, branchCode, accountNumber, accountName };
}

async function findUserDestination(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  userId: UserId,
  coolingHours: number,
): Promise<DefaultDestination | null> {
  const user = await em.findOne(AppUser, { id: userId, companyId });
  const bankAccount = user === null ? null : bankAccountOf(user, cipher);
  if (user === null || bankAccount === null) return null;
  const institution = await em.findOne(FinancialInstitution, { id: bankAccount.institutionId });
  if (institution === null) return null;
  const fullName = [user.firstName, user.lastName].filter((part) => part != null).join(' ');
  const details = {
    bankName: institution.name,
    // A user without a branch code is paid at the bank's own code.
    branchCode: bankAccount.branchCode ?? institution.code,
    accountNumber: bankAccount.accountNumber,
    accountName: bankAccount.accountName ?? fullName,
  };
  if (!fitPaymentFile(details)) return null;
  return { ...details, source: 'USER', knownAt: laterOf(user.createdAt, coolingHours) };
}

/** Destinations beyond this many are not compared: the payment then waits like one to a new destination. */
const MAX_COMPARED = 1_000;

/**
 * The time before which the bank does not get a payment from the account; null: it gets it at once. A destination that was never
 * paid from the account waits until it is known: the ledger's own details until they take effect, any other one for
 * `coolingHours`.
 */
export async function findNotBefore(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  accountId: AccountId,
  to: BankDetails | DefaultDestination,
  { current, pending }: LedgerBankDetails,
  coolingHours: number,
): Promise<Date | null> {
  if (coolingHours === 0 || (await wasPaid(em, cipher, companyId, accountId, to))) return null;
  const [clock] = await em.execute<{ now: Date }[]>('select company_now(?) as now', [companyId]);
  const now = new Date(clock?.now ?? Date.now());
  const registered = [current, pending].find((one) => one !== null && isSameDestination(one, to));
  const knownAt = registered?.effectiveAt ?? ('knownAt' in to ? to.knownAt : laterOf(now, coolingHours));
  return knownAt > now ? knownAt : null;
}

async function wasPaid(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  accountId: AccountId,
  to: BankDetails,
): Promise<boolean> {
  type Paid = Omit<BankDetails, 'accountNumber'> & { id: TransactionId; encrypted: EncryptedText };
  const paid = await em.execute<Paid[]>(
    `select d.id, d.bank_name as "bankName", d.branch_code as "branchCode", d.account_name as "accountName",
       d.account_number as encrypted
     from withdrawal w
     join payout_destination d on d.company_id = w.company_id and d.id = w.id
     where w.company_id = ? and w.account_id = ? and w.status = 'COMPLETED' and d.branch_code = ?
     order by w.created_at desc limit ?`,
    [companyId, accountId, to.branchCode, MAX_COMPARED],
  );
  return paid.some(({ id, encrypted, ...named }) => {
    // A number that cannot be read is not known to be the same.
    const accountNumber = readOrNull(cipher, 'payout_destination.account_number', id, encrypted, boundTo(named));
    return accountNumber !== null && isSameDestination({ branchCode: named.branchCode, accountNumber }, to);
  });
}
