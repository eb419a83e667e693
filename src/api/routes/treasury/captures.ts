import { z } from '@hono/zod-openapi';
import { takeInUser } from '../../../db/identity/registrations.ts';
import { assignCapture, CAPTURE_MATCHES, CAPTURE_SORTS, capture, listCaptures } from '../../../db/payments/captures.ts';
import { captureView } from '../../../db/views/treasury.ts';
import { refusedFor } from '../../../domain/errors.ts';
import { idMadeBy } from '../../../domain/ids.ts';
import { permits } from '../../../domain/roles.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
import { id, pathIds, text } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { Capture, CaptureRequest } from '../../schemas/treasury.ts';

const tag = 'Treasury';

const CaptureQuery = listing('page', CAPTURE_SORTS, '-createdAt').extend({
  matchedTo: anyOf(CAPTURE_MATCHES).optional(),
  reference: text().optional().describe('The reference of the payment.'),
  q: text().optional().describe('Only those with this reference, in any case.'),
  ...changedBetween(),
});

export function registerCaptures(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, settings } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/treasury/bank/capture',
      tag,
      summary: 'Record a receipt that the bank reported',
      description:
        'It settles the deposit in transit that equals it in reference, currency and amount; else it goes to the user whose ' +
        'customReference it carries; else it waits in SUSPENSE. One that equals a settled deposit waits there in any case, with ' +
        'possibleDuplicateOf. The reference is compared with the externalReference of deposits, and with their userReference.',
      access: tenant('manage_money'),
      idempotency: 'required',
      body: CaptureRequest,
      unknownFields: 'refused',
      success: created(Capture),
      refusals: ['amount_too_large', 'idempotency_key_reused'],
    },
    async ({ body: { amount: amountCents, currency, reference }, companyId, principal, c }) => {
      if (settings.mayOnlyPlatformCapture && !permits(principal.role, 'platform'))
        throw refusedFor('forbidden', { code: 'platform_records_receipts' });
      return changeOnce(c, dependencies, async (em, commandId) => {
        const transactionId = idMadeBy('transaction', commandId);
        return captureView(await capture(em, { transactionId, companyId, amountCents, currency, reference }));
      });
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/treasury/captures/{id}/assign',
      tag,
      summary: 'Assign a receipt in SUSPENSE to a user',
      description: 'For receipts whose reference named nobody.',
      access: tenant('manage_money'),
      idempotency: 'accepted',
      params: pathIds({ id: 'transaction' }),
      body: z.object({ userId: id('user').describe('The user.') }).openapi('CaptureAssignment'),
      unknownFields: 'refused',
      success: ok(Capture),
      refusals: ['not_found', 'too_many_requests', 'unknown_user', 'wrong_state', 'idempotency_key_reused'],
    },
    ({ params: { id: captureId }, body: { userId }, companyId, c }) =>
      changeOnce(c, dependencies, async (em, commandId) => {
        const transactionId = idMadeBy('transaction', commandId);
        const toUserId = await takeInUser(orm, dependencies.cipher, companyId, userId);
        return captureView(await assignCapture(em, { transactionId, companyId, captureId, userId: toUserId }));
      }),
  );

  operation(
    {
      method: 'get',
      path: '/v1/treasury/captures',
      tag,
      summary: 'Receipts, newest first',
      description: 'Bank receipts, with what each was matched to.',
      access: tenant('read'),
      query: CaptureQuery,
      success: ok(pageResponse(Capture)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, CAPTURE_SORTS);
      const found = await reads(companyId, (em) => listCaptures(em, companyId, filter, page));
      return pageAnswer(c, query, found, captureView);
    },
  );
}
