import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowStatus } from '../../domain/escrow/transitions.ts';
import type { CompanyId, EscrowId, Id, UserId } from '../../domain/ids.ts';
import type { Locale } from '../../domain/locale.ts';
import { fromWire, type Wire } from '../../domain/messages/wire.ts';
import type { Currency } from '../../domain/money.ts';
import type { LinkStatus, PaymentLink } from '../../domain/payment-link/link.ts';
import { createListReader, NEWEST_FIRST, type TimeFilter, timeConditions, timeSorts } from '../core/list-reader.ts';
import { PaymentAttemptRow, PaymentLinkEventRow } from '../entities/payment-link.ts';

/** Read models of payment links. */

type LinkId = Id<'paymentLink'>;

const HASH = /^[\w-]{1,64}$/;

/**
 * The link with this hash and its company, before the tenant is known. A malformed hash is not looked up, because PostgreSQL
 * rejects NUL bytes.
 */
export async function findLinkByHash(
  em: EntityManager,
  hash: string,
): Promise<{ id: LinkId; companyId: CompanyId } | null> {
  if (!HASH.test(hash)) return null;
  const [row] = await em.execute<{ id: LinkId; company_id: CompanyId }[]>('select * from payment_link_by_hash(?)', [
    hash,
  ]);
  return row === undefined ? null : { id: row.id, companyId: row.company_id };
}

/** How a company appears in the checkout. */
export type Branding = {
  /** `#rrggbb`. */
  readonly color: string | null;
  /** The SHA-256 of the logo, in hex. */
  readonly logo: string | null;
  readonly supportEmail: string | null;
  readonly termsUrl: string | null;
};

export type LinkRecord = {
  readonly id: LinkId;
  readonly companyId: CompanyId;
  readonly companyName: string;
  readonly branding: Branding;
  readonly escrowId: EscrowId;
  readonly escrowStatus: EscrowStatus;
  readonly hash: string;
  readonly status: LinkStatus;
  readonly currency: Currency;
  readonly amountCents: bigint;
  readonly expiresAt: Date;
  readonly externalReference: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly locale: Locale | null;
  readonly state: PaymentLink;
  readonly buyer: {
    readonly id: UserId;
    readonly mobileNumber: string;
    readonly firstName: string | null;
    readonly lastName: string | null;
  };
  /** Null: the company itself sells. */
  readonly seller: { readonly firstName: string | null; readonly lastName: string | null } | null;
  readonly createdAt: Date;
  /** The company's time of this reading: the link is expired past `expiresAt`. */
  readonly companyNow: Date;
};

export type LinkFilter = TimeFilter & {
  readonly id?: LinkId | undefined;
  readonly status?: readonly LinkStatus[] | undefined;
  readonly externalReference?: string | undefined;
};

export const LINK_SORTS = timeSorts('l');

type Row = {
  id: LinkId;
  company_id: CompanyId;
  company_name: string;
  brand_color: string | null;
  logo_digest: string | null;
  support_email: string | null;
  terms_url: string | null;
  escrow_id: EscrowId;
  escrow_status: EscrowStatus;
  hash: string;
  status: LinkStatus;
  currency: Currency;
  amount_cents: string;
  expires_at: Date;
  external_reference: string | null;
  success_url: string | null;
  cancel_url: string | null;
  locale: Locale | null;
  state: Wire<PaymentLink>;
  buyer_id: UserId;
  mobile_number: string;
  first_name: string | null;
  last_name: string | null;
  seller_id: UserId | null;
  seller_first_name: string | null;
  seller_last_name: string | null;
  created_at: Date;
  company_now: Date;
};

/** Far more than any link has: most of its events are provider checks, which become hourly. */
const MAX_LINK_EVENTS = 2_000;

/** Evaluated once per statement. Links are read as their tenant. */
const COMPANY_NOW = '(select company_now(current_company()))';
/** A link past its deadline counts as EXPIRED, whether or not a worker has recorded it. */
const SHOWN_STATUS = `case when l.status = 'PENDING' and l.expires_at <= ${COMPANY_NOW} then 'EXPIRED' else l.status end`;

