import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../../db/core/orm.ts';
import type { CommandContent } from '../../../db/entities/escrow.ts';
import { Company } from '../../../db/entities/tenancy.ts';
import { findFeeAccounts } from '../../../db/escrow/escrows.ts';
import { takeInUser } from '../../../db/identity/registrations.ts';
import { findAccount } from '../../../db/ledger/accounts.ts';
import { feesInForce } from '../../../db/treasury/fee-configs.ts';
import { itemsView, milestoneWords } from '../../../db/views/escrow.ts';
import { amountDetails, Refusal } from '../../../domain/errors.ts';
import { formatInitiation } from '../../../domain/escrow/commands.ts';
import { ESCROW_STATUSES, type EscrowFees, type EscrowTerms, MAX_ITEMS } from '../../../domain/escrow/escrow.ts';
import { type CompanyId, type EscrowId, idMadeBy, publicId } from '../../../domain/ids.ts';
import { MAX_TOTAL_CENTS, sumCents } from '../../../domain/money.ts';
import { withText } from '../../commands/escrow-commands.ts';
import {
  agreedRelease,
  makeOnce,
  orderedDivision,
  orderedItems,
  orderTexts,
  requireParty,
} from '../../commands/new-escrow.ts';
import type { ApiDependencies } from '../../context.ts';
import { created, type Operations, tenant } from '../../operation.ts';
import { centsText, currency, id, text, textOrNull, timestamp } from '../../schemas/common.ts';
import {
  AGREEMENT,
  ItemView,
  isReleasedOneWay,
  MilestoneWords,
  OrderItem,
  RELEASED_TWO_WAYS,
  SplitPlanRequest,
} from '../../schemas/escrow.ts';
import { orderPagesAnswer, wantsOrderPages } from '../../schemas/order-pages.ts';

const NewEscrow = z
  .object({
    buyerId: id('user').describe('The user who pays.'),
    sellerId: id('user').describe('The user who is paid; another person than the buyer.'),
    buyerAccountId: id('account').describe(
      "The buyer's account that pays: one of the accounts of their ledger. Its balance must cover the held amount.",
    ),
    sellerAccountId: id('account')
      .nullish()
      .openapi(textOrNull)
      .describe("The seller's account in the same currency. By default their USER account."),
    items: z.array(OrderItem).min(1).max(MAX_ITEMS).describe('What is sold. Their sum is the amount of the escrow.'),
    externalReference: text().describe(
      "Your own reference of the order, unique among the company's escrows that are not CANCELLED.",
    ),
    externalInvoiceNumber: text().nullish().describe('The number of your invoice, for display only.'),
    splitPlan: SplitPlanRequest.nullish(),
    ...AGREEMENT,
    orderPages: wantsOrderPages(),
  })
  .refine(isReleasedOneWay, RELEASED_TWO_WAYS)
  .openapi('NewEscrow');
type NewEscrow = z.infer<typeof NewEscrow>;

const Initiated = z
  .object({
    id: z.string().describe('Its id.'),
    status: z.enum(ESCROW_STATUSES),
    totalAmount: centsText(),
    currency: currency(),
    createdAt: timestamp().describe('When it was made.'),
    items: z.array(ItemView).describe('The items with their ids, in the order of the request.'),
    milestones: z.array(MilestoneWords).describe('The milestones with their ids, in the order of the request.'),
    orderPages: orderPagesAnswer(),
  })
  .openapi('EscrowInitiated');

