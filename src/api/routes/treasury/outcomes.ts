import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { inTenant } from '../../../db/core/orm.ts';
import { WithdrawalRow } from '../../../db/entities/withdrawal.ts';
import { isHeldByPlatform } from '../../../db/ledger/account-freeze.ts';
import { findHoldBack } from '../../../db/treasury/payout-attempts.ts';
import { findWithdrawal } from '../../../db/treasury/withdrawals.ts';
import { Refusal, refusedFor } from '../../../domain/errors.ts';
import type { CompanyId, TransactionId } from '../../../domain/ids.ts';
import { fromWire } from '../../../domain/messages/wire.ts';
import { isHoldBack } from '../../../domain/withdrawal/bank-reports.ts';
import {
  formatBookOutcome,
  formatOrder,
  type WithdrawalMessageType,
} from '../../../domain/withdrawal/parse-command.ts';
import type { Withdrawal as WithdrawalState } from '../../../domain/withdrawal/withdrawal.ts';
import { withText } from '../../commands/escrow-commands.ts';
import { runOnce } from '../../commands/idempotency.ts';
import { orderedBy } from '../../commands/ordered-by.ts';
import type { ApiDependencies, ApiEnv } from '../../context.ts';
import { expectedVersion, IF_MATCH } from '../../middleware/headers.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { id, note, pathIds } from '../../schemas/common.ts';
import { Withdrawal, withdrawalView } from '../../schemas/treasury.ts';

const Outcome = z
  .object({
    outcome: z.enum(['PAID', 'NOT_PAID']).openapi({ description: 'NOT_PAID: rejected, or paid and returned.' }),
    adminId: id('administrator').openapi({ description: 'The administrator of the platform who read the statement.' }),
    reason: z
      .string()
      .regex(/^[A-Z0-9]{4}$/, "must be ISO 20022's code, of four characters")
      .nullish()
      .describe('Why, as a reason code of ISO 20022, such as AC04.'),
    saidAt: z.iso.datetime({ offset: true }).nullish().openapi({
      description: 'When the bank decided; now by default. Later reports of an earlier time are ignored.',
    }),
  })
  .openapi('PayoutOutcome');

const Cancellation = z
  .object({ reason: note().nullish().describe('Why, for the timeline.') })
  .openapi('WithdrawalCancellation', { description: 'Cancels a withdrawal.' });

/** Commands on a withdrawal: the company cancels or resumes it, and the platform books what the bank's statement shows. */
export function registerOutcomes(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, commands, cipher, settings } = dependencies;

  /** Sends a command once, and answers with the withdrawal after it. */
  function order(
    c: Context<ApiEnv>,
    withdrawalId: TransactionId,
    type: Exclude<WithdrawalMessageType, 'check-payout'>,
    message: object,
    reason: string | null = null,
  ) {
    const companyId = c.get('companyId');
    const expectedSeq = expectedVersion(c.req.header(IF_MATCH));
    return runOnce(c, dependencies, async (commandId) => {
      const row = await inTenant(orm, companyId, (em) => em.findOne(WithdrawalRow, { id: withdrawalId, companyId }));
      if (row === null) throw new Refusal('not_found', 'withdrawal not found');
      const { terms } = fromWire<WithdrawalState>(row.state);
      const sent = { commandId, ...message, ...(expectedSeq === undefined ? {} : { expectedSeq }) };
      const heading = { id: withdrawalId, ...terms };
      const ordered = { commandId, about: withdrawalId };
      await withText(dependencies, companyId, ordered, { reason }, () => commands.withdrawal(heading, type, sent));
      const changed = await inTenant(orm, companyId, (em) => findWithdrawal(em, cipher, companyId, withdrawalId));
      if (changed === null) throw new Refusal('not_found', 'withdrawal not found');
      return withdrawalView(changed, settings.bankCharacterSet);
    });
  }

  operation(
    {
      method: 'post',
      path: '/v1/treasury/withdrawals/{id}/cancel',
      tag: 'Treasury',
      summary: 'Cancel a withdrawal that the bank does not have yet',
      description:
        'Gives amount and tax back. Once an attempt to hand the payment to the bank is recorded: 409 `wrong_state`. If the bank ' +
        'pays all the same, the withdrawal becomes COMPLETED, and the money is taken again.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params: pathIds({ id: 'transaction' }),
      body: Cancellation,
      isBodyOptional: true,
      success: ok(Withdrawal),
      refusals: ['not_found', 'wrong_state', 'precondition_failed', 'idempotency_key_reused'],
    },
    ({ params: { id: withdrawalId }, body: { reason = null }, c }) =>
      order(c, withdrawalId, 'cancel', formatOrder(orderedBy(c)), reason),
  );

  operation(
    {
      method: 'post',
      path: '/v1/treasury/withdrawals/{id}/resume',
      tag: 'Treasury',
      summary: 'Send a payment that was held back',
      description:
        'For a payment whose account was frozen or whose user was blacklisted before the bank had it (`review_reason`). While the ' +
        'reason stands: 409 `wrong_state`. The platform alone resumes what it froze.',
      access: tenant('manage_money', { factor: 'fresh' }),
      idempotency: 'accepted',
      precondition: 'accepted',
      params: pathIds({ id: 'transaction' }),
      success: ok(Withdrawal),
      refusals: ['not_found', 'wrong_state', 'forbidden', 'precondition_failed', 'idempotency_key_reused'],
    },
    async ({ params: { id: withdrawalId }, companyId, principal, c }) => {
      if (principal.role !== 'SUPER_ADMIN' && (await isForPlatform(companyId, withdrawalId)))
        throw refusedFor('forbidden', { code: 'platform_froze' });
      return order(c, withdrawalId, 'resume', formatOrder(orderedBy(c)));
    },
  );

  /** Whether only the platform may resume the payment, now that the freeze is lifted. */
  function isForPlatform(companyId: CompanyId, withdrawalId: TransactionId): Promise<boolean> {
    return inTenant(orm, companyId, async (em) => {
      const row = await em.findOne(WithdrawalRow, { id: withdrawalId, companyId });
      if (row === null) return false;
      const { terms, concern } = fromWire<WithdrawalState>(row.state);
      if (!isHoldBack(concern) || (await findHoldBack(em, terms)) !== null) return false;
      return isHeldByPlatform(em, companyId, withdrawalId);
    });
  }

  operation(
    {
      method: 'post',
      path: '/v1/treasury/withdrawals/{id}/outcome',
      tag: 'Treasury',
      summary: "Record the bank's decision about a payment by hand",
      description:
        'For payments that the bank does not report on, or reports on in an unclear way. PAID settles the withdrawal, or takes ' +
        'the money again where it was given back; NOT_PAID gives it back.',
      access: tenant('platform'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params: pathIds({ id: 'transaction' }),
      body: Outcome,
      success: ok(Withdrawal),
      refusals: ['not_found', 'wrong_state', 'precondition_failed', 'unknown_admin', 'idempotency_key_reused'],
    },
    ({ params: { id: withdrawalId }, body: input, c }) => {
      const { outcome, adminId, reason = null } = input;
      const saidAt = input.saidAt == null ? null : new Date(input.saidAt).toISOString();
      return order(c, withdrawalId, 'book-outcome', formatBookOutcome({ outcome, adminId, reason, saidAt }));
    },
  );
}
