import { z } from '@hono/zod-openapi';
import { publicId } from '../../domain/ids.ts';
import { depositOf } from '../../domain/payment-link/decide.ts';
import { ATTEMPT_KINDS, type Attempt } from '../../domain/payment-link/link.ts';
import { centsText, timestamp } from './common.ts';

/** The fields of a payment attempt, in links and in their events. */

export const attemptFields = {
  id: z.string(),
  kind: z.enum(ATTEMPT_KINDS),
  status: z.enum(['open', 'pending', 'succeeded', 'declined', 'lapsed']),
  refund: z
    .enum(['due', 'done', 'refused'])
    .nullable()
    .openapi({ description: 'Whether the money is refunded to its origin.' }),
  takenBackAmount: centsText().openapi({
    description: 'The part of the payment that was charged back, refunded at the gateway or reversed.',
  }),
  startedAt: timestamp(),
  transactionId: z.string().nullable().openapi({ description: 'The deposit that booked the money.' }),
};

export function attemptSummary({ attemptId, kind, status, refund, takenBackCents, startedAt }: Attempt) {
  return {
    id: attemptId,
    kind,
    status,
    refund,
    takenBackAmount: takenBackCents.toString(),
    startedAt,
    transactionId: status === 'succeeded' ? publicId('transaction', depositOf(attemptId)) : null,
  };
}
