import type { InferEntity } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { EscrowStatus } from '../../domain/escrow/transitions.ts';
import {
  type AccountId,
  type CompanyId,
  type EscrowId,
  type Id,
  idMadeBy,
  type TransactionId,
  type UserId,
} from '../../domain/ids.ts';
import type { Locale } from '../../domain/locale.ts';
import type { Currency } from '../../domain/money.ts';
import { decide } from '../../domain/payment-link/decide.ts';
import { evolve } from '../../domain/payment-link/evolve.ts';
import type { AttemptId, LinkEvent, LinkStatus, PaymentLink } from '../../domain/payment-link/link.ts';
import { fromWire, toWire, type Wire } from '../../domain/wire.ts';
import { createListReader, NEWEST_FIRST, type TimeFilter, timeConditions, timeSorts } from '../core/list-reader.ts';
import { eventColumns } from '../entities/event-columns.ts';
import { PaymentAttemptRow, PaymentLinkEventRow, PaymentLinkRow } from '../entities/payment-link.ts';

/** Writes and reads payment links. */

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

export type AttemptOwner = { readonly id: AttemptId; readonly companyId: CompanyId; readonly linkId: LinkId };

/** The attempt of a checkout and its company, before the tenant is known. */
export function findAttemptByCheckout(em: EntityManager, checkoutId: string): Promise<AttemptOwner | null> {
  return findOwner(em, 'select * from payment_attempt_by_checkout(?)', [checkoutId]);
}

/** The subject of a notification, by the gateway's id. `report` as in the port of the card gateway. */
export type Notified =
  | { readonly checkoutId: string; readonly report: 'success' | 'pending' | 'other' }
  | { readonly paymentId: string };

/** The same for a notification. Also null if the notification is not news, like most of a burst of notifications. */
export function noteNotification(em: EntityManager, notified: Notified): Promise<AttemptOwner | null> {
  return 'checkoutId' in notified
    ? findOwner(em, 'select * from payment_notified(?, null, ?)', [notified.checkoutId, notified.report])
    : findOwner(em, "select * from payment_notified(null, ?, 'other')", [notified.paymentId]);
}

/** The paid attempt of a link that a deposit came from; null for any other transaction. */
export async function findAttemptOfDeposit(
  em: EntityManager,
  companyId: CompanyId,
  depositId: TransactionId,
): Promise<AttemptOwner | null> {
  const row = await em.findOne(PaymentAttemptRow, { id: idMadeBy('attempt', depositId), companyId });
  return row === null ? null : { id: row.id, companyId, linkId: row.linkId };
}

async function findOwner(
  em: EntityManager,
  statement: string,
  values: readonly string[],
): Promise<AttemptOwner | null> {
  const [row] = await em.execute<{ id: AttemptId; company_id: CompanyId; link_id: LinkId }[]>(statement, values);
  return row === undefined ? null : { id: row.id, companyId: row.company_id, linkId: row.link_id };
}

/** Whether the gateway may be asked about the attempt's checkout now, without using the question reserved for notifications. */
export async function isAskable(em: EntityManager, attemptId: AttemptId): Promise<boolean> {
  const [row] = await em.execute<{ yes: boolean }[]>('select payment_attempt_is_askable(?) as yes', [attemptId]);
  return row?.yes === true;
}

/** Records that the buyer came back from the gateway. False while a question for it is planned already. */
export async function noteReturn(em: EntityManager, attemptId: AttemptId): Promise<boolean> {
  const [row] = await em.execute<{ is_news: boolean | null }[]>('select payment_returned(?) as is_news', [attemptId]);
  return row?.is_news === true;
}

/**
 * The number of mobile-money prompts that the owner of a phone received within an hour and did not approve, over all links and
 * companies. Concurrent callers for the same phone wait for each other until `em`'s transaction ends.
 */
