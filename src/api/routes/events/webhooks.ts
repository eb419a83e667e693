import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import {
  addEndpoint,
  changeEndpoint,
  ENDPOINT_SORTS,
  listEndpoints,
  removeEndpoint,
  requireEndpoint,
  rotateSecret,
} from '../../../db/webhooks/endpoints.ts';
import { Refusal } from '../../../domain/errors.ts';
import { mayAct } from '../../../domain/roles.ts';
import { type EndpointMaker, MAX_ENDPOINTS } from '../../../domain/webhooks/retries.ts';
import { generateWebhookSecret } from '../../../providers/webhooks/signature.ts';
import { changeOnce, makeSecretOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies, Principal } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { created, type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { pathIds } from '../../schemas/common.ts';
import { listing, splitQuery } from '../../schemas/lists.ts';
import {
  NewWebhook,
  RotateSecret,
  Webhook,
  WebhookChanges,
  WebhookWithSecret,
  webhookView,
} from '../../schemas/webhooks.ts';

const tags = ['Events'];

export function registerWebhooks(app: Api, { orm, cipher, webhookSender }: ApiDependencies, guard: Guard): void {
  const access = tenant(guard, 'manage_company');
  const keyed = tenant(guard, 'manage_company', { idempotency: 'accepted' });
  const params = pathIds({ id: 'webhook' });
  const create = createRoute({
    method: 'post',
    path: '/v1/webhooks',
    tags,
    summary: 'Add an endpoint that receives events; only this response contains its secret',
    description: `At most ${MAX_ENDPOINTS} endpoints. The endpoint receives every event from now on. Changes of the moments before enter the feed later, so they may be among them.`,
    ...keyed,
    request: json(NewWebhook),
    responses: { ...created(WebhookWithSecret), ...refusals('wrong_state', 'already_exists') },
  });
  const list = createRoute({
    method: 'get',
    path: '/v1/webhooks',
    tags,
    summary: "The company's endpoints, oldest first",
    ...access,
    request: { query: listing('array', ENDPOINT_SORTS, 'createdAt') },
    responses: { ...ok(z.array(Webhook)), ...refusals() },
  });
  const get = createRoute({
    method: 'get',
    path: '/v1/webhooks/{id}',
    tags,
    summary: 'One endpoint',
    ...access,
    request: { params },
    responses: { ...ok(Webhook), ...refusals('not_found') },
  });
  const change = createRoute({
    method: 'patch',
    path: '/v1/webhooks/{id}',
    tags,
    summary: 'Change an endpoint, disable it, or enable it again',
    ...keyed,
    request: { params, ...json(WebhookChanges) },
    responses: { ...ok(Webhook), ...refusals('not_found') },
  });
  const remove = createRoute({
    method: 'delete',
    path: '/v1/webhooks/{id}',
    tags,
    summary: 'Remove an endpoint with its deliveries',
    ...keyed,
    request: { params },
    responses: { ...ok(z.object({ success: z.boolean() })), ...refusals('not_found') },
  });
  const rotate = createRoute({
    method: 'post',
    path: '/v1/webhooks/{id}/rotate-secret',
    tags,
    summary: 'Replace the secret; both sign during the grace period',
    ...keyed,
    request: { params, ...json(RotateSecret) },
    responses: { ...ok(WebhookWithSecret), ...refusals('not_found', 'already_exists') },
  });

  app.openapi(create, async (c) => {
    const { url, events, description } = c.req.valid('json');
    const { companyId, principal } = c.var;
    requireReader(principal);
    await checkUrl(url);
    const secret = generateWebhookSecret();
    const fields = { url, events, description: description ?? null, createdBy: makerOf(principal) };
    const made = await makeSecretOnce(c, { orm }, 201, async (em) => ({
      ...webhookView(await addEndpoint(em, cipher, companyId, fields, secret)),
      secret,
    }));
    return c.json(made, 201);
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const { page } = splitQuery(query, ENDPOINT_SORTS);
    const { companyId } = c.var;
    const found = await inTenant(orm, companyId, (em) => listEndpoints(em, companyId, {}, page));
    describeList(c, query, found);
    return c.json(found.records.map(webhookView), 200);
  });

  app.openapi(get, async (c) => {
    const { id } = c.req.valid('param');
    const { companyId } = c.var;
    const endpoint = await inTenant(orm, companyId, (em) => requireEndpoint(em, companyId, id));
    return c.json(webhookView(endpoint), 200);
  });

  app.openapi(change, async (c) => {
    const { id } = c.req.valid('param');
    const changes = c.req.valid('json');
    const { companyId, principal } = c.var;
    const { url, events, status } = changes;
    if (url !== undefined || events !== undefined || status === 'ENABLED') requireReader(principal);
    if (url !== undefined) await checkUrl(url);
    const endpoint = await changeOnce(c, { orm }, async (em) =>
      webhookView(await changeEndpoint(em, companyId, id, changes)),
    );
    return c.json(endpoint, 200);
  });

  app.openapi(remove, async (c) => {
    const { id } = c.req.valid('param');
    const { companyId } = c.var;
    const removed = await changeOnce(c, { orm }, async (em) => {
      await removeEndpoint(em, companyId, id);
      return { success: true };
    });
    return c.json(removed, 200);
  });

  app.openapi(rotate, async (c) => {
    const { id } = c.req.valid('param');
    const { graceSeconds } = c.req.valid('json');
    const { companyId } = c.var;
    const secret = generateWebhookSecret();
    const made = await makeSecretOnce(c, { orm }, 200, async (em) => ({
      ...webhookView(await rotateSecret(em, cipher, companyId, id, { secret, graceSeconds })),
      secret,
    }));
    return c.json(made, 200);
  });

  /** Throws `validation_failed` for a URL that events must not be sent to. */
  async function checkUrl(url: string): Promise<void> {
    const message = await webhookSender.refusalOf(url);
    if (message !== null) throw new InvalidRequest('validation_failed', [{ path: 'url', message }]);
  }
}

/** Otherwise a restricted key would read events by a detour. */
function requireReader(principal: Principal): void {
  if (!mayAct(principal, 'read'))
    throw new Refusal('forbidden', 'an endpoint receives events, so the permission read is required too');
}

function makerOf(principal: Principal): EndpointMaker {
  return principal.kind === 'api_key'
    ? { kind: 'api_key', id: principal.apiKeyId }
    : { kind: 'administrator', id: principal.administratorId };
}
