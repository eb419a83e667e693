import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { DELIVERY_SORTS, listDeliveries, retryDelivery } from '../../../db/webhooks/deliveries.ts';
import { replayEvents, requireEndpoint, signingSecrets } from '../../../db/webhooks/endpoints.ts';
import { publicId } from '../../../domain/ids.ts';
import { pingMessage } from '../../../domain/webhooks/message.ts';
import { DELIVERY_STATUSES, isSuccess } from '../../../domain/webhooks/retries.ts';
import { webhookHeaders } from '../../../providers/webhooks/signature.ts';
import { changeOnce, runOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { WAIT_LIMITS } from '../../limits.ts';
import { type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { pathIds } from '../../schemas/common.ts';
import { anyOf, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Delivery, deliveryView, PingAnswer, Replay } from '../../schemas/webhooks.ts';

const tags = ['Events'];

/** What was sent to an endpoint, and sending it again. */
export function registerDeliveries(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, cipher, webhookSender } = dependencies;
  const access = tenant(guard, 'manage_company');
  const keyed = tenant(guard, 'manage_company', { idempotency: 'accepted' });
  const params = pathIds({ id: 'webhook' });
  const ping = createRoute({
    method: 'post',
    path: '/v1/webhooks/{id}/ping',
    tags,
    summary: 'Send a signed message of the type `webhook.ping`, and see the answer',
    ...keyed,
    request: { params },
    responses: { ...ok(PingAnswer), ...refusals('not_found') },
  });
  const replay = createRoute({
    method: 'post',
    path: '/v1/webhooks/{id}/replay',
    tags,
    summary: 'Send the events of a period again, with their ids',
    ...keyed,
    request: { params, ...json(Replay) },
    responses: { ...ok(z.object({ isReplaying: z.boolean() })), ...refusals('not_found', 'wrong_state') },
  });
  const list = createRoute({
    method: 'get',
    path: '/v1/webhooks/{id}/deliveries',
    tags,
    summary: 'What was sent to the endpoint, newest first',
    ...access,
    request: {
      params,
      query: listing('page', DELIVERY_SORTS, '-createdAt').extend({ status: anyOf(DELIVERY_STATUSES).optional() }),
    },
    responses: { ...ok(pageResponse(Delivery)), ...refusals('not_found') },
  });
  const retry = createRoute({
    method: 'post',
    path: '/v1/webhooks/deliveries/{id}/retry',
    tags,
    summary: 'Retry a delivery',
    ...keyed,
    request: { params: pathIds({ id: 'delivery' }) },
    responses: { ...ok(Delivery), ...refusals('not_found') },
  });

  app.openapi(ping, async (c) => {
    const { id } = c.req.valid('param');
    const { companyId } = c.var;
    const pinged = await runOnce(c, dependencies, async (commandId) => {
      const { url, secrets } = await inTenant(orm, companyId, async (em) => ({
        url: (await requireEndpoint(em, companyId, id)).url,
        secrets: await signingSecrets(em, cipher, id),
      }));
      const now = new Date();
      const message = pingMessage(publicId('event', commandId), companyId, now.toISOString());
      const body = JSON.stringify(message);
      const headers = webhookHeaders(secrets, { id: message.id, body, now });
      const answer = await webhookSender.send({ url, headers, body, timeoutMs: WAIT_LIMITS.pingMs });
      return { status: 200, body: { isDelivered: isSuccess(answer.status), ...answer } };
    });
    return c.json(pinged.body, pinged.status);
  });

  app.openapi(replay, async (c) => {
    const { id } = c.req.valid('param');
    const { from, to } = c.req.valid('json');
    const { companyId } = c.var;
    const begun = await changeOnce(c, dependencies, async (em) => ({
      isReplaying: await replayEvents(em, companyId, id, { from, to: to ?? undefined }),
    }));
    return c.json(begun, 200);
  });

  app.openapi(list, async (c) => {
    const { id: endpointId } = c.req.valid('param');
    const query = c.req.valid('query');
    const { page, filter } = splitQuery(query, DELIVERY_SORTS);
    const { companyId } = c.var;
    const found = await inTenant(orm, companyId, async (em) => {
      await requireEndpoint(em, companyId, endpointId);
      return listDeliveries(em, companyId, { ...filter, endpointId }, page);
    });
    describeList(c, query, found);
    return c.json({ data: found.records.map(deliveryView), total: found.total }, 200);
  });

  app.openapi(retry, async (c) => {
    const { id } = c.req.valid('param');
    const { companyId } = c.var;
    const delivery = await changeOnce(c, dependencies, async (em) =>
      deliveryView(await retryDelivery(em, companyId, id)),
    );
    return c.json(delivery, 200);
  });
}