const READER = createListReader<LinkFilter, Row, LinkRecord, keyof typeof LINK_SORTS>({
  table: 'payment_link',
  alias: 'l',
  columns: `l.id, l.company_id, c.name as company_name, c.brand_color, c.logo_digest, c.support_email, c.terms_url,
    l.escrow_id, e.status as escrow_status, l.hash, l.status, l.currency, l.amount_cents::text as amount_cents, l.expires_at,
    l.external_reference, l.success_url, l.cancel_url, l.locale, l.state, l.buyer_id, b.mobile_number, b.first_name,
    b.last_name, l.created_at, ${COMPANY_NOW} as company_now, e.seller_id,
    s.first_name as seller_first_name, s.last_name as seller_last_name`,
  joins: `join company c on c.id = l.company_id
    join escrow e on e.id = l.escrow_id
    join app_user b on b.id = l.buyer_id
    left join app_user s on s.id = e.seller_id`,
  conditions: {
    id: 'l.id = ?',
    status: `${SHOWN_STATUS} = any(?::text[])`,
    externalReference: 'l.external_reference = ?',
    ...timeConditions('l'),
  },
  sorts: LINK_SORTS,
  defaultOrder: NEWEST_FIRST,
  toRecord: (row) => ({
    id: row.id,
    companyId: row.company_id,
    companyName: row.company_name,
    branding: {
      color: row.brand_color,
      logo: row.logo_digest,
      supportEmail: row.support_email,
      termsUrl: row.terms_url,
    },
    escrowId: row.escrow_id,
    escrowStatus: row.escrow_status,
    hash: row.hash,
    status: row.status,
    currency: row.currency,
    amountCents: BigInt(row.amount_cents),
    expiresAt: new Date(row.expires_at),
    externalReference: row.external_reference,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    locale: row.locale,
    state: fromWire<PaymentLink>(row.state),
    buyer: { id: row.buyer_id, mobileNumber: row.mobile_number, firstName: row.first_name, lastName: row.last_name },
    seller: row.seller_id === null ? null : { firstName: row.seller_first_name, lastName: row.seller_last_name },
    createdAt: new Date(row.created_at),
    companyNow: new Date(row.company_now),
  }),
});

/** The company's matching links, newest first unless the page has another order. */
export const { list: listLinks } = READER;

export async function findLink(em: EntityManager, companyId: CompanyId, id: LinkId): Promise<LinkRecord | null> {
  const [link] = await READER.find(em, companyId, { id }, { limit: 1, offset: 0 });
  return link ?? null;
}

export type LinkTimelineRecord = Pick<
  InferEntity<typeof PaymentLinkEventRow>,
  'type' | 'actor' | 'at' | 'status' | 'data'
>;

/** All events of a link, in order; at most `MAX_LINK_EVENTS`, oldest first. */
export async function findLinkTimeline(em: EntityManager, linkId: LinkId): Promise<LinkTimelineRecord[]> {
  return em.find(PaymentLinkEventRow, { linkId }, { orderBy: { seq: 'asc' }, limit: MAX_LINK_EVENTS });
}

/** The facts of a link that only the checkout shows. */
export type CheckoutFacts = {
  /** When the link was paid. */
  readonly paidAt: Date | null;
  /** The phone that was asked last. */
  readonly phone: string | null;
};

export async function findCheckoutFacts(em: EntityManager, linkId: LinkId): Promise<CheckoutFacts> {
  const accepted = await em.findOne(PaymentLinkEventRow, { linkId, type: 'ACCEPTED' });
  const charge = await em.findOne(
    PaymentAttemptRow,
    { linkId, kind: 'mobile_money' },
    { orderBy: { createdAt: 'desc' } },
  );
  return { paidAt: accepted?.at ?? null, phone: charge?.phone ?? null };
}
