import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../../db/core/orm.ts';
import type { CommandContent } from '../../../db/entities/escrow.ts';
import { offerOf } from '../../../db/entities/payment-link.ts';
import { Company } from '../../../db/entities/tenancy.ts';
import { findFeeAccounts } from '../../../db/escrow/escrows.ts';
import { companyNow } from '../../../db/identity/company-clock.ts';
import { takeInUser } from '../../../db/identity/registrations.ts';
import { findAccount } from '../../../db/ledger/accounts.ts';
import { findFundingAccounts } from '../../../db/ledger/own-accounts.ts';
import { findLink, type LinkRecord } from '../../../db/payments/payment-links.ts';
import { feesInForce } from '../../../db/treasury/fee-configs.ts';
import { itemsView } from '../../../db/views/escrow.ts';
import { refusalFrom } from '../../../domain/entity.ts';
import { amountDetails, Refusal } from '../../../domain/errors.ts';
import { ESCROW_STATUSES, type EscrowFees, type EscrowTerms, MAX_ITEMS } from '../../../domain/escrow/escrow.ts';
import { priceOf } from '../../../domain/escrow/price.ts';
import {
  type CommandId,
  type CompanyId,
  commandThatMade,
  type EscrowId,
  idMadeBy,
  publicId,
} from '../../../domain/ids.ts';
import { integerCents, MAX_REQUEST_CENTS } from '../../../domain/money.ts';
import {
  LINK_LIFETIME_HOURS,
  LINK_STATUSES,
  type LinkTerms,
  MAX_LINK_LIFETIME_HOURS,
  shownStatus,
} from '../../../domain/payment-link/link.ts';
import { formatCreation } from '../../../domain/payment-link/parse-command.ts';
import { addHours } from '../../../domain/time.ts';
import { discreetName } from '../../../domain/users.ts';
import { requireEscrow, withText } from '../../commands/escrow-commands.ts';
import { requireLink } from '../../commands/links.ts';
import {
  agreedRelease,
  makeOnce,
  orderedDivision,
  orderedItems,
  orderTexts,
  requireParty,
} from '../../commands/new-escrow.ts';
import type { ApiDependencies } from '../../context.ts';
import { created, type Operations, ok, tenant } from '../../operation.ts';
import { cents, currency, defaultsTo, id, textOrNull, timestamp } from '../../schemas/common.ts';
import {
  AGREEMENT,
  ItemView,
  isReleasedOneWay,
  OrderItem,
  RELEASED_TWO_WAYS,
  SplitPlanRequest,
  splitPlanOf,
} from '../../schemas/escrow.ts';
import { orderPagesAnswer, wantsOrderPages } from '../../schemas/order-pages.ts';
import { offerAnswer, offerRequest } from '../../schemas/payment-link.ts';

const tag = 'Payments';

/** 192 bits, URL-safe. Anyone who knows the hash can pay the link. */
const HASH_BYTES = 24;
const hashParam = z.object({
  hash: z
    .string()
    .min(1)
    .max(64)
    .openapi({ param: { name: 'hash', in: 'path' } })
    .describe('Identifies the link to the checkout: its `paymentSlug`.'),
});

const NewLink = z
  .object({
    buyerId: id('user').describe('The user who shall pay.'),
    sellerId: id('user')
      .nullish()
      .openapi(textOrNull)
      .describe("The user who is paid. By default the company's `default_seller_id`, else the company itself."),
    amount: cents().describe(
      'What the buyer pays, in cents. It must be the sum of the items, or the checkout shows the difference as an adjustment.',
    ),
    currency: currency(),
    items: z.array(OrderItem).min(1).max(MAX_ITEMS).describe('What is sold, for the buyer to read.'),
    splitPlan: SplitPlanRequest.nullish(),
    ...offerRequest,
    ...AGREEMENT,
    orderPages: wantsOrderPages(),
    expiresInHours: defaultsTo(z.int().min(1).max(MAX_LINK_LIFETIME_HOURS), LINK_LIFETIME_HOURS).openapi({
      description: 'How long the link can be paid.',
    }),
  })
  .refine(isReleasedOneWay, RELEASED_TWO_WAYS)
  .openapi('NewPaymentLink');
type NewLink = z.infer<typeof NewLink>;

const Generated = z
  .object({
    id: z.string().describe('Its id.'),
    hash: z.string().describe('Identifies the link to the checkout: its `paymentSlug`.'),
    url: z.string().describe('Its address.'),
    expiresAt: timestamp().describe('When it expires.'),
    escrowId: z.string().describe('The escrow.'),
    amount: z.int().openapi({
      description: 'What the buyer pays: the requested amount, plus the fees where the buyer pays them.',
    }),
    orderPages: orderPagesAnswer(),
    ...offerAnswer,
  })
  .openapi('PaymentLinkGenerated');

