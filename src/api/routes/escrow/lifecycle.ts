import { createRoute, z } from '@hono/zod-openapi';
import { Refusal } from '../../../domain/errors.ts';
import { type EventOf, MAX_EXTENSION_HOURS } from '../../../domain/escrow/escrow.ts';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../domain/escrow/transitions.ts';
import { publicIdOrNull } from '../../../domain/ids.ts';
import type { Wire } from '../../../domain/messages/wire.ts';
import { runOnceOnEscrow, sendEscrowCommand } from '../../commands/escrow-commands.ts';
import { orderedBy, requireAdministrator } from '../../commands/ordered-by.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { centsText, id, note, pathIds, timestamp } from '../../schemas/common.ts';
import { CountedItems } from '../../schemas/escrow.ts';

/** The steps of an escrow from start to completion, and the buyer's single extension of the automatic release. */

const tags = ['Escrow'];
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

export function registerLifecycle(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  for (const [type, summary] of [
    ['delivery-note', 'The seller records dispatch'],
    ['goods-received', 'The buyer confirms receipt'],
  ] as const) {
    const route = createRoute({
      method: 'post',
      path: `/v1/escrow/{id}/${type}`,
      tags,
      summary,
      ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
      request: { params, ...json(CountedItems) },
      responses: {
        ...ok(Moved),
        ...refusals(
          'not_found',
          'wrong_state',
          'precondition_failed',
          'unknown_item',
          'quantity_exceeds_order',
          'price_mismatch',
        ),
      },
    });
    app.openapi(route, async (c) => {
      const { items, notes } = c.req.valid('json');
      const { id: escrowId } = c.req.valid('param');
      const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
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
        return { status: 200, body: { status: result.status, updatedAt: result.event.at } };
      });
      return c.json(answer.body, answer.status);
    });
  }

  const release = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/release',
    tags,
    summary: 'Release the money of the escrow, or of one milestone, to the seller',
    ...tenant(guard, 'operate', { idempotency: 'required', precondition: 'accepted' }),
    request: { params, query: z.object({ milestoneId: id('milestone').optional() }) },
    responses: {
      ...ok(Released),
      ...refusals(
        'not_found',
        'wrong_state',
        'precondition_failed',
        'payment_charged_back',
        'user_blacklisted',
        'account_frozen',
        'idempotency_key_reused',
      ),
    },
  });
  app.openapi(release, async (c) => {
    const { milestoneId } = c.req.valid('query');
    const { id: escrowId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
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
      return { status: 200, body: releasedView(result) };
    });
    return c.json(answer.body, answer.status);
  });

  const extend = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/extend',
    tags,
    summary: 'Postpone the automatic release, once, by at most thirty days',
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params, ...json(Extension) },
    responses: {
      ...ok(z.object({ status, autoReleaseAt: timestamp() })),
      ...refusals('not_found', 'wrong_state', 'precondition_failed'),
    },
  });
  app.openapi(extend, async (c) => {
    const { hours } = c.req.valid('json');
    const { id: escrowId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
      const result = await sendEscrowCommand(dependencies, escrow, 'extend-auto-release', { commandId, hours });
      const { autoReleaseAt } = result.event;
      return { status: 200, body: { status: result.status, autoReleaseAt } };
    });
    return c.json(answer.body, answer.status);
  });

  const cancel = createRoute({
    method: 'post',
    path: '/v1/escrow/{id}/cancel',
    tags,
    summary: 'Cancel the escrow and return the money to the buyer',
    ...tenant(guard, 'operate', { idempotency: 'accepted', precondition: 'accepted' }),
    request: { params, ...json(CancelRequest) },
    responses: { ...ok(Cancelled), ...refusals('not_found', 'wrong_state', 'precondition_failed') },
  });
  app.openapi(cancel, async (c) => {
    const { actor, reason } = c.req.valid('json');
    if (actor === 'ADMIN') requireAdministrator(c);
    const { id: escrowId } = c.req.valid('param');
    const answer = await runOnceOnEscrow(c, dependencies, escrowId, async (escrow, commandId) => {
      const order = { commandId, actor, ...orderedBy(c) };
      const { event, status: ended } = await sendEscrowCommand(dependencies, escrow, 'cancel', order, { reason });
      return {
        status: 200,
        body: { status: ended, refundTransactionId: publicIdOrNull('transaction', event.transactionId) },
      };
    });
    return c.json(answer.body, answer.status);
  });
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
