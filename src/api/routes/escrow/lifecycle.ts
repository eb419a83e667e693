import { z } from '@hono/zod-openapi';
import { refusalFrom } from '../../../domain/entity.ts';
import type { EventOf } from '../../../domain/escrow/commands.ts';
import { milestoneOf } from '../../../domain/escrow/decision.ts';
import { ESCROW_STATUSES, type EscrowStatus, MAX_EXTENSION_HOURS } from '../../../domain/escrow/escrow.ts';
import { publicIdOrNull } from '../../../domain/ids.ts';
import type { Wire } from '../../../domain/messages/wire.ts';
import { sendEscrowCommand } from '../../commands/escrow-commands.ts';
import { runOnceOnEscrow } from '../../commands/idempotency.ts';
import { orderedBy, requireAdministrator } from '../../commands/ordered-by.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, id, note, pathIds, timestamp } from '../../schemas/common.ts';
import { CountedItems } from '../../schemas/escrow.ts';

/** The steps of an escrow from start to completion, and the buyer's single extension of the automatic release. */

const tag = 'Escrow';
const params = pathIds({ id: 'escrow' });
const status = z.enum(ESCROW_STATUSES);

const Moved = z.object({ status, updatedAt: timestamp().describe('When it was last changed.') }).openapi('EscrowMoved');
const Released = z
  .object({
    status,
    sellerPayout: centsText(),
    systemFee: centsText(),
    serviceFee: centsText(),
    transactionId: z.string().nullable().describe('The transaction.'),
  })
  .openapi('EscrowReleased');
const Cancelled = z
  .object({ status, refundTransactionId: z.string().nullable().describe('The refund. Null where nothing was held.') })
  .openapi('EscrowCancelled');
const CancelRequest = z
  .object({
    actor: z
      .enum(['BUYER', 'SELLER', 'ADMIN'])
      .describe('Who cancels. ADMIN needs a role that administers the company.'),
    reason: note().describe('Why, in words.'),
  })
  .openapi('CancelRequest');
const Extension = z
  .object({
    actor: z.literal('BUYER').describe('The buyer, who may ask for more time.'),
    hours: z.int().min(1).max(MAX_EXTENSION_HOURS).describe('By how many hours the automatic release moves.'),
  })
  .openapi('Extension');

export function registerLifecycle(operation: Operations, dependencies: ApiDependencies): void {
  for (const [type, summary, description] of [
    [
      'delivery-note',
      'The seller records dispatch',
      'May be sent again for each parcel. Once notes or receipts cover the order, the automatic release begins.',
    ],
    [
      'goods-received',
      'The buyer confirms receipt',
      'Receipts add up to at most what was ordered. A receipt pays nothing: the release does.',
    ],
  ] as const) {
    operation(
      {
        method: 'post',
        path: `/v1/escrow/{id}/${type}`,
        tag,
        summary,
        description,
        access: tenant('operate'),
        idempotency: 'accepted',
        precondition: 'accepted',
        params,
        body: CountedItems,
        success: ok(Moved),
        refusals: [
          'not_found',
          'wrong_state',
          'precondition_failed',
          'unknown_item',
          'quantity_exceeds_order',
          'price_mismatch',
        ],
      },
      ({ params: { id: escrowId }, body: { items, notes }, c }) =>
        runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
          const counted = items.map(({ itemId, quantity, price_per_item: pricePerItemCents }) => ({
            itemId,
            quantity,
            pricePerItemCents,
          }));
          const result = await sendEscrowCommand(
            dependencies,
            escrow,
            type,
            { commandId, items: counted },
            { notes: notes ?? null },
          );
          return { status: result.status, updatedAt: result.event.at };
        }),
    );
  }
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/release',
      tag,
      summary: 'Release the money of the escrow, or of one milestone, to the seller',
      description: 'Without `milestoneId` all that is left is paid. The fees are taken of it.',
      access: tenant('operate'),
      idempotency: 'required',
      precondition: 'accepted',
      params,
      query: z.object({
        milestoneId: id('milestone').optional().describe('Releases only this milestone.'),
      }),
      unknownFields: 'refused',
      success: ok(Released),
      refusals: [
        'not_found',
        'wrong_state',
        'precondition_failed',
        'payment_charged_back',
        'user_blacklisted',
        'account_frozen',
        'idempotency_key_reused',
      ],
    },
    ({ params: { id: escrowId }, query: { milestoneId }, c }) =>
      runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
        const milestone = milestoneId === undefined ? null : milestoneOf(escrow.state, milestoneId);
        if (milestone !== null && 'code' in milestone) throw refusalFrom(milestone); // before the run compares the version
        const result =
          milestoneId === undefined
            ? await sendEscrowCommand(dependencies, escrow, 'release', { commandId, ...orderedBy(c) })
            : await sendEscrowCommand(dependencies, escrow, 'release-milestone', {
                commandId,
                milestoneId,
                ...orderedBy(c),
              });
        return releasedView(result);
      }),
  );
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/extend',
      tag,
      summary: 'Postpone the automatic release, once, by at most thirty days',
      description: 'For a buyer who needs longer to check the goods.',
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params,
      body: Extension,
      success: ok(z.object({ status, autoReleaseAt: timestamp().describe('When it is released by itself.') })),
      refusals: ['not_found', 'wrong_state', 'precondition_failed'],
    },
    ({ params: { id: escrowId }, body: { hours }, c }) =>
      runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
        const result = await sendEscrowCommand(dependencies, escrow, 'extend-auto-release', { commandId, hours });
        const { autoReleaseAt } = result.event;
        return { status: result.status, autoReleaseAt };
      }),
  );
  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/cancel',
      tag,
      summary: 'Cancel the escrow and return the money to the buyer',
      description:
        "Before the release. In a dispute the buyer cannot cancel: evidence, a proposal and the administrator's decision are the ways out.",
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params,
      body: CancelRequest,
      success: ok(Cancelled),
      refusals: ['not_found', 'wrong_state', 'precondition_failed'],
    },
    async ({ params: { id: escrowId }, body: { actor, reason }, c }) => {
      if (actor === 'ADMIN') requireAdministrator(c);
      return runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
        const order = { commandId, actor, ...orderedBy(c) };
        const { event, status: ended } = await sendEscrowCommand(dependencies, escrow, 'cancel', order, { reason });
        return { status: ended, refundTransactionId: publicIdOrNull('transaction', event.transactionId) };
      });
    },
  );
}

type Release = {
  readonly event: Wire<EventOf<'release' | 'release-milestone'>>;
  readonly status: EscrowStatus;
};

function releasedView({ event: { shares, transactionId }, status: after }: Release): z.infer<typeof Released> {
  return {
    status: after,
    sellerPayout: shares.sellerPayoutCents,
    systemFee: shares.systemFeeCents,
    serviceFee: shares.serviceFeeCents,
    transactionId: publicIdOrNull('transaction', transactionId),
  };
}
