import { z } from '@hono/zod-openapi';
import type { LinkOffer } from '../../db/entities/payment-link.ts';
import { LOCALES } from '../../domain/locale.ts';
import { ATTEMPT_KINDS } from '../../domain/payment-link/link.ts';
import { centsText, text, timestamp, webAddress } from './common.ts';

const returnUrl = () => webAddress(/./).nullish();

/** What the company says of a link: in the request, and in the answers. */
export const offerRequest = {
  externalReference: text().nullish().describe('Your own reference.'),
  userReference: text().nullish().describe('A memo of yours.'),
  successUrl: returnUrl().openapi({
    description:
      'Where the checkout leads the buyer after the payment: https, on one of the company’s `checkout_hosts`.',
  }),
  cancelUrl: returnUrl().openapi({
    description: 'Where the checkout leads a buyer who does not pay: https, on one of the company’s `checkout_hosts`.',
  }),
  locale: z
    .enum(LOCALES)
    .nullish()
    .openapi({ description: "The language of the checkout. By default the buyer's browser chooses." }),
} satisfies { readonly [Name in keyof LinkOffer]: z.ZodType<LinkOffer[Name] | undefined> };

export const offerAnswer = {
  externalReference: z.string().nullable().describe('Your own reference.'),
  userReference: z.string().nullable().describe('A memo of yours.'),
  successUrl: z.string().nullable().describe('Where the checkout leads the buyer after the payment.'),
  cancelUrl: z.string().nullable().describe('Where the checkout leads a buyer who does not pay.'),
  locale: z.enum(LOCALES).nullable(),
} satisfies { readonly [Name in keyof LinkOffer]: z.ZodType<LinkOffer[Name]> };

/** The fields of a payment attempt, in links and in their events. */

export const attemptFields = {
  id: z.string().describe('Its id.'),
  kind: z.enum(ATTEMPT_KINDS),
  status: z
    .enum(['open', 'pending', 'succeeded', 'declined', 'lapsed'])
    .describe('open: at the card form; pending: the answer is not known yet.'),
  refund: z
    .enum(['due', 'done', 'refused'])
    .nullable()
    .openapi({ description: 'Whether the money is refunded to its origin.' }),
  takenBackAmount: centsText().openapi({
    description: 'The part of the payment that was charged back, refunded at the gateway or reversed.',
  }),
  startedAt: timestamp().describe('When the buyer began to pay.'),
  transactionId: z.string().nullable().openapi({ description: 'The deposit that booked the money.' }),
};
