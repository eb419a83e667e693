import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, LedgerId } from '../../domain/ids.ts';
import type { FieldCipher } from '../core/field-cipher.ts';

/** Where a ledger's money is paid out to by default. */
export type BankDetails = {
  readonly bankName: string;
  readonly branchCode: string;
  readonly accountNumber: string;
  readonly accountName: string;
};

/** Replaces the ledger's bank details; the account number is stored encrypted. Null where the company has no such ledger. */
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
      cipher.encrypt('ledger.account_number', ledgerId, details.accountNumber),
      details.accountName,
      companyId,
      ledgerId,
    ],
  );
  return row === undefined ? null : { updatedAt: new Date(row.updated_at) };
}
