import { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
import { offerOf } from '../../../db/entities/payment-link.ts';
import { findProviderRecords, type ProviderRecord } from '../../../db/payments/payment-attempts.ts';
import {
  findLink,
  findLinkTimeline,
  LINK_SORTS,
  type LinkRecord,
  type LinkTimelineRecord,
  listLinks,
} from '../../../db/payments/payment-links.ts';
import { attemptSummary } from '../../../db/views/events.ts';
import { Refusal } from '../../../domain/errors.ts';
import { publicId, publicIdOrNull } from '../../../domain/ids.ts';
import {
  type Attempt,
  type AttemptId,
  LINK_STATUSES,
  merchantReferenceOf,
  shownStatus,
} from '../../../domain/payment-link/link.ts';
import type { ApiDependencies } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, currency, pathIds, source, text, timestamp } from '../../schemas/common.ts';
import { anyOf, changedBetween, listing, pageResponse, splitQuery } from '../../schemas/lists.ts';
import { attemptFields, offerAnswer } from '../../schemas/payment-link.ts';

/** Links as their company sees them: the offer, the payment attempts with their methods, and the results. */

const tag = 'Payments';

const LinkSummary = z
  .object({
    id: z.string().describe('Its id.'),
    hash: z.string().describe('Identifies the link to the checkout: its `paymentSlug`.'),
    url: z.string().describe('Its address.'),
    status: z.enum(LINK_STATUSES),
    escrowId: z.string().describe('The escrow.'),
    amount: centsText(),
    currency: currency(),
    ...offerAnswer,
    buyer: z
      .object({ id: z.string().describe('The user.'), name: z.string().nullable().describe('First and last name.') })
      .describe('The buyer.'),
    expiresAt: timestamp().describe('When it expires.'),
    createdAt: timestamp().describe('When it was made.'),
  })
  .openapi('PaymentLinkSummary');

const LinkAttempt = z
  .object({
    ...attemptFields,
    nextCheckAt: timestamp().nullable().describe('When the gateway is asked next. Null: not again.'),
    checks: z.int().describe('Each dependency.'),
    provider: z.string().nullable().openapi({ description: 'The gateway or operator that took it.' }),
    checkoutId: z.string().nullable().openapi({ description: "The card gateway's id of the checkout." }),
    merchantReference: z.string().openapi({ description: 'The reference of the attempt at the card gateway.' }),
  })
  .openapi('PaymentAttempt');

const LinkEntry = z
  .object({
    event: z.string().describe('What happened.'),
    actor: z.enum(['COMPANY', 'BUYER', 'SYSTEM']).describe('Who acts.'),
    at: timestamp().describe('When it happened.'),
    source: source(),
    status: z.enum(LINK_STATUSES).openapi({ description: 'The status of the link after the event.' }),
    details: z
      .object({
        attemptId: z.string().nullable().describe('The payment.'),
        transactionId: z.string().nullable().describe('The transaction.'),
      })
      .describe('What belongs to the event.'),
  })
  .openapi('PaymentLinkTimelineEntry');

const Link = LinkSummary.extend({
  escrowStatus: z.string().describe('The state of its escrow.'),
  buyerId: z.string().describe('The buyer.'),
  transactionId: z.string().nullable().describe('The transaction.'),
  attempts: z.array(LinkAttempt).describe('The payments that the buyer tried, oldest first.'),
  timeline: z.array(LinkEntry).describe('What happened to it, oldest first.'),
}).openapi('PaymentLink');

const LinkQuery = listing('page', LINK_SORTS, '-createdAt').extend({
  status: anyOf(LINK_STATUSES).optional(),
  externalReference: text().optional().describe('Your own reference.'),
  ...changedBetween(),
});

export function registerLinkReads(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, reads, settings } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/payments/links',
      tag,
      summary: "The company's payment links, newest first",
      description: 'Each with the state of the link.',
      access: tenant('read'),
      query: LinkQuery,
      success: ok(pageResponse(LinkSummary)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, LINK_SORTS);
      const found = await reads(companyId, (em) => listLinks(em, companyId, filter, page));
      return pageAnswer(c, query, found, summaryOf);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/payments/links/{id}',
      tag,
      summary: 'One payment link with its payment attempts and events',
      description: 'For support: what the buyer tried, and what became of it.',
      access: tenant('read'),
      params: pathIds({ id: 'paymentLink' }),
      success: ok(Link),
      refusals: ['not_found'],
    },
    async ({ params: { id }, companyId }) => {
      const body = await readTenant(orm, companyId, async (em) => {
        const link = await findLink(em, companyId, id);
        if (link === null) throw new Refusal('not_found', 'payment link not found');
        const providers = await findProviderRecords(em, companyId, id);
        const timeline = await findLinkTimeline(em, companyId, id);
        return {
          ...summaryOf(link),
          escrowStatus: link.escrowStatus,
          buyerId: publicId('user', link.buyer.id),
          transactionId: publicIdOrNull('transaction', link.state.transactionId),
          attempts: link.state.attempts.map((attempt) => attemptView(attempt, providers)),
          timeline: timeline.map(entryView),
        };
      });
      return body;
    },
  );

  function summaryOf(link: LinkRecord): z.infer<typeof LinkSummary> {
    return {
      id: publicId('paymentLink', link.id),
      hash: link.hash,
      url: `${settings.checkoutUrl}/${link.hash}`,
      status: shownStatus(link, link.companyNow),
      escrowId: publicId('escrow', link.escrowId),
      amount: link.amountCents.toString(),
      currency: link.currency,
      ...offerOf(link),
      buyer: {
        id: publicId('user', link.buyer.id),
        name: [link.buyer.firstName, link.buyer.lastName].filter((part) => part !== null).join(' ') || null,
      },
      expiresAt: link.expiresAt.toISOString(),
      createdAt: link.createdAt.toISOString(),
    };
  }
}

function attemptView(attempt: Attempt, providers: ReadonlyMap<AttemptId, ProviderRecord>): z.infer<typeof LinkAttempt> {
  const { attemptId, pollAt, polls } = attempt;
  return {
    ...attemptSummary(attempt),
    nextCheckAt: pollAt,
    checks: polls,
    provider: providers.get(attemptId)?.provider ?? null,
    checkoutId: providers.get(attemptId)?.checkoutId ?? null,
    merchantReference: merchantReferenceOf(attemptId),
  };
}

function entryView({ type, actor, at, source: from, status, data }: LinkTimelineRecord): z.infer<typeof LinkEntry> {
  const attemptId = 'attempt' in data ? data.attempt.attemptId : 'attemptId' in data ? data.attemptId : null;
  const transactionId = 'transactionId' in data ? data.transactionId : null;
  return {
    event: type,
    actor,
    at: at.toISOString(),
    source: from,
    status,
    details: { attemptId, transactionId: publicIdOrNull('transaction', transactionId) },
  };
}
