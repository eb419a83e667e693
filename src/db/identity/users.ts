import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, DocumentId, UserId } from '../../domain/ids.ts';
import type { BankAccount } from '../../domain/users.ts';
import { violatedUnique } from '../core/database-errors.ts';
import { type FieldCipher, readDetails } from '../core/field-cipher.ts';
import type { FullRow } from '../core/read-model.ts';
import { FinancialInstitution } from '../entities/identity.ts';
import { AppUser } from '../entities/tenancy.ts';
import { openUserLedger } from '../ledger/open-ledgers.ts';
import { type IdentityStanding, identityStandingOf } from './blacklist.ts';
import { personHashes } from './person-hashes.ts';

type Said = 'firstName' | 'lastName' | 'email' | 'metadata' | 'customReference';
type NewUser = Readonly<Pick<FullRow<AppUser>, Said>> & {
  readonly mobileNumber: string;
  readonly idNumber: string;
  readonly bankAccount: BankAccount | null;
  readonly documentId?: DocumentId | null;
  /** Whether people typed the id number themselves. It is then no evidence of who they are. */
  readonly isSelfRegistered?: boolean;
};

/**
 * Creates a user with a ledger and one account per currency, in the caller's transaction. Throws `already_exists` if the
 * company already has the phone number or the custom reference, and `unknown_institution`.
 */
export async function createUser(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  id: UserId,
  { bankAccount, idNumber, documentId = null, isSelfRegistered = false, ...input }: NewUser,
): Promise<AppUser> {
  const now = new Date();
  if (bankAccount !== null) await requireInstitution(em, bankAccount);
  const hashes = await personHashes(em, cipher);
  const row: FullRow<AppUser> = {
    id,
    companyId,
    ...input,
    isSelfRegistered,
    documentId,
    kycLevel: 1,
    identityStatus: 'CLEAR',
    identityStatusReason: null,
    changedSinceApproval: [],
    erasedAt: null,
    idNumberHash: hashes.ofIdNumber(idNumber),
    phoneHash: hashes.ofPhone(input.mobileNumber),
    bankAccountHash: bankAccount === null ? null : hashes.ofBankAccount(bankAccount.accountNumber),
    idNumber: cipher.encrypt('app_user.id_number', id, idNumber),
    bankAccount: bankAccount === null ? null : cipher.encrypt('app_user.bank_account', id, JSON.stringify(bankAccount)),
    createdAt: now,
    updatedAt: now,
  };
  const user = em.create(AppUser, row);
  em.persist(user);
  await saveUser(em);
  const name = [input.firstName, input.lastName].filter((part) => part !== null).join(' ');
  await openUserLedger(em, { companyId, userId: id, name: name === '' ? 'User' : name });
  return user;
}

/**
 * Writes changes to users. Throws `already_exists` if a value that must be unique in the company is taken, and `dependency_unavailable`
 * for a user's id: then an earlier attempt of the same command committed after its time limit, and the next attempt finds the user.
 */
export async function saveUser(em: EntityManager): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    const constraint = violatedUnique(error);
    if (constraint === undefined) throw error;
    if (constraint.endsWith('_pkey'))
      throw new Refusal('dependency_unavailable', 'an earlier attempt has created the user; repeat the request');
    // The name contains that of the column in a partition too. An index on an expression has another name there.
    throw new Refusal(
      'already_exists',
      constraint.includes('mobile_number') ? 'the mobile number is taken' : 'the custom reference is taken',
    );
  }
}

/** The company's user; `id` may be the id of a registration that stands for the user. Throws `not_found`. */
export async function requireUser(em: EntityManager, companyId: CompanyId, id: UserId): Promise<AppUser> {
  const own = await em.findOne(AppUser, { id, companyId });
  const registered = own === null ? await findRegisteredUser(em, id) : null;
  const user = registered === null ? own : await em.findOne(AppUser, { id: registered, companyId });
  if (user === null) throw new Refusal('not_found', 'user not found');
  return user;
}

/**
 * The same, with the row locked until the transaction ends: changes of the approved data and of the approval are serialised. Throws
 * `wrong_state` if the person was erased, because nothing about them may be stored again.
 */
export async function lockUser(em: EntityManager, companyId: CompanyId, id: UserId): Promise<AppUser> {
  const user = await lockAnyUser(em, companyId, id);
  if (user.erasedAt != null) throw new Refusal('wrong_state', 'the person was erased');
  return user;
}

/** The same for an erased person too, about whom the caller stores nothing. */
export async function lockAnyUser(em: EntityManager, companyId: CompanyId, id: UserId): Promise<AppUser> {
  const found = await requireUser(em, companyId, id);
  return em.refreshOrFail(found, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

const VERSION_DIGIT = 14;

/** Whether the id can belong to a checkout registration, which has a UUIDv4. All other users have UUIDv7s and need no look-up. */
export function isRegistration(id: UserId): boolean {
  return id.charAt(VERSION_DIGIT) === '4';
}

/** The company's user for whom a checkout registration stands; null if there is none yet. */
export async function findRegisteredUser(em: EntityManager, id: UserId): Promise<UserId | null> {
  if (!isRegistration(id)) return null;
  const [row] = await em.execute<{ id: UserId | null }[]>('select registered_user(?) as id', [id]);
  return row?.id ?? null;
}

/** What is known of a user beside the row. */
export async function findUserFacts(em: EntityManager, user: AppUser): Promise<UserFacts> {
  const standing = await identityStandingOf(em, user.companyId, user.id);
  return { ...standing, isDocumentDeleted: await isDocumentDeleted(em, user) };
}

export type UserFacts = IdentityStanding & { readonly isDocumentDeleted: boolean };

/** Whether the last identity document was deleted; a later one counts instead (398-identity-documents.sql). */
async function isDocumentDeleted(em: EntityManager, { companyId, id, documentId }: AppUser): Promise<boolean> {
  if (documentId != null) return false;
  const rows = await em.execute<unknown[]>('select from deleted_document where company_id = ? and user_id = ?', [
    companyId,
    id,
  ]);
  return rows.length > 0;
}

/** The id that answers show: that of the user for whom `id` stands, or `id` itself. */
export async function ownUserId<Given extends UserId | undefined>(
  em: EntityManager,
  id: Given,
): Promise<Given | UserId> {
  return id === undefined ? id : ((await findRegisteredUser(em, id)) ?? id);
}

/** Null if the person was erased. */
export function idNumberOf(user: AppUser, cipher: FieldCipher): string | null {
  if (user.idNumber == null) return null;
  return cipher.decrypt('app_user.id_number', user.id, user.idNumber);
}

export function bankAccountOf(user: AppUser, cipher: FieldCipher): BankAccount | null {
  if (user.bankAccount == null) return null;
  return JSON.parse(readDetails(cipher, 'app_user.bank_account', user.id, user.bankAccount));
}

async function requireInstitution(em: EntityManager, { institutionId }: BankAccount): Promise<void> {
  if ((await em.count(FinancialInstitution, { id: institutionId })) === 0)
    throw new Refusal('unknown_institution', 'bankAccount.institutionId does not name a financial institution');
}
