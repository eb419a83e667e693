import { z } from '@hono/zod-openapi';
import { Refusal } from '../../../domain/errors.ts';
import type { EventOf } from '../../../domain/escrow/commands.ts';
import { MAX_EXTENSION_HOURS } from '../../../domain/escrow/escrow.ts';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../domain/escrow/statuses.ts';
import { publicIdOrNull } from '../../../domain/ids.ts';
import type { Wire } from '../../../domain/messages/wire.ts';
import { runOnceOnEscrow, sendEscrowCommand } from '../../commands/escrow-commands.ts';
import { orderedBy, requireAdministrator } from '../../commands/ordered-by.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, id, note, pathIds, timestamp } from '../../schemas/common.ts';
import { CountedItems } from '../../schemas/escrow.ts';

/** The steps of an escrow from start to completion, and the buyer's single extension of the automatic release. */

const tag = 'Escrow';
const params = pathIds({ id: 'escrow' });
const status = z.enum(ESCROW_STATUSES);

const Moved = z.object({ status, updatedAt: timestamp() }).openapi('EscrowMoved');
const Released = z
  .object({
    status,
    sellerPayout: centsText(),
    systemFee: centsText(),
    serviceFee: centsText(),
    transactionId: z.string().nullable(),
  })
  .openapi('EscrowReleased');
const Cancelled = z.object({ status, refundTransactionId: z.string().nullable() }).openapi('EscrowCancelled');
const CancelRequest = z
  .object({ actor: z.enum(['BUYER', 'SELLER', 'ADMIN']), reason: note() })
  .openapi('CancelRequest');
const Extension = z
  .object({ actor: z.literal('BUYER'), hours: z.int().min(1).max(MAX_EXTENSION_HOURS) })
  .openapi('Extension');

export function registerLifecycle(operation: Operations, dependencies: ApiDependencies): void {
  for (const [type, summary] of [
    ['delivery-note', 'The seller records dispatch'],
    ['goods-received', 'The buyer confirms receipt'],
  ] as const) {
    operation(
      {
        method: 'post',
        path: `/v1/escrow/{id}/${type}`,
        tag,
        summary,
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
      access: tenant('operate'),
      idempotency: 'required',
      precondition: 'accepted',
      params,
      query: z.object({ milestoneId: id('milestone').optional() }),
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
        const { milestones } = escrow.state;
        if (milestoneId !== undefined && milestones.every((milestone) => milestone.milestoneId !== milestoneId))
          throw new Refusal('not_found', 'the escrow has no such milestone');
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
      access: tenant('operate'),
      idempotency: 'accepted',
      precondition: 'accepted',
      params,
      body: Extension,
      success: ok(z.object({ status, autoReleaseAt: timestamp() })),
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

type Payment = {
  readonly event: Wire<EventOf<'release' | 'release-milestone'>>;
  readonly status: EscrowStatus;
};

function releasedView({ event: { shares, transactionId }, status: after }: Payment): z.infer<typeof Released> {
  return {
    status: after,
    sellerPayout: shares.sellerPayoutCents,
    systemFee: shares.systemFeeCents,
    serviceFee: shares.serviceFeeCents,
    transactionId: publicIdOrNull('transaction', transactionId),
  };
}
