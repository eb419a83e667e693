import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { takeInUser } from '../../../db/identity/registrations.ts';
import { assignCapture, CAPTURE_MATCHES, CAPTURE_SORTS, capture, listCaptures } from '../../../db/payments/captures.ts';
import { captureView } from '../../../db/views/treasury.ts';
import { Refusal } from '../../../domain/errors.ts';
import { idMadeBy } from '../../../domain/ids.ts';
import { permits } from '../../../domain/roles.ts';
import { runOnce } from '../../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { describeList } from '../../contract/lists.ts';
import { created, type Guard, json, ok, refusals, tenant } from '../../openapi/operation.ts';
import { id, pathIds, text } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Capture, CaptureRequest } from '../../schemas/treasury.ts';

const tags = ['Treasury'];

const CaptureQuery = listing('page', CAPTURE_SORTS, '-createdAt').extend({
  matchedTo: anyOf(CAPTURE_MATCHES).optional(),
  reference: text().optional(),
  ...changedBetween(),
});

export function registerCaptures(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, reads, settings } = dependencies;
  const create = createRoute({
    method: 'post',
    path: '/v1/treasury/bank/capture',
    tags,
    summary: 'Record a receipt that the bank reported',
    description:
      'It settles the deposit in transit that equals it in reference, currency and amount; else it goes to the user whose ' +
      'customReference it carries; else it waits in SUSPENSE. One that equals a settled deposit waits there in any case, with ' +
      'possibleDuplicateOf. The reference is compared with the externalReference of deposits, and with their userReference.',
    ...tenant(guard, 'manage_money', { idempotency: 'required' }),
    request: json(CaptureRequest),
    responses: { ...created(Capture), ...refusals('amount_too_large', 'idempotency_key_reused') },
  });
  const assign = createRoute({
    method: 'post',
    path: '/v1/treasury/captures/{id}/assign',
    tags,
    summary: 'Assign a receipt in SUSPENSE to a user',
    ...tenant(guard, 'manage_money', { idempotency: 'accepted' }),
    request: {
      params: pathIds({ id: 'transaction' }),
      ...json(z.object({ userId: id('user') }).openapi('CaptureAssignment')),
    },
    responses: { ...ok(Capture), ...refusals('not_found', 'unknown_user', 'wrong_state', 'idempotency_key_reused') },
  });
  const list = createRoute({
    method: 'get',
    path: '/v1/treasury/captures',
    tags,
    summary: 'Receipts, newest first',
    ...tenant(guard, 'read'),
    request: { query: CaptureQuery },
    responses: { ...ok(pageResponse(Capture)), ...refusals() },
  });

  app.openapi(create, async (c) => {
    const { amount: amountCents, currency, reference } = c.req.valid('json');
    const { companyId, principal } = c.var;
    if (settings.mayOnlyPlatformCapture && !permits(principal.role, 'platform'))
      throw new Refusal('forbidden', 'only the platform records receipts (PAYOUT_BACKING)');
    const { status, body } = await runOnce(c, dependencies, async (commandId) => {
      const transactionId = idMadeBy('transaction', commandId);
      const done = await inTenant(orm, companyId, (em) =>
        capture(em, { transactionId, companyId, amountCents, currency, reference }),
      );
      return { status: 201, body: captureView(done) };
    });
    return c.json(body, status);
  });

  app.openapi(assign, async (c) => {
    const { id: captureId } = c.req.valid('param');
    const { userId } = c.req.valid('json');
    const { companyId } = c.var;
    const { status, body } = await runOnce(c, dependencies, async (commandId) => {
      const transactionId = idMadeBy('transaction', commandId);
      const toUserId = await takeInUser(orm, dependencies.cipher, companyId, userId);
      const done = await inTenant(orm, companyId, (em) =>
        assignCapture(em, { transactionId, companyId, captureId, userId: toUserId }),
      );
      return { status: 200, body: captureView(done) };
    });
    return c.json(body, status);
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const { page, filter } = splitQuery(query, CAPTURE_SORTS);
    const { companyId } = c.var;
    const found = await reads(companyId, (em) => listCaptures(em, companyId, filter, page));
    describeList(c, query, found);
    return c.json({ data: found.records.map(captureView), total: found.total }, 200);
  });
}
