import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import {
  type Freeze,
  freezeAccount,
  requireKnownFreeze,
  requireMayUnfreeze,
} from '../../../db/ledger/account-freeze.ts';
import { findAccount } from '../../../db/ledger/accounts.ts';
import { findBankDetails, setBankDetails } from '../../../db/treasury/bank-details.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { ACCOUNT_TYPES } from '../../../domain/ledger/accounts.ts';
import { maskAccountNumber } from '../../../domain/withdrawal/bank-details.ts';
import { changeAudited, changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies, Principal } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { note, pathIds, timestamp } from '../../schemas/common.ts';
import { Account, accountView } from '../../schemas/ledger.ts';
import { bankFields } from '../../schemas/treasury.ts';

const tag = 'Ledger';

const BankDetails = z.object(bankFields).openapi('BankDetails');

const BankDetailsSet = BankDetails.extend({
  ledgerId: z.string().describe('The ledger.'),
  updated_at: timestamp().describe('When it was last changed.'),
}).openapi('BankDetailsSet');

const BankDetailsRead = z
  .object({
    ledgerId: z.string().describe('The ledger.'),
    bank_name: z.string().nullable().describe('The name of the bank.'),
    branch_code: z.string().nullable().describe('The code of the branch.'),
    account_number: z.string().nullable().openapi({ description: 'All but the last four characters hidden.' }),
    account_name: z.string().nullable().describe('The holder of the account at the bank.'),
    updated_at: timestamp().nullable().describe('When it was last changed.'),
  })
  .openapi('BankDetailsRead');

const AccountChange = z
  .object({
    is_frozen: z.boolean().describe('Whether outgoing money is refused.'),
    reason: note().describe('Why, in words.'),
    known_freeze_at: timestamp().nullish().openapi({
      description:
        'The time of `last_freeze` as you know it; null: none. If the account was frozen or unfrozen since, the answer is 409 `wrong_state`.',
    }),
  })
  .openapi('AccountChange');

export function registerLedgerAdministration(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, cipher } = dependencies;

  operation(
    {
      method: 'patch',
      path: '/v1/ledger/{ledgerId}/bank-details',
      tag,
      summary: "Set the ledger's default bank details",
      description: 'Withdrawals that name no account use them.',
      access: tenant('manage_money'),
      params: pathIds({ ledgerId: 'ledger' }),
      body: BankDetails,
      unknownFields: 'refused',
      success: ok(BankDetailsSet),
      refusals: ['not_found'],
    },
    async ({ params: { ledgerId }, body: input, companyId, c }) => {
      const done = await changeAudited(c, dependencies, async (em) => {
        const set = await setBankDetails(em, cipher, companyId, ledgerId, {
          bankName: input.bank_name,
          branchCode: input.branch_code,
          accountNumber: input.account_number,
          accountName: input.account_name,
        });
        if (set === null) throw new Refusal('not_found', 'ledger not found');
        return set;
      });
      return { ledgerId: publicId('ledger', ledgerId), ...input, updated_at: done.updatedAt.toISOString() };
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/ledger/{ledgerId}/bank-details',
      tag,
      summary: "The ledger's default bank details; null where none are set",
      description: 'The number is shown but for its last characters.',
      access: tenant('read'),
      params: pathIds({ ledgerId: 'ledger' }),
      success: ok(BankDetailsRead),
      refusals: ['not_found'],
    },
    async ({ params: { ledgerId }, companyId }) => {
      const details = await inTenant(orm, companyId, (em) => findBankDetails(em, cipher, companyId, ledgerId));
      if (details === undefined) throw new Refusal('not_found', 'ledger not found');
      return {
        ledgerId: publicId('ledger', ledgerId),
        bank_name: details?.bankName ?? null,
        branch_code: details?.branchCode ?? null,
        account_number: details === null ? null : maskAccountNumber(details.accountNumber),
        account_name: details?.accountName ?? null,
        updated_at: details?.updatedAt.toISOString() ?? null,
      };
    },
  );

  operation(
    {
      method: 'patch',
      path: '/v1/ledger/accounts/{accountId}',
      tag,
      summary: 'Freeze or unfreeze an account',
      description:
        'From a frozen account no money goes out and none is held: 422 `account_frozen`. Money still comes in, and what was ' +
        'held before is paid or given back, but for payouts that the bank does not have yet. The platform alone lifts its freeze. ' +
        'Contra sides of the books (TRANSIT, BANK, CLEARING_CARD and the like, RECEIVABLE, INTERCOMPANY) hold no money and ' +
        'cannot be frozen: 422 `account_not_freezable`.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      params: pathIds({ accountId: 'account' }),
      body: AccountChange,
      success: ok(Account),
      refusals: ['not_found', 'wrong_state', 'forbidden', 'account_not_freezable'],
    },
    async ({ params: { accountId: id }, body, companyId, principal, c }) => {
      const { is_frozen: isFrozen, reason, known_freeze_at: knownAt } = body;
      return changeOnce(c, dependencies, async (em) => {
        const found = await findAccount(em, companyId, { id });
        if (found === null) throw new Refusal('not_found', 'account not found');
        if (isFrozen && ACCOUNT_TYPES[found.type].mayGoNegative)
          throw new Refusal('account_not_freezable', `${found.type} is a contra side and holds no money`);
        if (!isFrozen) await requireMayUnfreeze(em, companyId, id, principal.role);
        if (knownAt !== undefined) await requireKnownFreeze(em, companyId, id, knownAt);
        await freezeAccount(em, companyId, id, { isFrozen, reason, actor: actorOf(principal) });
        const frozen = await findAccount(em, companyId, { id });
        if (frozen === null) throw new Error('a frozen account was not found');
        return accountView(frozen);
      });
    },
  );
}

function actorOf(principal: Principal): Freeze['actor'] {
  const { role } = principal;
  return principal.kind === 'api_key'
    ? { kind: 'api_key', id: principal.apiKeyId, role }
    : { kind: 'administrator', id: principal.administratorId, role };
}
