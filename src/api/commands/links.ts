import { readTenant } from '../../db/core/orm.ts';
import { findLink, findLinkByHash, type LinkRecord } from '../../db/payments/payment-links.ts';
import { Refusal } from '../../domain/errors.ts';
import { type LinkStatus, shownStatus } from '../../domain/payment-link/link.ts';
import type { Heading } from '../../temporal/runs.ts';
import type { ApiDependencies } from '../context.ts';

/** How the public routes reach a payment link: by its hash, the only credential that a buyer has. */

type Dependencies = Pick<ApiDependencies, 'orm' | 'commands'>;

/** Throws `not_found`. */
export async function requireLink({ orm }: Dependencies, hash: string): Promise<LinkRecord> {
  const found = await findLinkByHash(orm.em.fork(), hash);
  const link = found && (await readTenant(orm, found.companyId, (em) => findLink(em, found.companyId, found.id)));
  // The directory is a copy, which no audit compares. The link's own hash is committed.
  if (link?.hash !== hash) throw new Refusal('not_found', 'payment link not found');
  return link;
}

/** Throws unless the link is PENDING: `link_expired` or `wrong_state`. */
export function requirePayable(link: LinkRecord): void {
  requireStatus(link, ['PENDING']);
}

/**
 * Throws unless the link is PENDING, or can become PENDING again when an attempt is declined: `link_expired` or `wrong_state`.
 */
export function requireAlive(link: LinkRecord): void {
  requireStatus(link, ['PENDING', 'PROCESSING']);
}

function requireStatus(link: LinkRecord, allowed: readonly LinkStatus[]): void {
  const status: LinkStatus = shownStatus(link, link.companyNow);
  if (status === 'EXPIRED') throw new Refusal('link_expired');
  if (!allowed.includes(status)) throw new Refusal('wrong_state', `the payment link is ${status}`);
}

export function headingOf({ id, companyId, currency, amountCents }: LinkRecord): Heading<'paymentLink'> {
  return { id, companyId, currency, amountCents };
}
