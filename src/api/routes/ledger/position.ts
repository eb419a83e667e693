import { z } from '@hono/zod-openapi';
import { readTenant } from '../../../db/core/orm.ts';
import { AGES, readPosition } from '../../../db/ledger/position.ts';
import { ESCROW_STATUSES } from '../../../domain/escrow/escrow.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, currency } from '../../schemas/common.ts';

const Position = z
  .object({
    money: z
      .array(
        z.object({
          currency: currency(),
          available: centsText().openapi({ description: 'What users and the company can spend. Integer cents.' }),
          held: centsText().openapi({ description: 'Held for open escrows. Integer cents.' }),
          inTransit: centsText().openapi({ description: 'Deposits that the bank has not settled. Integer cents.' }),
          payouts: z
            .object({ count: z.int().describe('The number.'), amount: centsText() })
            .openapi({ description: 'Withdrawals that the bank has not decided, with their tax.' }),
        }),
      )
      .describe('The money, for each currency.'),
    openEscrows: z
      .array(
        z.object({
          currency: currency(),
          status: z.enum(ESCROW_STATUSES),
          age: z.enum(AGES).describe('The age of the escrows.'),
          count: z.int().describe('The number.'),
          heldAmount: centsText(),
        }),
      )
      .openapi({
        description:
          'By age since the hour of the creation; disputed ones since the hour of the dispute. Groups without any are left out.',
      }),
  })
  .openapi('Position');

export function registerPosition(operation: Operations, { orm }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/ledger/stats/position',
      tag: 'Ledger',
      summary: "Where the company's money is now, and how old its open escrows are",
      description: 'For the first page of a dashboard.',
      access: tenant('read'),
      success: ok(Position),
    },
    async ({ companyId }) => {
      const { money, open } = await readTenant(orm, companyId, (em) => readPosition(em, companyId, new Date()));
      return {
        money: money.map((one) => ({
          currency: one.currency,
          available: one.availableCents.toString(),
          held: one.heldCents.toString(),
          inTransit: one.inTransitCents.toString(),
          payouts: { count: one.payoutCount, amount: one.payoutCents.toString() },
        })),
        openEscrows: open.map(({ heldCents, ...one }) => ({ ...one, heldAmount: heldCents.toString() })),
      };
    },
  );
}
