import type { z } from '@hono/zod-openapi';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../db/core/orm.ts';
import type { CommandContent } from '../../db/entities/escrow.ts';
import { AppUser, type Company } from '../../db/entities/tenancy.ts';
import { Refusal } from '../../domain/errors.ts';
import type { EscrowTerms, OrderedItem } from '../../domain/escrow/escrow.ts';
import {
  type CommandId,
  type CompanyId,
  type EscrowId,
  type ItemId,
  type MilestoneId,
  parseId,
  type UserId,
} from '../../domain/ids.ts';
import type { ApiDependencies, ApiEnv } from '../context.ts';
import { type OrderPageUrls, orderPagesOf, requireOrderPages, type StoredPages } from '../orders/tokens.ts';
import { type Agreement, type SplitPlanRequest, splitPlanOf } from '../schemas/escrow.ts';
import { runOnce } from './idempotency.ts';

/** What a new escrow needs, both when it starts at once and when it waits for a payment link. */

/** Throws `unknown_user`, naming `field`. */
export async function requireParty(
  em: EntityManager,
  companyId: CompanyId,
  userId: UserId,
  field: 'buyerId' | 'sellerId',
): Promise<void> {
  if ((await em.count(AppUser, { id: userId, companyId, erasedAt: null })) === 0)
    throw new Refusal('unknown_user', `${field} does not name a user of the company`);
}

/**
 * How the answer to a new escrow has its order pages, and what of them is stored: `runOnce` keeps the version in their place,
 * because no row holds a token.
 */
function pagesInAnswer<Body extends { orderPages: OrderPageUrls | null }>(
  { orderTokens }: Pick<ApiDependencies, 'orderTokens'>,
  companyId: CompanyId,
  escrowIdOf: (body: Body) => string,
) {
  let stored: StoredPages | null = null;
  return {
    /** Makes the pages if the request asks for them. */
    async make(orm: MikroORM, escrowId: EscrowId, hasSeller: boolean): Promise<OrderPageUrls> {
      const { buyerUrl, sellerUrl, ...kept } = await inTenant(orm, companyId, (em) =>
        orderPagesOf(em, orderTokens, { companyId, escrowId, hasSeller }, 'kept'),
      );
      stored = kept;
      return { buyerUrl, sellerUrl };
    },
    rewrite: {
      store: (body: Body) => ({ ...body, orderPages: stored }),
      restore(kept: unknown) {
        // Stored above; after the erasure of a party only ids are left.
        const body = kept as Omit<Body, 'orderPages'> & { orderPages?: StoredPages | null };
        if (body.orderPages == null) return body;
        const { version, hasSeller } = body.orderPages;
        const escrowId = parseId('escrow', escrowIdOf(body as unknown as Body)); // but for its pages
        if (escrowId === undefined) throw new Error('a stored answer names no escrow');
        return { ...body, orderPages: orderTokens.urlsOf({ companyId, escrowId, version }, hasSeller) };
      },
    },
  };
}

/**
 * Runs the work that makes an escrow once per key (`runOnce`). `pagesOf` makes the order pages if the request asks for them, and
 * refuses it before anything is made if the company has none.
 */
export function makeOnce<Body extends { orderPages: OrderPageUrls | null }>(
  c: Context<ApiEnv>,
  dependencies: Pick<ApiDependencies, 'orm' | 'orderTokens' | 'requests' | 'log'>,
  {
    makes,
    wantsPages,
    escrowIdOf,
  }: {
    readonly makes: 'escrow' | 'paymentLink';
    readonly wantsPages: boolean;
    readonly escrowIdOf: (body: Body) => string;
  },
  work: (
    commandId: CommandId,
    pagesOf: (escrowId: EscrowId, hasSeller: boolean) => Promise<OrderPageUrls | null>,
  ) => Promise<Body>,
): Promise<Body> {
  const { orm } = dependencies;
  const companyId = c.get('companyId');
  const pages = pagesInAnswer(dependencies, companyId, escrowIdOf);
  const made = async (commandId: CommandId) => {
    if (wantsPages) await inTenant(orm, companyId, (em) => requireOrderPages(em, companyId));
    return work(commandId, async (escrowId, hasSeller) => (wantsPages ? pages.make(orm, escrowId, hasSeller) : null));
  };
  return runOnce(c, dependencies, made, { rewrite: pages.rewrite, makes });
}

type RequestedItem = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly quantity: number;
  readonly pricePerUnit: bigint;
};

type RequestedOrder = {
  readonly items: readonly RequestedItem[];
  readonly milestones?: Agreement['milestones'];
  readonly splitPlan?: z.infer<typeof SplitPlanRequest> | null | undefined;
};

/**
 * The texts of an order, with new ids for items and milestones. They are stored before the command is sent, so that a retry
 * finds the same ids.
 */
export function orderTexts({ items, milestones }: RequestedOrder): Pick<CommandContent, 'items' | 'milestones'> {
  return {
    items: items.map(({ name, description }) => ({ itemId: uuidv7(), name, description: description ?? null })),
    milestones: (milestones ?? []).map(({ title, description }) => ({
      milestoneId: uuidv7(),
      title,
      description: description ?? null,
    })),
  };
}

/** The ordered items, with the ids from `orderTexts`. */
export function orderedItems({ items }: RequestedOrder, kept: CommandContent): OrderedItem[] {
  return items.map(({ quantity, pricePerUnit }, index) => ({
    itemId: keptId<ItemId>(kept.items?.[index]?.itemId),
    quantity,
    pricePerUnitCents: pricePerUnit,
  }));
}

/** How the money of an order is divided: its split plan, if it has one, and its milestones, with the ids from `orderTexts`. */
export function orderedDivision({ milestones, splitPlan }: RequestedOrder, kept: CommandContent) {
  return {
    splitPlan: splitPlan == null ? null : splitPlanOf(splitPlan),
    milestones: (milestones ?? []).map(({ percentage: weightHundredths }, index) => ({
      milestoneId: keptId<MilestoneId>(kept.milestones?.[index]?.milestoneId),
      weightHundredths,
    })),
  };
}

/** Who pays the fees, and when the money is released by itself: as requested, else as the company has it. */
export function agreedRelease(
  { feePayer, milestones, autoReleaseHours }: Agreement,
  company: Company,
): Pick<EscrowTerms, 'feePayer' | 'autoReleaseHours'> {
  return {
    feePayer,
    autoReleaseHours: milestones === null ? (autoReleaseHours ?? company.autoReleaseHours ?? null) : null,
  };
}

/** An id that was made and stored before the command was sent. */
function keptId<T extends string>(kept: string | undefined): T {
  if (kept === undefined) throw new Error('a stored command lacks some of its ids');
  return kept as T; // the caller names the kind of id that it stored
}
