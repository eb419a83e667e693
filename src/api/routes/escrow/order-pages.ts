import { z } from '@hono/zod-openapi';
import { revokeOrderPages } from '../../../db/escrow/order-pages.ts';
import { publicId } from '../../../domain/ids.ts';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import { changeAudited, changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
import { orderPagesOf, requireOrderPages, type StoredPages } from '../../orders/tokens.ts';
import { pathIds } from '../../schemas/common.ts';
import { OrderPages } from '../../schemas/order-pages.ts';

/** The pages on which buyer and seller follow the order and act themselves. */

const params = pathIds({ id: 'escrow' });
const tag = 'Escrow';

export function registerOrderPages(operation: Operations, dependencies: ApiDependencies): void {
  const { orderTokens } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/order-pages',
      tag,
      summary: 'Make the order pages of buyer and seller, or replace their addresses',
      description:
        'Whoever has an address reads the order. Acting needs a code that is sent to the phone of the party.',
      access: tenant('operate'),
      idempotency: 'accepted',
      params,
      success: created(OrderPages),
      refusals: ['not_found', 'wrong_state'],
    },
    async ({ params: { id: escrowId }, companyId, c }) => {
      const { state } = await requireEscrow(dependencies, companyId, escrowId);
      const hasSeller = state.terms.sellerId !== null;
      let stored: StoredPages | undefined;
      return changeOnce(
        c,
        dependencies,
        async (em) => {
          await requireOrderPages(em, companyId);
          const { buyerUrl, sellerUrl, ...kept } = await orderPagesOf(
            em,
            orderTokens,
            { companyId, escrowId, hasSeller },
            'renewed',
          );
          stored = kept;
          return { buyerUrl, sellerUrl };
        },
        {
          keeps: {
            store: () => stored,
            restore: (kept) => orderTokens.urlsOf({ companyId, escrowId, ...asStored(kept) }, asStored(kept).hasSeller),
          },
        },
      );
    },
  );

  operation(
    {
      method: 'delete',
      path: '/v1/escrow/{id}/order-pages',
      tag,
      summary: 'End the order pages of an escrow',
      description: 'Their addresses stop to work at once.',
      access: tenant('operate'),
      params,
      success: ok(
        z.object({ success: z.literal(true).describe('They have ended.'), id: z.string().describe('The escrow.') }),
      ),
      refusals: ['not_found'],
    },
    async ({ params: { id: escrowId }, companyId, c }) => {
      const { id } = await requireEscrow(dependencies, companyId, escrowId);
      return changeAudited(c, dependencies, async (em) => {
        await revokeOrderPages(em, { companyId, escrowId: id });
        return { success: true as const, id: publicId('escrow', id) };
      });
    },
  );
}

function asStored(kept: unknown): StoredPages {
  return kept as StoredPages; // stored by the operation above
}
