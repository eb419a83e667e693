import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../db/core/orm.ts';
import { type AccountRecord, findAccount, findAccounts } from '../../db/ledger/accounts.ts';
import { receivableAccount } from '../../db/ledger/own-accounts.ts';
import { transferTaxBasisPoints } from '../../db/treasury/fee-configs.ts';
import { deleteDestination, storeDestination } from '../../db/treasury/withdrawals.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import {
  type AccountId,
  type AdministratorId,
  type CommandId,
  type CompanyId,
  idMadeBy,
  type TransactionId,
} from '../../domain/ids.ts';
import type { AccountType } from '../../domain/ledger/accounts.ts';
import type { Role } from '../../domain/roles.ts';
import type { BankDetails } from '../../domain/withdrawal/bank-details.ts';
import { formatRequest } from '../../domain/withdrawal/parse-command.ts';
import { sourceRefusal, transferTaxCents } from '../../domain/withdrawal/sources.ts';
import type { WithdrawalTerms } from '../../domain/withdrawal/withdrawal.ts';
import { REQUEST_WITHDRAWAL_UPDATE } from '../../workflows/messages.ts';
import type { ApiDependencies } from '../context.ts';
import { payoutDestination, referenceForBank, type SentToBank } from './payout-destination.ts';

/** Requests a withdrawal, for an operation and for an order page alike. */

type WithdrawalOrder = {
  readonly companyId: CompanyId;
  readonly commandId: CommandId;
  readonly accountId: AccountId;
  readonly amountCents: bigint;
  readonly externalReference: string;
  /** Null: the default. */
  readonly given: BankDetails | null;
  readonly role: Role;
  /** The administrator behind the request. */
  readonly personOf: (em: EntityManager) => Promise<AdministratorId | null>;
};

export type RequestedWithdrawal = {
  readonly terms: WithdrawalTerms;
  readonly at: string;
  readonly notBefore: Date | null;
  /** The texts of the payment file. */
  readonly sent: SentToBank & { readonly reference: string };
};

/** Once per command id. Null if the withdrawal has no destination. Throws `not_found`, and the refusals of the command. */
export async function requestWithdrawal(
  dependencies: Pick<ApiDependencies, 'orm' | 'cipher' | 'settings' | 'commands'>,
  order: WithdrawalOrder,
): Promise<RequestedWithdrawal | null> {
  const { orm, cipher, commands, settings } = dependencies;
  const { companyId, commandId, externalReference } = order;
  const withdrawalId = idMadeBy('transaction', commandId);
  const prepared = await inTenant(orm, companyId, async (em) => {
    const account = await findAccount(em, companyId, { id: order.accountId });
    if (account === null) throw new Refusal('not_found', 'account not found');
    const terms = await agree(em, withdrawalId, order.role, account, order.amountCents);
    const reference = referenceForBank(externalReference, settings.bankCharacterSet);
    const { to, notBefore, sent } = await payoutDestination(em, dependencies, account, order.given);
    if (to === null) return null;
    const stored = { ...to, externalReference, notBefore, personId: await order.personOf(em) };
    return {
      terms,
      sent: { ...sent, reference },
      notBefore: await storeDestination(em, cipher, companyId, withdrawalId, stored),
    };
  });
  if (prepared === null) return null;
  const { terms } = prepared;
  try {
    const { event } = await commands.withdrawal({ id: terms.withdrawalId, ...terms }, REQUEST_WITHDRAWAL_UPDATE, {
      commandId,
      ...formatRequest(terms),
    });
    return { ...prepared, at: event.at };
  } catch (error) {
    if (isRefused(error)) await inTenant(orm, companyId, (em) => deleteDestination(em, companyId, withdrawalId));
    throw error;
  }
}

/** The data about the withdrawal in the company's rows. The workflow's activity checks again whatever can change. */
async function agree(
  em: EntityManager,
  withdrawalId: TransactionId,
  role: Role,
  account: AccountRecord,
  amountCents: bigint,
): Promise<WithdrawalTerms> {
  const { companyId, currency } = account;
  const taxCents = await taxOf(em, role, account, amountCents);
  const accounts = await findAccounts(em, companyId, { currency, isCompanyOwned: true });
  const accountOf = (wanted: AccountType) => {
    const found = accounts.find((one) => one.type === wanted);
    if (found === undefined) throw new Error(`the company has no ${wanted} account`);
    return found.id;
  };
  return {
    withdrawalId,
    companyId,
    accountId: account.id,
    userId: account.userId,
    bankAccountId: accountOf('BANK'),
    taxAccountId: accountOf('TAX'),
    receivableAccountId: await receivableAccount(em, companyId, currency),
    currency,
    amountCents,
    taxCents,
  };
}

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
