import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { WithdrawalRow } from '../../../db/entities/withdrawal.ts';
import { findWithdrawal } from '../../../db/treasury/withdrawals.ts';
import { Refusal } from '../../../domain/errors.ts';
import { fromWire } from '../../../domain/messages/wire.ts';
import { formatBookOutcome } from '../../../domain/withdrawal/parse-command.ts';
import type { Withdrawal as WithdrawalState } from '../../../domain/withdrawal/withdrawal.ts';
import { runOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { expectedVersion, IF_MATCH } from '../../middleware/headers.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { id, pathIds } from '../../schemas/common.ts';
import { Withdrawal, withdrawalView } from '../../schemas/treasury.ts';

const Outcome = z
  .object({
    outcome: z.enum(['PAID', 'NOT_PAID']).openapi({ description: 'NOT_PAID: rejected, or paid and returned.' }),
    adminId: id('administrator').openapi({ description: 'The administrator of the platform who read the statement.' }),
    reason: z
      .string()
      .regex(/^[A-Z0-9]{4}$/, "must be ISO 20022's code, of four characters")
      .nullish()
      .describe('Why, in words.'),
    saidAt: z.iso.datetime({ offset: true }).nullish().openapi({
      description: 'When the bank decided; now by default. Later reports of an earlier time are ignored.',
    }),
  })
  .openapi('PayoutOutcome');

/** An operator books the outcome that the bank's statement shows, at any time, even if the bank's reports say something else. */
export function registerOutcomes(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, commands, cipher } = dependencies;

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
    async ({ params: { id: withdrawalId }, body: input, companyId, c }) => {
      const expectedSeq = expectedVersion(c.req.header(IF_MATCH));
      return runOnce(c, dependencies, async (commandId) => {
        const row = await inTenant(orm, companyId, (em) => em.findOne(WithdrawalRow, { id: withdrawalId, companyId }));
        if (row === null) throw new Refusal('not_found', 'withdrawal not found');
        const { terms } = fromWire<WithdrawalState>(row.state);
        const { outcome, adminId, reason = null } = input;
        const saidAt = input.saidAt == null ? null : new Date(input.saidAt).toISOString();
        await commands.bookOutcome(terms, {
          commandId,
          ...formatBookOutcome({ outcome, adminId, reason, saidAt }),
          ...(expectedSeq === undefined ? {} : { expectedSeq }),
        });
        const booked = await inTenant(orm, companyId, (em) => findWithdrawal(em, cipher, companyId, withdrawalId));
        if (booked === null) throw new Refusal('not_found', 'withdrawal not found');
        return withdrawalView(booked);
      });
    },
  );
}
