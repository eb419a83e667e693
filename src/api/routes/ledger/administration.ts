import { z } from '@hono/zod-openapi';
import {
  type Freeze,
  freezeAccount,
  requireKnownFreeze,
  requireMayUnfreeze,
} from '../../../db/ledger/account-freeze.ts';
import { findAccount } from '../../../db/ledger/accounts.ts';
import { Refusal } from '../../../domain/errors.ts';
import { ACCOUNT_TYPES } from '../../../domain/ledger/accounts.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import { actorIn } from '../../commands/ordered-by.ts';
import type { ApiDependencies, Principal } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { note, pathIds, timestamp } from '../../schemas/common.ts';
import { Account, accountView } from '../../schemas/ledger.ts';

const tag = 'Ledger';

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
  return { ...actorIn(principal), role: principal.role };
}