const LinkDetails = z
  .object({
    hash: z.string().describe('Identifies the link to the checkout: its `paymentSlug`.'),
    status: z.enum(LINK_STATUSES),
    escrowStatus: z.enum(ESCROW_STATUSES),
    amount: z.int().describe('What the buyer pays, in cents.'),
    currency: currency(),
    expiresAt: timestamp().describe('When it expires.'),
    companyName: z.string().describe('The merchant.'),
    userReference: offerAnswer.userReference,
    buyer: z
      .object({ id: z.string().describe('Its id.'), name: z.string().nullable().describe('Its name.') })
      .describe('The buyer.'),
    items: z.array(ItemView).describe('The items.'),
  })
  .openapi('PaymentLinkDetails');

export function registerLinks(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, commands, settings } = dependencies;
  operation(
    {
      method: 'post',
      path: '/v1/payments/generate-escrow-payment-link',
      tag,
      summary: 'Create a payment link and its escrow, which waits for the payment',
      description:
        '`amount` rules; the items describe it. The buyer opens `url`, and the escrow becomes ACTIVE once the link is paid.',
      access: tenant('operate'),
      idempotency: 'required',
      body: NewLink,
      unknownFields: 'refused',
      success: created(Generated),
      refusals: [
        'unknown_user',
        'user_blacklisted',
        'too_many_requests',
        'same_party',
        'split_mismatch',
        'duplicate_reference',
        'milestones_must_total_100',
        'amount_too_large',
        'return_host_not_listed',
        'idempotency_key_reused',
      ],
    },
    ({ body: input, companyId, c }) => {
      const asked = {
        makes: 'paymentLink' as const,
        wantsPages: input.orderPages,
        escrowIdOf: (body: z.infer<typeof Generated>) => body.escrowId,
      };
      return makeOnce(c, dependencies, asked, async (commandId, pagesOf) => {
        const linkId = idMadeBy('paymentLink', commandId);
        const known = await inTenant(orm, companyId, (em) => findLink(em, companyId, linkId));
        const link = known ?? (await createLink(dependencies, companyId, commandId, input));
        return {
          id: publicId('paymentLink', link.id),
          hash: link.hash,
          url: `${settings.checkoutUrl}/${link.hash}`,
          expiresAt: link.expiresAt.toISOString(),
          escrowId: publicId('escrow', link.escrowId),
          amount: integerCents(link.amountCents),
          orderPages: await pagesOf(link.escrowId, link.seller !== null),
          ...offerOf(link),
        };
      });
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/payments/link-details/{hash}',
      tag,
      summary: 'The public details of a payment link',
      description: 'For the checkout page. It never shows a number or an id number.',
      access: 'public',
      params: hashParam,
      success: ok(LinkDetails),
      refusals: ['not_found'],
    },
    async ({ params }) => {
      const link = await requireLink(dependencies, params.hash);
      const { state, content } = await requireEscrow(dependencies, link.companyId, link.escrowId);
      return {
        hash: link.hash,
        status: shownStatus(link, link.companyNow),
        escrowStatus: link.escrowStatus,
        amount: integerCents(link.amountCents),
        currency: link.currency,
        expiresAt: link.expiresAt.toISOString(),
        companyName: link.companyName,
        userReference: link.userReference,
        buyer: { id: publicId('user', link.buyer.id), name: discreetName(link.buyer) },
        items: itemsView(state.terms.items, content),
      };
    },
  );

  async function createLink(
    deps: ApiDependencies,
    companyId: CompanyId,
    commandId: CommandId,
    input: NewLink,
  ): Promise<LinkRecord> {
    const linkId = idMadeBy('paymentLink', commandId);
    const parties = {
      buyerId: await takeInUser(orm, deps.cipher, companyId, input.buyerId),
      sellerId: input.sellerId == null ? null : await takeInUser(orm, deps.cipher, companyId, input.sellerId),
    };
    const agreed = await inTenant(orm, companyId, (em) => linkTerms(em, companyId, { ...input, ...parties }, settings));
    const offer: CommandContent = {
      hash: randomBytes(HASH_BYTES).toString('base64url'),
      escrowId: uuidv7(),
      ...offerOf(input),
    };
    return withText(deps, companyId, { commandId, about: linkId }, offer, (keptOffer) => {
      const escrowId = keptOffer.escrowId as EscrowId; // made above and stored for a retry
      const order: CommandContent = {
        ...orderTexts(input),
        externalReference: input.externalReference ?? null,
      };
      const initiation = { commandId: commandThatMade(escrowId), about: escrowId };
      return withText(deps, companyId, initiation, order, async (keptOrder) => {
        const terms: LinkTerms = {
          ...agreed.link,
          linkId,
          escrowId,
          companyId,
          expiresAt: addHours(agreed.now.toISOString(), input.expiresInHours),
        };
        const items = orderedItems(input, keptOrder);
        const escrow = {
          type: 'initiate' as const,
          commandId: commandThatMade(escrowId),
          terms: { ...agreed.escrow, escrowId, items },
          fees: agreed.fees,
          ...orderedDivision(input, keptOrder),
          funding: 'awaited' as const,
        };
        const { amountCents, currency: linkCurrency } = terms;
        await commands.link({ id: linkId, companyId, currency: linkCurrency, amountCents }, 'create', {
          commandId,
          ...formatCreation({ terms, escrow }),
        });
        const link = await inTenant(orm, companyId, (em) => findLink(em, companyId, linkId));
        if (link === null) throw new Error('a created link was not found');
        return link;
      });
    });
  }
}

