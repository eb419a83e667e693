import { z } from '@hono/zod-openapi';
import { ACT_MODES, ORDER_ACT_NAMES } from '../../domain/order-pages.ts';
import { defaultsTo } from './common.ts';

/** Order pages as clients see and set them. */

export const OrderPages = z
  .object({
    buyerUrl: z.string().describe('The page of the buyer.'),
    sellerUrl: z.string().nullable().describe('The page of the seller. Null: the company itself sells.'),
  })
  .openapi('OrderPages', { description: 'The order pages of both parties.' });

const mode = () => z.enum(ACT_MODES);
const actsOf = <Field extends z.ZodType>(field: () => Field) =>
  z.object(
    Object.fromEntries(ORDER_ACT_NAMES.map((act) => [act, field()])) as Record<(typeof ORDER_ACT_NAMES)[number], Field>, // of each act
  );

export const OrderPageSettings = z
  .object({
    enabled: z.boolean().describe('Whether escrows of the company have order pages.'),
    acts: actsOf(() => mode().describe('off: the page does not offer it; direct: it happens at once.')).describe(
      'What the parties may do on the pages.',
    ),
  })
  .openapi('OrderPageSettings');

export const OrderPageChange = z
  .object({
    enabled: z.boolean().optional().describe('Whether escrows of the company have order pages.'),
    acts: actsOf(() => mode().optional().describe('off: the page does not offer it; direct: it happens at once.'))
      .optional()
      .describe('What the parties may do on the pages.'),
  })
  .openapi('OrderPageChange');

/** In requests that make an escrow. */
export const wantsOrderPages = () =>
  defaultsTo(z.boolean(), false).describe('Whether to make the order pages of buyer and seller. False unless given.');
/** A union, because a component is never null. */
export const orderPagesAnswer = () => z.union([OrderPages, z.null()]).describe('Null unless asked for.');
