import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountRecord } from '../../db/ledger/accounts.ts';
import { transferTaxBasisPoints } from '../../db/treasury/fee-configs.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Role } from '../../domain/roles.ts';
import { sourceRefusal, transferTaxCents } from '../../domain/withdrawal/sources.ts';

/**
 * The transfer tax on a withdrawal of `amountCents` that is requested now, in cents, for a quote and for the withdrawal alike.
 * Throws `account_not_owned` or `forbidden` if `role` may not withdraw from such an account.
 */
export async function taxOf(
  em: EntityManager,
  role: Role,
  { companyId, type, currency }: AccountRecord,
  amountCents: bigint,
): Promise<bigint> {
  const refusal = sourceRefusal(type, role);
  if (refusal !== null) throw new Refusal(refusal, `the credential may not withdraw from ${type} accounts`);
  return transferTaxCents(type, amountCents, await transferTaxBasisPoints(em, companyId, currency));
}
