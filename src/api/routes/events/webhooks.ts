import { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
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
import { type EndpointMaker, MAX_ENDPOINTS } from '../../../domain/webhooks.ts';
import { generateWebhookSecret } from '../../../providers/webhooks.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies, Principal } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
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

const tag = 'Events';

export function registerWebhooks(operation: Operations, { orm, cipher, webhookSender }: ApiDependencies): void {
  const access = tenant('manage_company');
  const params = pathIds({ id: 'webhook' });

  operation(
    {
      method: 'post',
      path: '/v1/webhooks',
      tag,
      summary: 'Add an endpoint that receives events; only this response contains its secret',
      description: `At most ${MAX_ENDPOINTS} endpoints. The endpoint receives every event from now on. Changes of the moments before enter the feed later, so they may be among them.`,
      access,
      idempotency: 'accepted',
      body: NewWebhook,
      success: created(WebhookWithSecret),
      refusals: ['wrong_state', 'already_exists'],
    },
    async ({ body: { url, events, description }, companyId, principal, c }) => {
      requireReader(principal);
      await checkUrl(url);
      const secret = generateWebhookSecret();
      const fields = { url, events, description: description ?? null, createdBy: makerOf(principal) };
      return changeOnce(
        c,
        { orm },
        async (em) => ({
          ...webhookView(await addEndpoint(em, cipher, companyId, fields, secret)),
          secret,
        }),
        { keeps: 'id' },
      );
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/webhooks',
      tag,
      summary: "The company's endpoints, oldest first",
      description: 'Their secrets are not shown.',
      access,
      query: listing('array', ENDPOINT_SORTS, 'createdAt'),
      success: ok(z.array(Webhook)),
    },
    async ({ query, companyId, c }) => {
      const { page } = splitQuery(query, ENDPOINT_SORTS);
      const found = await readTenant(orm, companyId, (em) => listEndpoints(em, companyId, {}, page));
      describeList(c, query, found);
      return found.records.map(webhookView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/webhooks/{id}',
      tag,
      summary: 'One endpoint',
      description: 'With why it is disabled, and since when it fails.',
      access,
      params,
      success: ok(Webhook),
      refusals: ['not_found'],
    },
    async ({ params: { id }, companyId }) => {
      const endpoint = await readTenant(orm, companyId, (em) => requireEndpoint(em, companyId, id));
      return webhookView(endpoint);
    },
  );

  operation(
    {
      method: 'patch',
      path: '/v1/webhooks/{id}',
      tag,
      summary: 'Change an endpoint, disable it, or enable it again',
      description: 'Fields that are left out stay as they are.',
      access,
      idempotency: 'accepted',
      params,
      body: WebhookChanges,
      success: ok(Webhook),
      refusals: ['not_found'],
    },
    async ({ params: { id }, body: changes, companyId, principal, c }) => {
      const { url, events, status } = changes;
      if (url !== undefined || events !== undefined || status === 'ENABLED') requireReader(principal);
      if (url !== undefined) await checkUrl(url);
      return changeOnce(c, { orm }, async (em) => webhookView(await changeEndpoint(em, companyId, id, changes)));
    },
  );

  operation(
    {
      method: 'delete',
      path: '/v1/webhooks/{id}',
      tag,
      summary: 'Remove an endpoint with its deliveries',
      description: 'Its events stay in the feed.',
      access,
      idempotency: 'accepted',
      params,
      success: ok(z.object({ success: z.boolean().describe('Always true.') })),
      refusals: ['not_found'],
    },
    ({ params: { id }, companyId, c }) =>
      changeOnce(c, { orm }, async (em) => {
        await removeEndpoint(em, companyId, id);
        return { success: true };
      }),
  );

  operation(
    {
      method: 'post',
      path: '/v1/webhooks/{id}/rotate-secret',
      tag,
      summary: 'Replace the secret; both sign during the grace period',
      description: 'Only this answer shows the new secret.',
      access,
      idempotency: 'accepted',
      params,
      body: RotateSecret,
      success: ok(WebhookWithSecret),
      refusals: ['not_found', 'already_exists'],
    },
    async ({ params: { id }, body: { graceSeconds }, companyId, c }) => {
      const secret = generateWebhookSecret();
      return changeOnce(
        c,
        { orm },
        async (em) => ({
          ...webhookView(await rotateSecret(em, cipher, companyId, id, { secret, graceSeconds })),
          secret,
        }),
        { keeps: 'id' },
      );
    },
  );

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
