import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { storeText } from '../../../db/escrow/escrows.ts';
import { findTransaction } from '../../../db/ledger/transactions.ts';
import { findAttemptOfDeposit } from '../../../db/payments/payment-attempts.ts';
import { findLink } from '../../../db/payments/payment-links.ts';
import { reverse } from '../../../db/payments/reversals.ts';
import { writeAnnounced } from '../../../db/requests/audit-log.ts';
import { idMadeBy, publicId } from '../../../domain/ids.ts';
import { TRANSACTION_STATUSES } from '../../../domain/ledger/postings.ts';
import { withText } from '../../commands/escrow-commands.ts';
import { runOnce } from '../../commands/idempotency.ts';
import { headingOf } from '../../commands/links.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { defaultsTo, note, pathIds } from '../../schemas/common.ts';
import { Transaction, transactionView } from '../../schemas/ledger.ts';

const Reversed = Transaction.extend({
  reverses: z
    .object({ id: z.string().describe('Its id.'), status: z.enum(TRANSACTION_STATUSES) })
    .describe('The deposit that was reversed.'),
}).openapi('Reversal');

/** Reverses received money that the bank took back. */
export function registerReversal(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, commands } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/payments/transaction/{id}/reverse',
      tag: 'Payments',
      summary: 'Reverse a deposit that bounced',
      description:
        'Takes a deposit, or a bank receipt that settled no deposit, back from the account that has the money. A deposit in transit ' +
        'becomes FAILED, a settled one REVERSED. This only books: the card gateway is asked for no refund. If ' +
        'the money is spent or held: 422 `insufficient_funds`, and nothing changes. With isChargeback it is taken back in any case: ' +
        "the missing amount becomes the company's receivable. Until it is settled, the escrow that the money funded cannot be " +
        'released, and the user cannot withdraw.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      params: pathIds({ id: 'transaction' }),
      body: z
        .object({
          reason: note().describe('Why, in words.'),
          isChargeback: defaultsTo(z.boolean(), false).describe("The payer's bank has taken the money back already."),
        })
        .openapi('ReversalRequest'),
      unknownFields: 'refused',
      success: ok(Reversed),
      refusals: ['not_found', 'wrong_state', 'insufficient_funds', 'account_frozen', 'idempotency_key_reused'],
    },
    ({ params: { id: reversedId }, body: { reason, isChargeback }, companyId, c }) =>
      runOnce(c, dependencies, async (commandId) => {
        const transactionId = idMadeBy('transaction', commandId);
        const isForced = isChargeback;
        const paid = await inTenant(orm, companyId, async (em) => {
          const attempt = await findAttemptOfDeposit(em, companyId, reversedId);
          const link = attempt && (await findLink(em, companyId, attempt.linkId));
          return link && { attemptId: attempt.id, heading: headingOf(link) };
        });
        // The link's run also knows what the gateway reports about its payment.
        if (paid)
          await withText(dependencies, companyId, { commandId, about: paid.heading.id }, { reason }, () =>
            commands.link(paid.heading, 'take-back', { commandId, attemptId: paid.attemptId, isForced }),
          );
        const view = await inTenant(orm, companyId, async (em) => {
          if (!paid) {
            await reverse(em, { transactionId, companyId, reversedId, isChargeback: isForced });
            await storeText(em, companyId, commandId, { reason });
            await writeAnnounced(em, [{ companyId, commandId }]);
          }
          const reversal = await findTransaction(em, companyId, transactionId);
          const reversed = await findTransaction(em, companyId, reversedId);
          if (reversal === null || reversed === null) throw new Error('a posted reversal was not found');
          return {
            ...transactionView(reversal),
            reverses: { id: publicId('transaction', reversedId), status: reversed.status },
          };
        });
        return view;
      }),
  );
}
