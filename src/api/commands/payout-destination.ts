import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountRecord } from '../../db/ledger/accounts.ts';
import { findBankDetails, findDefaultDestination, findNotBefore } from '../../db/treasury/bank-details.ts';
import { Refusal } from '../../domain/errors.ts';
import type { BankDetails } from '../../domain/withdrawal/bank-details.ts';
import type { ApiDependencies } from '../context.ts';

/**
 * The destination of a withdrawal that is requested now, for a quote and for the withdrawal alike: the given one, else the default.
 * `to` is null if there is none. `notBefore`: when the bank gets the payment at the earliest; null: at once. Throws
 * `bank_details_cooling` if the only default is not in effect yet.
 */
export async function payoutDestination(
  em: EntityManager,
  { cipher, settings }: Pick<ApiDependencies, 'cipher' | 'settings'>,
  { companyId, ledgerId, id }: AccountRecord,
  given: BankDetails | null,
): Promise<{ readonly to: BankDetails | null; readonly notBefore: Date | null }> {
  const { bankDetailsCoolingHours: coolingHours } = settings;
  const details = await findBankDetails(em, cipher, companyId, ledgerId);
  if (details === null) throw new Error('the account has no ledger');
  const to = given ?? (await findDefaultDestination(em, cipher, companyId, details, coolingHours));
  if (to !== null) return { to, notBefore: await findNotBefore(em, cipher, companyId, id, to, details, coolingHours) };
  if (details.pending === null) return { to, notBefore: null };
  throw new Refusal(
    'bank_details_cooling',
    `the bank details take effect at ${details.pending.effectiveAt.toISOString()}, and none are in effect before`,
  );
}