export async function countUnapprovedPrompts(em: EntityManager, phone: string): Promise<number> {
  const [row] = await em.execute<{ prompts: number }[]>('select payment_unapproved_prompts(?) as prompts', [phone]);
  return row?.prompts ?? 0;
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
    b.last_name, l.created_at, ${COMPANY_NOW} as company_now, e.seller_id, s.first_name as seller_first_name, s.last_name as seller_last_name`,
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

export type ProviderRecord = {
  /** The adapter of the attempt. */
  readonly provider: string;
  /** The gateway's id of the checkout; null for mobile money. */
  readonly checkoutId: string | null;
};

/** The adapters of all attempts of a link. */
export async function findProviderRecords(
  em: EntityManager,
  linkId: LinkId,
): Promise<ReadonlyMap<AttemptId, ProviderRecord>> {
  const rows = await em.find(PaymentAttemptRow, { linkId }, { fields: ['provider', 'checkoutId'] });
  return new Map(rows.map(({ id, provider, checkoutId }) => [id, { provider, checkoutId: checkoutId ?? null }]));
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

/** A logo by the hex of its SHA-256, before the tenant is known. It is a PNG image. */
export async function findLogo(em: EntityManager, digest: string): Promise<Buffer | null> {
  const [row] = await em.execute<{ content: Buffer | null }[]>('select company_logo_by_digest(?) as content', [digest]);
  return row?.content ?? null;
}

/** The accounts for money from and to the outside. */
export async function findFundingAccounts(
  em: EntityManager,
  companyId: CompanyId,
  buyerId: UserId,
  currency: Currency,
): Promise<{ buyerAccountId: AccountId; bankAccountId: AccountId; companyAccountId: AccountId }> {
  const [row] = await em.execute<{ buyer: AccountId | null; bank: AccountId; company: AccountId }[]>(
    `select
       (select a.id from account a join ledger l on l.id = a.ledger_id
        where l.user_id = ? and l.company_id = ? and a.type = 'USER' and a.currency = ?) as buyer,
       (select a.id from account a where a.company_id = ? and a.type = 'BANK' and a.currency = ?) as bank,
       (select a.id from account a where a.company_id = ? and a.type = 'COMPANY' and a.currency = ?) as company`,
    [buyerId, companyId, currency, companyId, currency, companyId, currency],
  );
  if (row === undefined || row.buyer === null) throw new Refusal('unknown_user');
  return { buyerAccountId: row.buyer, bankAccountId: row.bank, companyAccountId: row.company };
}

/**
 * Asserts that the escrow of a link can take the money, before the buyer is asked for it. Throws `wrong_state`,
 * `user_blacklisted`, `account_frozen`.
 */
export async function assertPayable(em: EntityManager, linkId: LinkId): Promise<void> {
  const [row] = await em.execute<{ escrow: EscrowStatus; buyer: string; seller: string | null; is_frozen: boolean }[]>(
    `select e.status as escrow, b.identity_status as buyer, s.identity_status as seller, a.is_frozen
     from payment_link l
       join escrow e on e.id = l.escrow_id
       join app_user b on b.id = l.buyer_id
       join account a on a.id = (l.state -> 'terms' ->> 'buyerAccountId')::uuid
       left join app_user s on s.id = e.seller_id
     where l.id = ?`,
    [linkId],
  );
  if (row === undefined) throw new Refusal('not_found', 'there is no such payment link');
  if (row.escrow !== 'PENDING') throw new Refusal('wrong_state', `the escrow is ${row.escrow}`);
  if (row.buyer === 'BLACKLISTED' || row.seller === 'BLACKLISTED') throw new Refusal('user_blacklisted');
  if (row.is_frozen) throw new Refusal('account_frozen');
}

/** Locks a link's row; null if there is none. To lock the escrow too, lock the link first. */
export async function lockLink(
  em: EntityManager,
  by: { readonly linkId: LinkId } | { readonly escrowId: EscrowId },
): Promise<PaymentLink | null> {
  const [row] = await em.execute<{ state: Wire<PaymentLink> }[]>(
    `select state from payment_link where ${'linkId' in by ? 'id' : 'escrow_id'} = ? for update`,
    ['linkId' in by ? by.linkId : by.escrowId],
  );
  return row === undefined ? null : fromWire<PaymentLink>(row.state);
}

/** Writes one step of a link. The caller has made sure of its sequence number. */
export async function writeLinkStep(em: EntityManager, event: LinkEvent, state: PaymentLink): Promise<void> {
  const { linkId, companyId } = state.terms;
  await em.nativeUpdate(
    PaymentLinkRow,
    { id: linkId },
    { status: state.status, seq: state.seq, state: toWire(state), updatedAt: new Date(state.updatedAt) },
  );
  await em.insert(PaymentLinkEventRow, {
    linkId,
    ...eventColumns(companyId, event, state),
    data: toWire(event),
  });
}

/**
 * Rejects the link of an escrow that is being cancelled, in the same transaction. Returns the rejected link, so that its run
 * can be notified; null if there was nothing to reject. Call it before the escrow's row is locked.
 */
export async function closeLinkOf(
  em: EntityManager,
  escrowId: EscrowId,
  cancelled: { readonly commandId: LinkEvent['commandId']; readonly at: string },
): Promise<LinkId | null> {
  const link = await lockLink(em, { escrowId });
  if (link === null) return null;
  const decision = decide(link, { type: 'close-with-escrow', commandId: cancelled.commandId }, cancelled.at);
  if (decision.kind === 'refused') return null;
  await writeLinkStep(em, decision.event, evolve(link, decision.event));
  return link.terms.linkId;
}
