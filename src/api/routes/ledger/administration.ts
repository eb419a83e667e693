import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { type Freeze, freezeAccount, requireKnownFreeze } from '../../../db/ledger/account-freeze.ts';
import { findAccount } from '../../../db/ledger/accounts.ts';
import { findBankDetails, setBankDetails } from '../../../db/treasury/bank-details.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId } from '../../../domain/ids.ts';
import { ACCOUNT_TYPES } from '../../../domain/ledger/accounts.ts';
import { maskAccountNumber } from '../../../domain/withdrawal/bank-details.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies, Principal } from '../../context.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { note, pathIds, timestamp } from '../../schemas/common.ts';
import { Account, accountView } from '../../schemas/ledger.ts';
import { bankFields } from '../../schemas/treasury.ts';

const tags = ['Ledger'];

const BankDetails = z.object(bankFields).openapi('BankDetails');

const BankDetailsSet = BankDetails.extend({ ledgerId: z.string(), updated_at: timestamp() }).openapi('BankDetailsSet');

const BankDetailsRead = z
  .object({
    ledgerId: z.string(),
    bank_name: z.string().nullable(),
    branch_code: z.string().nullable(),
    account_number: z.string().nullable().openapi({ description: 'All but the last four characters hidden.' }),
    account_name: z.string().nullable(),
    updated_at: timestamp().nullable(),
  })
  .openapi('BankDetailsRead');

const AccountChange = z
  .object({
    is_frozen: z.boolean(),
    reason: note(),
    known_freeze_at: timestamp().nullish().openapi({
      description:
        'The time of `last_freeze` as you know it; null: none. If the account was frozen or unfrozen since, the answer is 409 `wrong_state`.',
    }),
  })
  .openapi('AccountChange');

export function registerLedgerAdministration(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, cipher } = dependencies;
  const bankDetails = createRoute({
    method: 'patch',
    path: '/v1/ledger/{ledgerId}/bank-details',
    tags,
    summary: "Set the ledger's default bank details",
    ...tenant(guard, 'manage_money'),
    request: { params: pathIds({ ledgerId: 'ledger' }), ...json(BankDetails) },
    responses: { ...ok(BankDetailsSet), ...refusals('not_found') },
  });
  const readBankDetails = createRoute({
    method: 'get',
    path: '/v1/ledger/{ledgerId}/bank-details',
    tags,
    summary: "The ledger's default bank details; null where none are set",
    ...tenant(guard, 'read'),
    request: { params: pathIds({ ledgerId: 'ledger' }) },
    responses: { ...ok(BankDetailsRead), ...refusals('not_found') },
  });
  const change = createRoute({
    method: 'patch',
    path: '/v1/ledger/accounts/{accountId}',
    tags,
    summary: 'Freeze or unfreeze an account',
    description:
      'From a frozen account no money goes out and none is held: 422 `account_frozen`. Money still comes in, and what was ' +
      'held before is paid or given back. Contra sides of the books (TRANSIT, BANK, RECEIVABLE, INTERCOMPANY) hold no money and ' +
      'cannot be frozen: 422 `account_not_freezable`.',
    ...tenant(guard, 'manage_money', { idempotency: 'accepted' }),
    request: { params: pathIds({ accountId: 'account' }), ...json(AccountChange) },
    responses: { ...ok(Account), ...refusals('not_found', 'wrong_state', 'account_not_freezable') },
  });

  app.openapi(bankDetails, async (c) => {
    const { ledgerId } = c.req.valid('param');
    const input = c.req.valid('json');
    const { companyId } = c.var;
    const done = await inTenant(orm, companyId, (em) =>
      setBankDetails(em, cipher, companyId, ledgerId, {
        bankName: input.bank_name,
        branchCode: input.branch_code,
        accountNumber: input.account_number,
        accountName: input.account_name,
      }),
    );
    if (done === null) throw new Refusal('not_found', 'ledger not found');
    return c.json({ ledgerId: publicId('ledger', ledgerId), ...input, updated_at: done.updatedAt.toISOString() }, 200);
  });

  app.openapi(readBankDetails, async (c) => {
    const { ledgerId } = c.req.valid('param');
    const { companyId } = c.var;
    const details = await inTenant(orm, companyId, (em) => findBankDetails(em, cipher, companyId, ledgerId));
    if (details === undefined) throw new Refusal('not_found', 'ledger not found');
    const body = {
      ledgerId: publicId('ledger', ledgerId),
      bank_name: details?.bankName ?? null,
      branch_code: details?.branchCode ?? null,
      account_number: details === null ? null : maskAccountNumber(details.accountNumber),
      account_name: details?.accountName ?? null,
      updated_at: details?.updatedAt.toISOString() ?? null,
    };
    return c.json(body, 200);
  });

  app.openapi(change, async (c) => {
    const { accountId: id } = c.req.valid('param');
    const { is_frozen: isFrozen, reason, known_freeze_at: knownAt } = c.req.valid('json');
    const { companyId } = c.var;
    const account = await changeOnce(c, dependencies, async (em) => {
      const found = await findAccount(em, companyId, { id });
      if (found === null) throw new Refusal('not_found', 'account not found');
      if (isFrozen && ACCOUNT_TYPES[found.type].mayGoNegative)
        throw new Refusal('account_not_freezable', `${found.type} is a contra side and holds no money`);
      if (knownAt !== undefined) await requireKnownFreeze(em, companyId, id, knownAt);
      await freezeAccount(em, companyId, id, { isFrozen, reason, actor: actorOf(c.var.principal) });
      const frozen = await findAccount(em, companyId, { id });
      if (frozen === null) throw new Error('a frozen account was not found');
      return accountView(frozen);
    });
    return c.json(account, 200);
  });
}

function actorOf(principal: Principal): Freeze['actor'] {
  return principal.kind === 'api_key'
    ? { kind: 'api_key', id: principal.apiKeyId }
    : { kind: 'administrator', id: principal.administratorId };
}