export function registerInitiate(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, commands } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/escrow/initiate',
      tag: 'Escrow',
      summary: "Create an escrow and hold the buyer's money",
      description:
        "The buyer's account must have the money: deposit it first, or send the buyer a payment link instead. The held amount is the sum of the items, plus the fees where the buyer pays them.",
      access: tenant('operate'),
      idempotency: 'accepted',
      body: NewEscrow,
      unknownFields: 'refused',
      success: created(Initiated),
      refusals: [
        'insufficient_funds',
        'account_not_owned',
        'account_frozen',
        'currency_mismatch',
        'same_party',
        'unknown_user',
        'user_blacklisted',
        'too_many_requests',
        'duplicate_reference',
        'split_mismatch',
        'milestones_must_total_100',
        'amount_too_large',
        'idempotency_key_reused',
      ],
    },
    ({ body: input, companyId, c }) => {
      const asked = {
        makes: 'escrow' as const,
        wantsPages: input.orderPages,
        escrowIdOf: (body: z.infer<typeof Initiated>) => body.id,
      };
      return makeOnce(c, dependencies, asked, async (commandId, pagesOf) => {
        const escrowId = idMadeBy('escrow', commandId);
        const parties = {
          buyerId: await takeInUser(orm, dependencies.cipher, companyId, input.buyerId),
          sellerId: await takeInUser(orm, dependencies.cipher, companyId, input.sellerId),
        };
        const agreed = await inTenant(orm, companyId, (em) =>
          escrowTerms(em, companyId, escrowId, { ...input, ...parties }),
        );
        return withText(dependencies, companyId, { commandId, about: escrowId }, contentOf(input), async (kept) => {
          const terms: EscrowTerms = { ...agreed.terms, items: orderedItems(input, kept) };
          const division = orderedDivision(input, kept);
          const initiation = { terms, fees: agreed.fees, ...division, funding: 'now' as const };
          const heading = { id: escrowId, companyId, currency: terms.currency, amountCents: terms.totalCents };
          const result = await commands.escrow(heading, 'initiate', { commandId, ...formatInitiation(initiation) });
          return {
            id: publicId('escrow', escrowId),
            status: result.status,
            totalAmount: terms.totalCents.toString(),
            currency: terms.currency,
            createdAt: result.event.at,
            items: itemsView(terms.items, kept),
            milestones: division.milestones.map((milestone) => milestoneWords(milestone, kept)),
            orderPages: await pagesOf(escrowId, true),
          };
        });
      });
    },
  );
}

type Agreed = { readonly terms: Omit<EscrowTerms, 'items'>; readonly fees: EscrowFees };

/** The terms, from the request and the company's rows. The workflow's activity checks again whatever can change. */
async function escrowTerms(
  em: EntityManager,
  companyId: CompanyId,
  escrowId: EscrowId,
  input: NewEscrow,
): Promise<Agreed> {
  if (input.buyerId === input.sellerId) throw new Refusal('same_party');
  await requireParty(em, companyId, input.buyerId, 'buyerId');
  await requireParty(em, companyId, input.sellerId, 'sellerId');
  const buyerAccount = await findAccount(em, companyId, { id: input.buyerAccountId, userId: input.buyerId });
  if (buyerAccount === null) throw new Refusal('account_not_owned', "buyerAccountId is not the buyer's");
  const sellerAccount = await findAccount(em, companyId, {
    userId: input.sellerId,
    ...(input.sellerAccountId == null ? { currency: buyerAccount.currency } : { id: input.sellerAccountId }),
  });
  if (sellerAccount === null) throw new Refusal('account_not_owned', "sellerAccountId is not the seller's");
  if (sellerAccount.currency !== buyerAccount.currency) throw new Refusal('currency_mismatch');
  const totalCents = sumCents(input.items.map(({ quantity, pricePerUnit }) => BigInt(quantity) * pricePerUnit));
  if (totalCents > MAX_TOTAL_CENTS)
    throw new Refusal('amount_too_large', undefined, {
      details: amountDetails(MAX_TOTAL_CENTS, totalCents, buyerAccount.currency),
    });
  const company = await em.findOneOrFail(Company, { id: companyId });
  return {
    terms: {
      escrowId,
      companyId,
      buyerId: input.buyerId,
      sellerId: input.sellerId,
      buyerAccountId: buyerAccount.id,
      sellerAccountId: sellerAccount.id,
      ...(await findFeeAccounts(em, buyerAccount.currency)),
      currency: buyerAccount.currency,
      totalCents,
      ...agreedRelease(input, company),
    },
    fees: await feesInForce(em, company, buyerAccount.currency),
  };
}

function contentOf(input: NewEscrow): CommandContent {
  return {
    ...orderTexts(input),
    externalReference: input.externalReference,
    externalInvoiceNumber: input.externalInvoiceNumber ?? null,
  };
}