type Agreed = {
  readonly link: Omit<LinkTerms, 'linkId' | 'escrowId' | 'companyId' | 'expiresAt'>;
  readonly escrow: Omit<EscrowTerms, 'escrowId' | 'items'>;
  readonly fees: EscrowFees;
  /** The company's time. */
  readonly now: Date;
};

/**
 * The terms of a link and its escrow. The seller is the named user, else the company's default seller, else the company itself.
 */
async function linkTerms(em: EntityManager, companyId: CompanyId, input: NewLink, rules: ReturnRules): Promise<Agreed> {
  const company = await em.findOneOrFail(Company, { id: companyId });
  for (const url of [input.successUrl, input.cancelUrl]) if (url != null) requireReturnUrl(url, company, rules);
  const sellerId = input.sellerId ?? company.defaultSellerId ?? null;
  if (sellerId === input.buyerId) throw new Refusal('same_party');
  await requireParty(em, companyId, input.buyerId, 'buyerId');
  if (sellerId !== null) await requireParty(em, companyId, sellerId, 'sellerId');
  const release = agreedRelease(input, company);
  const fees = await feesInForce(em, company, input.currency);
  const price = priceOf({
    totalCents: input.amount,
    currency: input.currency,
    fees,
    feePayer: release.feePayer,
    splitPlan: input.splitPlan == null ? null : splitPlanOf(input.splitPlan),
    weightsBasisPoints: (input.milestones ?? []).map(({ percentage }) => percentage),
  });
  if (price.kind === 'refused') throw refusalFrom(price);
  // Link details answer the total as an integer.
  if (price.dueCents > MAX_REQUEST_CENTS)
    throw new Refusal('amount_too_large', 'the total of a link, with the fees that the buyer pays, is too large', {
      details: amountDetails(MAX_REQUEST_CENTS, price.dueCents, input.currency),
    });
  const funding = await findFundingAccounts(em, companyId, input.buyerId, input.currency);
  const seller =
    sellerId === null ? null : await findAccount(em, companyId, { userId: sellerId, currency: input.currency });
  return {
    link: {
      buyerId: input.buyerId,
      buyerAccountId: funding.buyerAccountId,
      clearingAccountIds: funding.clearingAccountIds,
      amountCents: price.dueCents,
      currency: input.currency,
    },
    escrow: {
      companyId,
      buyerId: input.buyerId,
      sellerId,
      buyerAccountId: funding.buyerAccountId,
      sellerAccountId: seller?.id ?? funding.companyAccountId,
      ...(await findFeeAccounts(em, input.currency)),
      currency: input.currency,
      totalCents: input.amount,
      ...release,
    },
    fees,
    now: await companyNow(em, companyId),
  };
}

type ReturnRules = { readonly isProduction: boolean };

const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Throws `return_host_not_listed` unless the URL is https, without a name and password, on one of the company's
 * `checkout_hosts`. Outside production, a shop on the developer's own machine needs neither.
 */
function requireReturnUrl(
  text: string,
  { checkoutHosts }: Pick<Company, 'checkoutHosts'>,
  { isProduction }: ReturnRules,
): void {
  const { protocol, hostname, username, password } = new URL(text);
  const isPlain = username === '' && password === '';
  const isLocal = !isProduction && protocol === 'http:' && LOCAL_HOSTS.includes(hostname);
  const isListed = protocol === 'https:' && checkoutHosts.includes(hostname);
  if (!isPlain || !(isLocal || isListed))
    throw new Refusal('return_host_not_listed', `${hostname} is not an https host of checkout_hosts`);
}
