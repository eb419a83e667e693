import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../db/core/orm.ts';
import { findAccount } from '../../db/ledger/accounts.ts';
import { findBankDetails, personBehind, setBankDetails } from '../../db/treasury/bank-details.ts';
import { owes } from '../../db/treasury/receivables.ts';
import { listWithdrawals, type WithdrawalRecord } from '../../db/treasury/withdrawals.ts';
import { Refusal } from '../../domain/errors.ts';
import type { EscrowTerms, OrderedBy } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import { type BankDetails, maskAccountNumber } from '../../domain/withdrawal/bank-details.ts';
import type { BankCharacterSet } from '../../domain/withdrawal/bank-text.ts';
import { payoutDestination, unsendableFields } from '../commands/payout-destination.ts';
import { requestWithdrawal } from '../commands/withdrawals.ts';
import type { ApiDependencies } from '../context.ts';

/** The seller's money outside the escrow: the balance in its currency, where it is paid to, and the latest payouts. */

type Shown = { readonly bankName: string; readonly maskedNumber: string };

export type SellerMoney = {
  readonly availableCents: bigint;
  /** Whether no payout is accepted now: the account is frozen, or its owner owes money. */
  readonly isStopped: boolean;
  /** Null: none is in effect. */
  readonly destination: Shown | null;
  /** Whether details are stored that cannot be read or sent to the bank. The page shows it and goes on. */
  readonly isUnusable: boolean;
  /** When the bank gets a payment to the destination at the earliest; null: at once. */
  readonly notBefore: Date | null;
  /** The next details and when they take effect; null where none wait. */
  readonly next: (Shown & { readonly effectiveAt: Date }) | null;
  readonly payouts: readonly WithdrawalRecord[];
};

const SHOWN_PAYOUTS = 5;

export async function findSellerMoney(
  em: EntityManager,
  { cipher, settings }: Pick<ApiDependencies, 'cipher' | 'settings'>,
  companyId: CompanyId,
  { sellerAccountId }: EscrowTerms,
): Promise<SellerMoney> {
  const account = await findAccount(em, companyId, { id: sellerAccountId });
  if (account === null) throw new Error('the seller has no account');
  const found = await payoutDestination(em, { cipher, settings }, account, null).then(
    (destination) => ({ ...destination, refusal: null }),
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return { to: null, notBefore: null, refusal: error.code };
    },
  );
  const isReadable = found.refusal !== 'details_unreadable';
  const next = isReadable ? (await findBankDetails(em, cipher, companyId, account.ledgerId))?.pending : null;
  const shown = ({ bankName, accountNumber }: BankDetails): Shown => ({
    bankName,
    maskedNumber: maskAccountNumber(accountNumber),
  });
  const filter = { accountId: account.id };
  const { records } = await listWithdrawals(em, cipher, companyId, filter, { limit: SHOWN_PAYOUTS, offset: 0 });
  return {
    availableCents: account.balanceCents - account.heldCents,
    isStopped: account.isFrozen || (await owes(em, companyId, account.id)),
    destination: found.to === null ? null : shown(found.to),
    isUnusable: found.refusal !== null && found.refusal !== 'bank_details_cooling',
    notBefore: found.notBefore,
    next: next == null ? null : { ...shown(next), effectiveAt: next.effectiveAt },
    payouts: records,
  };
}

/** Why the bank would not take a payment to these details; null if it would. */
export function bankRefusal(
  details: BankDetails,
  set: BankCharacterSet,
): 'bank_code_refused' | 'bank_name_refused' | null {
  const { codes, names } = unsendableFields(details, set);
  if (codes.length > 0) return 'bank_code_refused';
  return names.length > 0 ? 'bank_name_refused' : null;
}

/** Sets the details of the seller's ledger. They take effect after the cooling-off period, as those that a company sets. */
export async function setPayoutDetails(
  { orm, cipher, settings }: Pick<ApiDependencies, 'orm' | 'cipher' | 'settings'>,
  { companyId, sellerId, sellerAccountId }: EscrowTerms,
  details: BankDetails,
): Promise<void> {
  if (sellerId === null) throw new Refusal('wrong_state', 'the company is the seller');
  await inTenant(orm, companyId, async (em) => {
    const account = await findAccount(em, companyId, { id: sellerAccountId });
    if (account === null) throw new Refusal('not_found', 'account not found');
    const actor = { kind: 'user', id: sellerId, personId: null } as const;
    const { bankDetailsCoolingHours: coolingHours } = settings;
    await setBankDetails(em, cipher, companyId, account.ledgerId, details, { actor, coolingHours });
  });
}

/** Pays the seller's balance out, to the default destination. */
export async function payOut(
  dependencies: Pick<ApiDependencies, 'orm' | 'cipher' | 'settings' | 'commands'>,
  { companyId, sellerId, sellerAccountId }: EscrowTerms,
  {
    commandId,
    amountCents,
    by,
  }: { readonly commandId: CommandId; readonly amountCents: bigint; readonly by: OrderedBy },
): Promise<void> {
  if (sellerId === null) throw new Refusal('wrong_state', 'the company is the seller');
  const { adminId, apiKeyId } = by;
  const requested = await requestWithdrawal(dependencies, {
    ...{ companyId, commandId, accountId: sellerAccountId, amountCents, given: null },
    ...{ externalReference: `order-page-${commandId}`, role: 'ADMIN' },
    personOf: async (em) => adminId ?? (apiKeyId === null ? null : personBehind(em, { kind: 'api_key', id: apiKeyId })),
  });
  if (requested === null) throw new Refusal('wrong_state', 'the seller has no bank details');
}
