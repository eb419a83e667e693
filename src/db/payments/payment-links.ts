import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { BuyerDebts } from '../../domain/escrow/proceeds.ts';
import type { CompanyId, EscrowId, Id, UserId } from '../../domain/ids.ts';
import type { LinkStatus, PaymentLink } from '../../domain/payment-link/link.ts';
import { createListReader, NEWEST_FIRST, type TimeFilter, timeConditions, timeSorts } from '../core/list-reader.ts';
import { columnsOf, group, looked, orNull, type RecordOf, readModel, time, value, wire } from '../core/read-model.ts';
import { PaymentAttemptRow, PaymentLinkEventRow, PaymentLinkRow } from '../entities/payment-link.ts';
import { findBuyerDebts } from '../treasury/receivables.ts';

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

type LinkFilter = TimeFilter & {
  readonly id?: LinkId | undefined;
  readonly escrowId?: EscrowId | undefined;
  readonly status?: readonly LinkStatus[] | undefined;
  readonly externalReference?: string | undefined;
};

export const LINK_SORTS = timeSorts('l');

/** Far more than any link has: most of its events are provider checks, which become hourly. */
const MAX_LINK_EVENTS = 2_000;

/** Evaluated once per statement. Links are read as their tenant. */
const COMPANY_NOW = '(select company_now(current_company()))';
/** A link past its deadline counts as EXPIRED, whether or not a worker has recorded it. */
const SHOWN_STATUS = `case when l.status = 'PENDING' and l.expires_at <= ${COMPANY_NOW} then 'EXPIRED' else l.status end`;

const LINK = readModel({
  ...columnsOf(PaymentLinkRow, 'l', ['buyerId', 'seq', 'updatedAt']),
  state: wire<PaymentLink>('l.state'),
  companyName: value<string>('c.name'),
  /** How the company appears in the checkout. */
  branding: group({
    address: value<string | null>('c.address'),
    taxNumber: value<string | null>('c.tax_number'),
    registrationNumber: value<string | null>('c.registration_number'),
    /** `#rrggbb`. */
    color: value<string | null>('c.brand_color'),
    /** The SHA-256 of the logo, in hex. */
    logo: value<string | null>('c.logo_digest'),
    supportEmail: value<string | null>('c.support_email'),
    termsUrl: value<string | null>('c.terms_url'),
  }),
  /** The company's. */
  timeZone: value<string>('c.time_zone'),
  escrowStatus: value<EscrowStatus>('e.status'),
  buyer: group({
    id: value<UserId>('l.buyer_id'),
    mobileNumber: value<string>('b.mobile_number'),
    firstName: value<string | null>('b.first_name'),
    lastName: value<string | null>('b.last_name'),
  }),
  /** Null: the company itself sells. */
  seller: orNull(
    group({
      id: value<UserId>('e.seller_id'),
      firstName: value<string | null>('s.first_name'),
      lastName: value<string | null>('s.last_name'),
    }),
  ),
  /** The company's time of this reading: the link is expired past `expiresAt`. */
  companyNow: time(COMPANY_NOW),
});
export type LinkRecord = RecordOf<typeof LINK>;
export type Branding = LinkRecord['branding'];

const READER = createListReader<LinkFilter, LinkRecord, keyof typeof LINK_SORTS>({
  table: 'payment_link',
  alias: 'l',
  ...LINK,
  joins: `join company c on c.id = l.company_id
    ${looked('join', 'escrow', 'e', 'e.company_id = l.company_id and e.id = l.escrow_id')}
    ${looked('join', 'app_user', 'b', 'b.company_id = l.company_id and b.id = l.buyer_id')}
    ${looked('left join', 'app_user', 's', 's.company_id = e.company_id and s.id = e.seller_id')}`,
  conditions: {
    id: 'l.id = ?',
    escrowId: 'l.escrow_id = ?',
    status: `${SHOWN_STATUS} = any(?::text[])`,
    externalReference: 'l.external_reference = ?',
    ...timeConditions('l'),
  },
  sorts: LINK_SORTS,
  defaultOrder: NEWEST_FIRST,
});

/** The company's matching links, newest first unless the page has another order. */
export const { list: listLinks } = READER;

export async function findLink(em: EntityManager, companyId: CompanyId, id: LinkId): Promise<LinkRecord | null> {
  return findOne(em, companyId, { id });
}

/** The link that the escrow was made by; null if it was made otherwise. */
export async function findLinkOfEscrow(
  em: EntityManager,
  companyId: CompanyId,
  escrowId: EscrowId,
): Promise<LinkRecord | null> {
  return findOne(em, companyId, { escrowId });
}

async function findOne(em: EntityManager, companyId: CompanyId, filter: LinkFilter): Promise<LinkRecord | null> {
  const [link] = await READER.find(em, companyId, filter, { limit: 1, offset: 0 });
  return link ?? null;
}

export type LinkTimelineRecord = Pick<
  InferEntity<typeof PaymentLinkEventRow>,
  'type' | 'actor' | 'at' | 'status' | 'data' | 'source'
>;

/** All events of a link, in order; at most `MAX_LINK_EVENTS`, oldest first. */
export async function findLinkTimeline(
  em: EntityManager,
  companyId: CompanyId,
  linkId: LinkId,
): Promise<LinkTimelineRecord[]> {
  return em.find(PaymentLinkEventRow, { companyId, linkId }, { orderBy: { seq: 'asc' }, limit: MAX_LINK_EVENTS });
}

/** The facts of a link that only the checkout shows. */
export type CheckoutFacts = {
  /** When the link was paid. */
  readonly paidAt: Date | null;
  /** The phone that was asked last. */
  readonly phone: string | null;
  readonly debts: BuyerDebts;
};

export async function findCheckoutFacts(
  em: EntityManager,
  companyId: CompanyId,
  { id: linkId, escrowId }: Pick<LinkRecord, 'id' | 'escrowId'>,
): Promise<CheckoutFacts> {
  const accepted = await em.findOne(PaymentLinkEventRow, { companyId, linkId, type: 'ACCEPTED' });
  const charge = await em.findOne(
    PaymentAttemptRow,
    { companyId, linkId, kind: 'mobile_money' },
    { orderBy: { createdAt: 'desc' } },
  );
  return {
    paidAt: accepted?.at ?? null,
    phone: charge?.phone ?? null,
    debts: await findBuyerDebts(em, companyId, escrowId),
  };
}
