import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Company } from '../../db/entities/tenancy.ts';
import { type HashesOf, openOrderPages, renewOrderPages } from '../../db/escrow/order-pages.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CompanyId, EscrowId } from '../../domain/ids.ts';
import { orderPageSettings } from '../../domain/order-pages.ts';

/**
 * The tokens of order pages: 192 bits, derived from the escrow, the party and a version. So an answer can be repeated although no
 * row holds a token. A signed value of 15 minutes says that somebody proved to hold the party's phone.
 */

const TOKEN_BYTES = 24;
const TOKEN = /^[\w-]{32}$/;
export const ACTING_MINUTES = 15;

/** The page of one party. */
export type PageOfParty = {
  readonly companyId: CompanyId;
  readonly escrowId: EscrowId;
  readonly party: Party;
  readonly version: number;
};
export type OrderPageUrls = { readonly buyerUrl: string; readonly sellerUrl: string | null };

export type OrderTokens = {
  readonly tokenOf: (page: PageOfParty) => string;
  /** The addresses of a version's pages. */
  readonly urlsOf: (page: Omit<PageOfParty, 'party'>, hasSeller: boolean) => OrderPageUrls;
  readonly hashesOf: (page: Omit<PageOfParty, 'party' | 'version'>, hasSeller: boolean) => HashesOf;
  /** A value for the cookie of who may act on the page until `now` plus `ACTING_MINUTES`. */
  readonly pass: (page: PageOfParty, now: Date) => string;
  readonly isPass: (page: PageOfParty, value: string | undefined, now: Date) => boolean;
};

/** The name of the page's row; null if the text is not a token. */
export function hashOf(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

export function createOrderTokens(secret: string, baseUrl: string): OrderTokens {
  const mac = (purpose: string, ...parts: readonly (string | number)[]) =>
    createHmac('sha256', `order-page:${secret}`)
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
  const tokenOf = ({ companyId, escrowId, party, version }: PageOfParty) =>
    mac('token', companyId, escrowId, party, version).subarray(0, TOKEN_BYTES).toString('base64url');
  const passOf = ({ companyId, escrowId, party, version }: PageOfParty, until: number) =>
    `${until}.${mac('pass', companyId, escrowId, party, version, until).toString('base64url')}`;
  return {
    tokenOf,
    urlsOf: (page, hasSeller) => ({
      buyerUrl: `${baseUrl}/orders/${tokenOf({ ...page, party: 'BUYER' })}`,
      sellerUrl: hasSeller ? `${baseUrl}/orders/${tokenOf({ ...page, party: 'SELLER' })}` : null,
    }),
    hashesOf: (page, hasSeller) => (version) => ({
      BUYER: hashOf(tokenOf({ ...page, party: 'BUYER', version })),
      SELLER: hasSeller ? hashOf(tokenOf({ ...page, party: 'SELLER', version })) : null,
    }),
    pass: (page, now) => passOf(page, now.getTime() + ACTING_MINUTES * 60_000),
    isPass(page, value, now) {
      const until = Number(value?.split('.')[0]);
      if (value === undefined || !Number.isSafeInteger(until) || until <= now.getTime()) return false;
      const [given, expected] = [Buffer.from(value), Buffer.from(passOf(page, until))];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

/** Throws `wrong_state` unless the company has order pages. */
export async function requireOrderPages(em: EntityManager, companyId: CompanyId): Promise<void> {
  const { orderPages } = await em.findOneOrFail(Company, { id: companyId });
  if (!orderPageSettings(orderPages).enabled)
    throw new Refusal('wrong_state', 'order pages are switched off in the settings of the company (order_pages)');
}

type Escrow = { readonly companyId: CompanyId; readonly escrowId: EscrowId; readonly hasSeller: boolean };

/** The addresses of an escrow's pages, with their version. `how`: new ones, or those that it has already. */
export async function orderPagesOf(
  em: EntityManager,
  tokens: OrderTokens,
  { companyId, escrowId, hasSeller }: Escrow,
  how: 'renewed' | 'kept',
): Promise<StoredPages & OrderPageUrls> {
  const page = { companyId, escrowId };
  const write = how === 'renewed' ? renewOrderPages : openOrderPages;
  const version = await write(em, page, tokens.hashesOf(page, hasSeller));
  return { version, hasSeller, ...tokens.urlsOf({ ...page, version }, hasSeller) };
}

/** What is stored of an answer with addresses. */
export type StoredPages = { readonly version: number; readonly hasSeller: boolean };
