import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { findOrderFiles } from '../../../db/escrow/order-files.ts';
import { listOrderRequests, REQUEST_SORTS, requireOrderRequest } from '../../../db/escrow/order-requests.ts';
import { companyNow } from '../../../db/identity/company-clock.ts';
import { writeAnnounced } from '../../../db/requests/audit-log.ts';
import type { CompanyId, EscrowId, OrderRequestId } from '../../../domain/ids.ts';
import { REQUEST_STATUSES } from '../../../domain/order-pages.ts';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import { runOnce } from '../../commands/idempotency.ts';
import { orderedBy } from '../../commands/ordered-by.ts';
import type { ApiDependencies } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { type Operations, ok, responses, tenant } from '../../operation.ts';
import { fileAnswer } from '../../orders/files.ts';
import { approve, refuseRequest, requireRightTo } from '../../orders/requests.ts';
import { note, pathIds } from '../../schemas/common.ts';
import { anyOf, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { OrderRequest, orderRequestView } from '../../schemas/order-pages.ts';

/** What parties ask for on their order pages, and the company's answers. */

const tag = 'Escrow';
const params = pathIds({ id: 'escrow', requestId: 'orderRequest' });
const RequestQuery = listing('page', REQUEST_SORTS, '-createdAt').extend({
  status: anyOf(REQUEST_STATUSES).optional(),
});
const Refusing = z
  .object({ reason: note().nullish().openapi({ description: 'For the party, who reads it on the page.' }) })
  .openapi('OrderRequestRefusal');

export function registerOrderRequests(operation: Operations, dependencies: ApiDependencies): void {
  const { orm } = dependencies;
  const find = (companyId: CompanyId, escrowId: EscrowId, id: OrderRequestId) =>
    inTenant(orm, companyId, (em) => requireOrderRequest(em, companyId, { escrowId, id }));
  const answerOf = (companyId: CompanyId, escrowId: EscrowId, id: OrderRequestId) =>
    inTenant(orm, companyId, async (em) =>
      orderRequestView(
        await requireOrderRequest(em, companyId, { escrowId, id }),
        await findOrderFiles(em, companyId, escrowId),
      ),
    );

  operation(
    {
      method: 'get',
      path: '/v1/escrow/{id}/files/{fileId}',
      tag,
      summary: 'A file that buyer or seller sent on the order page',
      description: 'The timeline names it with its hash. It never changes.',
      access: tenant('read'),
      params: pathIds({ id: 'escrow', fileId: 'document' }),
      success: responses({
        200: {
          description: 'The file, as a download.',
          content: { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } },
        },
      }),
      isDownload: true,
      refusals: ['not_found', 'provider_unavailable'],
    },
    async ({ params: { id: escrowId, fileId }, companyId, c }) => {
      await requireEscrow(dependencies, companyId, escrowId);
      return fileAnswer(c, dependencies, { companyId, escrowId }, fileId);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/escrow/{id}/requests',
      tag,
      summary: 'What buyer and seller asked for on their order pages, newest first',
      description: 'A request waits for your answer until it lapses.',
      access: tenant('read'),
      params: pathIds({ id: 'escrow' }),
      query: RequestQuery,
      success: ok(pageResponse(OrderRequest)),
      refusals: ['not_found'],
    },
    async ({ params: { id: escrowId }, query, companyId, c }) => {
      await requireEscrow(dependencies, companyId, escrowId);
      const { page, filter } = splitQuery(query, REQUEST_SORTS);
      const { found, files } = await inTenant(orm, companyId, async (em) => ({
        found: await listOrderRequests(em, companyId, { ...filter, escrowId }, page),
        files: await findOrderFiles(em, companyId, escrowId),
      }));
      return pageAnswer(c, query, found, (request) => orderRequestView(request, files));
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/requests/{requestId}/approve',
      tag,
      summary: 'Approve what a party asked for; it happens at once',
      description:
        'Needs the permission of the act. A request that is closed, or does not apply any more, is 409; the latter still waits.',
      access: tenant('operate', { factor: 'of the act' }),
      idempotency: 'accepted',
      params,
      success: ok(OrderRequest),
      refusals: ['not_found', 'wrong_state', 'forbidden', 'mfa_required'],
    },
    ({ params: { id: escrowId, requestId }, companyId, c }) =>
      runOnce(c, dependencies, async (commandId) => {
        const request = await find(companyId, escrowId, requestId);
        await requireRightTo(c, dependencies, request.act);
        const now = await inTenant(orm, companyId, (em) => companyNow(em, companyId));
        await approve(dependencies, companyId, request, now, orderedBy(c), (em) =>
          writeAnnounced(em, [{ companyId, commandId }]),
        );
        return answerOf(companyId, escrowId, requestId);
      }),
  );

  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/requests/{requestId}/refuse',
      tag,
      summary: 'Refuse what a party asked for',
      description: 'An automatic release that it stopped is planned again, for the date that it had.',
      access: tenant('operate', { factor: 'of the act' }),
      idempotency: 'accepted',
      params,
      body: Refusing,
      isBodyOptional: true,
      success: ok(OrderRequest),
      refusals: ['not_found', 'wrong_state', 'forbidden'],
    },
    ({ params: { id: escrowId, requestId }, body: { reason }, companyId, c }) =>
      runOnce(c, dependencies, async (commandId) => {
        const request = await find(companyId, escrowId, requestId);
        await requireRightTo(c, dependencies, request.act);
        await refuseRequest(dependencies, companyId, request, reason ?? null, (em) =>
          writeAnnounced(em, [{ companyId, commandId }]),
        );
        return answerOf(companyId, escrowId, requestId);
      }),
  );
}
