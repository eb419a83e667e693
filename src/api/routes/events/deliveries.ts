import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { currentSource } from '../../../db/core/source.ts';
import { DELIVERY_SORTS, listDeliveries, replayEvents, retryDelivery } from '../../../db/webhooks/deliveries.ts';
import { requireEndpoint, targetOf } from '../../../db/webhooks/endpoints.ts';
import { publicId } from '../../../domain/ids.ts';
import { DELIVERY_STATUSES, pingMessage } from '../../../domain/webhooks.ts';
import { changeOnce, runOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { WAIT_LIMITS } from '../../limits.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { pathIds } from '../../schemas/common.ts';
import { anyOf, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Delivery, deliveryView, PingAnswer, Replay } from '../../schemas/webhooks.ts';

const tag = 'Events';

/** What was sent to an endpoint, and sending it again. */
export function registerDeliveries(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, cipher, webhookSender } = dependencies;
  const access = tenant('manage_company');
  const params = pathIds({ id: 'webhook' });

  operation(
    {
      method: 'post',
      path: '/v1/webhooks/{id}/ping',
      tag,
      summary: 'Send a signed message of the type `webhook.ping`, and see the answer',
      description: "Waits for the endpoint's answer.",
      access,
      idempotency: 'accepted',
      params,
      success: ok(PingAnswer),
      refusals: ['not_found'],
    },
    ({ params: { id }, companyId, c }) =>
      runOnce(c, dependencies, async (commandId) => {
        const target = await inTenant(orm, companyId, (em) => targetOf(em, cipher, companyId, id));
        const at = new Date().toISOString();
        const message = pingMessage(publicId('event', commandId), companyId, at, currentSource());
        return webhookSender.send({ ...target, message, timeoutMs: WAIT_LIMITS.pingMs });
      }),
  );

  operation(
    {
      method: 'post',
      path: '/v1/webhooks/{id}/replay',
      tag,
      summary: 'Send the events of a period again, with their ids',
      description: 'For a receiver that lost some. It ignores the ids that it knows.',
      access,
      idempotency: 'accepted',
      params,
      body: Replay,
      success: ok(
        z.object({
          isReplaying: z
            .boolean()
            .describe('Whether there are events of that time. They are sent while the endpoint is enabled.'),
        }),
      ),
      refusals: ['not_found', 'wrong_state'],
    },
    ({ params: { id }, body: { from, to }, companyId, c }) =>
      changeOnce(c, dependencies, async (em) => ({
        isReplaying: await replayEvents(em, companyId, id, { from, to: to ?? undefined }),
      })),
  );

  operation(
    {
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries',
      tag,
      summary: 'What was sent to the endpoint, newest first',
      description: 'Each with its latest attempts.',
      access,
      params,
      query: listing('page', DELIVERY_SORTS, '-createdAt').extend({
        status: anyOf(DELIVERY_STATUSES).optional(),
      }),
      success: ok(pageResponse(Delivery)),
      refusals: ['not_found'],
    },
    async ({ params: { id: endpointId }, query, companyId, c }) => {
      const { page, filter } = splitQuery(query, DELIVERY_SORTS);
      const found = await inTenant(orm, companyId, async (em) => {
        await requireEndpoint(em, companyId, endpointId);
        return listDeliveries(em, companyId, { ...filter, endpointId }, page);
      });
      return pageAnswer(c, query, found, deliveryView);
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/webhooks/deliveries/{id}/retry',
      tag,
      summary: 'Retry a delivery',
      description:
        'At once, whatever its state, unless the endpoint is disabled or an earlier delivery of the same object waits for a retry.',
      access,
      idempotency: 'accepted',
      params: pathIds({ id: 'delivery' }),
      success: ok(Delivery),
      refusals: ['not_found'],
    },
    ({ params: { id }, companyId, c }) =>
      changeOnce(c, dependencies, async (em) => deliveryView(await retryDelivery(em, companyId, id))),
  );
}
