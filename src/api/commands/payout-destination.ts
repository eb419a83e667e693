import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountRecord } from '../../db/ledger/accounts.ts';
import { findBankDetails, findDefaultDestination, findNotBefore } from '../../db/treasury/bank-details.ts';
import { Refusal } from '../../domain/errors.ts';
import { type BankDetails, MAX_BANK_NAME_CHARACTERS } from '../../domain/withdrawal/bank-details.ts';
import { type BankCharacterSet, bankText, isBankCode } from '../../domain/withdrawal/bank-text.ts';
import type { ApiDependencies } from '../context.ts';
import { InvalidRequest } from '../problem.ts';

/** The texts in a payment file, as the answers say them. */
export type SentToBank = { readonly bank_name: string; readonly account_name: string };

/** The fields that cannot be sent to the bank: codes and numbers, which are sent as they are, and names, which are transliterated. */
export function unsendableFields(
  { bankName, branchCode, accountNumber, accountName }: BankDetails,
  set: BankCharacterSet,
): { readonly codes: readonly string[]; readonly names: readonly string[] } {
  const those = (fields: Record<string, string>, isSendable: (text: string) => boolean) =>
    Object.entries(fields).flatMap(([field, text]) => (isSendable(text) ? [] : [field]));
  return {
    codes: those({ branch_code: branchCode, account_number: accountNumber }, (code) => isBankCode(code, set)),
    names: those({ bank_name: bankName, account_name: accountName }, (name) => bankText(name, set) !== null),
  };
}

/** The names in the bank's characters. Throws `validation_failed` for the fields that cannot be sent to it. */
export function sentToBank(
  details: BankDetails,
  set: BankCharacterSet,
  pathOf: (field: string) => string = (field) => field,
): SentToBank {
  const { codes, names } = unsendableFields(details, set);
  const wrong = [...codes, ...names];
  const [bank, account] = [bankText(details.bankName, set), bankText(details.accountName, set)];
  if (wrong.length > 0 || bank === null || account === null) throw unsendable(...wrong.map(pathOf));
  const cut = (text: string) => [...text].slice(0, MAX_BANK_NAME_CHARACTERS).join('');
  return { bank_name: cut(bank), account_name: cut(account) };
}

/** The reference in the bank's characters. Throws `validation_failed` for `externalReference`. */
export function referenceForBank(reference: string, set: BankCharacterSet): string {
  const sent = bankText(reference, set);
  if (sent === null) throw unsendable('externalReference');
  return sent;
}

function unsendable(...paths: readonly string[]): InvalidRequest {
  const message = 'has a character that the bank does not take and that has no other spelling';
  return new InvalidRequest(
    'validation_failed',
    paths.map((path) => ({ path, message })),
  );
}

/**
 * The destination of a withdrawal that is requested now, for a quote and for the withdrawal alike: the given one, else the default.
 * `to` is null if there is none. `sent`: its names as the bank gets them. `notBefore`: when the bank gets the payment at the earliest; null: at once. Throws
 * `bank_details_cooling` if the only default is not in effect yet.
 */
export async function payoutDestination(
  em: EntityManager,
  { cipher, settings }: Pick<ApiDependencies, 'cipher' | 'settings'>,
  { companyId, ledgerId, id }: AccountRecord,
  given: BankDetails | null,
): Promise<Destination> {
  const { bankDetailsCoolingHours: coolingHours, bankCharacterSet: set } = settings;
  const details = await findBankDetails(em, cipher, companyId, ledgerId);
  if (details === null) throw new Error('the account has no ledger');
  const to = given ?? (await findDefaultDestination(em, cipher, companyId, details, coolingHours));
  if (to !== null) {
    const notBefore = await findNotBefore(em, cipher, companyId, id, to, details, coolingHours);
    return { to, sent: sentToBank(to, set), notBefore };
  }
  if (details.pending === null) return { to, sent: null, notBefore: null };
  throw new Refusal(
    'bank_details_cooling',
    `the bank details take effect at ${details.pending.effectiveAt.toISOString()}, and none are in effect before`,
  );
}

type Destination =
  | { readonly to: BankDetails; readonly sent: SentToBank; readonly notBefore: Date | null }
  | { readonly to: null; readonly sent: null; readonly notBefore: null };
