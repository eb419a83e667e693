import { z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { Company } from '../../../db/entities/tenancy.ts';
import { feesInForce } from '../../../db/treasury/fee-configs.ts';
import { refusalFrom } from '../../../domain/entity.ts';
import { MAX_MILESTONES } from '../../../domain/escrow/escrow.ts';
import { priceOf } from '../../../domain/escrow/price.ts';
import { FEE_PAYERS, heldCentsOf, type Shares } from '../../../domain/escrow/shares.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { cents, centsText, currency, defaultsTo } from '../../schemas/common.ts';
import { percentage, SplitPlanRequest, splitPlanOf } from '../../schemas/escrow.ts';

const QuoteRequest = z
  .object({
    amount: cents().openapi({ description: 'The sum of the items: quantity times pricePerUnit. Cents.' }),
    currency: currency(),
    feePayer: defaultsTo(z.enum(FEE_PAYERS), 'SELLER').describe('Who pays the fees. SELLER unless given.'),
    splitPlan: SplitPlanRequest.nullish(),
    milestones: z
      .array(
        z.object({
          percentage: percentage().describe(
            "The milestone's part of the whole, with at most two decimals. All together are 100.",
          ),
        }),
      )
      .max(MAX_MILESTONES)
      .nullish()
      .describe('Parts that are released one by one.'),
  })
  .openapi('EscrowQuoteRequest');

const shares = { sellerPayout: centsText(), systemFee: centsText(), serviceFee: centsText() };
const Quote = z
  .object({
    amount: centsText(),
    currency: currency(),
    feePayer: z.enum(FEE_PAYERS).describe('Who pays the fees.'),
    heldAmount: centsText().openapi({ description: 'The amount held from the buyer. Integer cents.' }),
    ...shares,
    milestones: z
      .array(
        z.object({
          percentage: z
            .number()
            .describe("The milestone's part of the whole, with at most two decimals. All together are 100."),
          amount: centsText(),
          ...shares,
        }),
      )
      .describe('The milestones, each with its amount and shares.'),
  })
  .openapi('EscrowQuote');

export function registerEscrowQuote(operation: Operations, { orm }: ApiDependencies): void {
  operation(
    {
      method: 'post',
      path: '/v1/escrow/quote',
      tag: 'Escrow',
      summary: 'What an escrow would cost and pay, before it is initiated',
      description:
        'Nothing is held, and nothing is promised: the escrow uses the fees that are in force when it is initiated.',
      access: tenant('operate'),
      body: QuoteRequest,
      success: ok(Quote),
      refusals: ['split_mismatch', 'milestones_must_total_100', 'amount_too_large'],
    },
    async ({ body, companyId }) => {
      const { amount, currency: code, splitPlan, milestones, feePayer } = body;
      const weightsBasisPoints = (milestones ?? []).map((milestone) => milestone.percentage);
      const fees = await inTenant(orm, companyId, async (em) =>
        feesInForce(em, await em.findOneOrFail(Company, { id: companyId }), code),
      );
      const price = priceOf({
        totalCents: amount,
        currency: code,
        fees,
        feePayer,
        splitPlan: splitPlan == null ? null : splitPlanOf(splitPlan),
        weightsBasisPoints,
      });
      if (price.kind === 'refused') throw refusalFrom(price);
      return {
        amount: amount.toString(),
        currency: code,
        feePayer,
        heldAmount: price.dueCents.toString(),
        ...sharesView(price.shares),
        milestones: price.parts.map((part, index) => ({
          percentage: (weightsBasisPoints[index] ?? 0) / 100,
          amount: heldCentsOf(part).toString(),
          ...sharesView(part),
        })),
      };
    },
  );
}

const sharesView = ({ sellerPayoutCents, systemFeeCents, serviceFeeCents }: Shares) => ({
  sellerPayout: sellerPayoutCents.toString(),
  systemFee: systemFeeCents.toString(),
  serviceFee: serviceFeeCents.toString(),
});
