import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, LedgerId, UserId } from '../../domain/ids.ts';
import { type BankDetails, fitPaymentFile } from '../../domain/withdrawal/bank-details.ts';
import type { EncryptedText, FieldCipher } from '../core/field-cipher.ts';
import { FinancialInstitution } from '../entities/identity.ts';
import { AppUser } from '../entities/tenancy.ts';
import { bankAccountOf } from '../identity/users.ts';

const ACCOUNT_NUMBER = 'ledger.account_number';

/** Replaces the ledger's bank details; the account number is stored encrypted. Null if the company has no such ledger. */
export async function setBankDetails(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  ledgerId: LedgerId,
  details: BankDetails,
): Promise<{ readonly updatedAt: Date } | null> {
  const [row] = await em.execute<{ updated_at: Date }[]>(
    `update ledger set bank_name = ?, branch_code = ?, account_number = ?, account_name = ?, updated_at = now()
     where company_id = ? and id = ? returning updated_at`,
    [
      details.bankName,
      details.branchCode,
      cipher.encrypt(ACCOUNT_NUMBER, ledgerId, details.accountNumber),
      details.accountName,
      companyId,
      ledgerId,
    ],
  );
  return row === undefined ? null : { updatedAt: new Date(row.updated_at) };
}

type Row = {
  bank_name: string | null;
  branch_code: string | null;
  account_number: EncryptedText | null;
  account_name: string | null;
  updated_at: Date;
};

export type StoredBankDetails = BankDetails & { readonly updatedAt: Date };

/** The ledger's default bank details; null if none are set, `undefined` if the company has no such ledger. */
export async function findBankDetails(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  ledgerId: LedgerId,
): Promise<StoredBankDetails | null | undefined> {
  const [row] = await em.execute<Row[]>(
    'select bank_name, branch_code, account_number, account_name, updated_at from ledger where company_id = ? and id = ?',
    [companyId, ledgerId],
  );
  if (row === undefined) return undefined;
  const {
    bank_name: bankName,
    branch_code: branchCode,
    account_number: accountNumber,
    account_name: accountName,
  } = row;
  if (bankName === null || branchCode === null || accountNumber === null || accountName === null) return null;
  return {
    bankName,
    branchCode,
    accountNumber: cipher.decrypt(ACCOUNT_NUMBER, ledgerId, accountNumber),
    accountName,
    updatedAt: new Date(row.updated_at),
  };
}

/**
 * The default destination of a withdrawal from an account: the ledger's default details, else the user's bank account. Null if
 * there is neither, or if a payment file cannot carry them.
 */
export async function findDefaultDestination(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  account: { readonly ledgerId: LedgerId; readonly userId: UserId | null },
): Promise<BankDetails | null> {
  const ofLedger = (await findBankDetails(em, cipher, companyId, account.ledgerId)) ?? null;
  if (ofLedger !== null && fitPaymentFile(ofLedger)) return ofLedger;
  return account.userId === null ? null : findUserDestination(em, cipher, companyId, account.userId);
}

async function findUserDestination(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId,
  userId: UserId,
): Promise<BankDetails | null> {
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
  return fitPaymentFile(details) ? details : null;
}
