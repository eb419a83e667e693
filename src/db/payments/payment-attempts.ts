import type { EntityManager } from '@mikro-orm/postgresql';
import { type CompanyId, type Id, idMadeBy, type TransactionId } from '../../domain/ids.ts';
import { fromWire } from '../../domain/messages/wire.ts';
import type { AttemptId, PaymentLink } from '../../domain/payment-link/link.ts';
import { PaymentAttemptRow, type PaymentLinkRow } from '../entities/payment-link.ts';
import { companyNow } from '../identity/company-clock.ts';

/** The attempts to pay a link, and what the gateway and the buyer's browser tell about them. */

type LinkId = Id<'paymentLink'>;

export type AttemptOwner = { readonly id: AttemptId; readonly companyId: CompanyId; readonly linkId: LinkId };

/** The attempt of a checkout and its company, before the tenant is known. */
export function findAttemptByCheckout(em: EntityManager, checkoutId: string): Promise<AttemptOwner | null> {
  return findOwner(em, 'select * from payment_attempt_by_checkout(?)', [checkoutId]);
}

/** The subject of a notification, by the gateway's id. `report` as in the port of the card gateway. */
export type Notified =
  | { readonly checkoutId: string; readonly report: 'success' | 'pending' | 'other' }
  | { readonly paymentId: string };

/**
 * The same for a notification. Also null if the notification is not news, like most of a burst of notifications. It is news if no
 * other with its report counted since the gateway was last asked, or if that one is older than `payment_news_lifetime`.
 */
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
export async function isAskable(em: EntityManager, { companyId, id }: AttemptOwner): Promise<boolean> {
  const [row] = await em.execute<{ yes: boolean }[]>('select payment_attempt_is_askable(?, ?) as yes', [companyId, id]);
  return row?.yes === true;
}

/** Records that the buyer came back from the gateway. False while a question for it is planned already. */
export async function noteReturn(em: EntityManager, { companyId, id }: AttemptOwner): Promise<boolean> {
  const [row] = await em.execute<{ is_news: boolean | null }[]>('select payment_returned(?, ?) as is_news', [
    companyId,
    id,
  ]);
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

export type ProviderRecord = {
  /** The adapter of the attempt. */
  readonly provider: string;
  /** The gateway's id of the checkout; null for mobile money. */
  readonly checkoutId: string | null;
};

/** The adapters of all attempts of a link. */
export async function findProviderRecords(
  em: EntityManager,
  companyId: CompanyId,
  linkId: LinkId,
): Promise<ReadonlyMap<AttemptId, ProviderRecord>> {
  const rows = await em.find(PaymentAttemptRow, { companyId, linkId }, { fields: ['provider', 'checkoutId'] });
  return new Map(rows.map(({ id, provider, checkoutId }) => [id, { provider, checkoutId: checkoutId ?? null }]));
}

/**
 * Whether the attempt has lasted its full time on the company's clock. A card form has expired by then, and payments that were in
 * progress at its end have had time to finish. The answer to a prompt is not awaited any longer.
 */
export async function hasLasted(
  em: EntityManager,
  { id }: PaymentAttemptRow,
  link: PaymentLinkRow,
  minutes: number,
): Promise<boolean> {
  const attempt = fromWire<PaymentLink>(link.state).attempts.find(({ attemptId }) => attemptId === id);
  if (attempt === undefined) return false;
  const now = await companyNow(em, link.companyId);
  return now.getTime() >= Date.parse(attempt.startedAt) + minutes * 60_000;
}
