import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { EscrowStatus } from '../../domain/escrow/escrow.ts';
import type { CompanyId, EscrowId, Id } from '../../domain/ids.ts';
import { fromWire, toWire, type Wire } from '../../domain/messages/wire.ts';
import { decide } from '../../domain/payment-link/decide.ts';
import { evolve } from '../../domain/payment-link/evolve.ts';
import type { LinkEvent, PaymentLink } from '../../domain/payment-link/link.ts';
import { PaymentLinkEventRow, PaymentLinkRow } from '../entities/payment-link.ts';
import { eventColumns } from '../entities/stored-events.ts';

/** Writes payment links: an event and the resulting row, in the caller's transaction. */

type LinkId = Id<'paymentLink'>;

/**
 * Asserts that the escrow of a link can take the money, before the buyer is asked for it. Throws `wrong_state`,
 * `user_blacklisted`, `account_frozen`.
 */
export async function assertEscrowTakesMoney(em: EntityManager, companyId: CompanyId, linkId: LinkId): Promise<void> {
  const [row] = await em.execute<{ escrow: EscrowStatus; is_blacklisted: boolean; is_frozen: boolean }[]>(
    `select e.status as escrow, a.is_frozen,
       is_blacklisted(b.identity_status, b.known_id_hash, b.phone_hash)
         or is_blacklisted(s.identity_status, s.known_id_hash, s.phone_hash) as is_blacklisted
     from payment_link l
       join escrow e on e.company_id = l.company_id and e.id = l.escrow_id
       join app_user b on b.company_id = l.company_id and b.id = l.buyer_id
       join account a on a.company_id = l.company_id and a.id = (l.state -> 'terms' ->> 'buyerAccountId')::uuid
       left join app_user s on s.company_id = e.company_id and s.id = e.seller_id
     where l.company_id = ? and l.id = ?`,
    [companyId, linkId],
  );
  if (row === undefined) throw new Refusal('not_found', 'payment link not found');
  if (row.escrow !== 'PENDING') throw new Refusal('wrong_state', `the escrow is ${row.escrow}`);
  if (row.is_blacklisted) throw new Refusal('user_blacklisted');
  if (row.is_frozen) throw new Refusal('account_frozen');
}

/** Locks a link's row; null if there is none. To lock the escrow too, lock the link first. */
export async function lockLink(
  em: EntityManager,
  companyId: CompanyId,
  by: { readonly linkId: LinkId } | { readonly escrowId: EscrowId },
): Promise<PaymentLink | null> {
  const [row] = await em.execute<{ state: Wire<PaymentLink> }[]>(
    `select state from payment_link where company_id = ? and ${'linkId' in by ? 'id' : 'escrow_id'} = ? for update`,
    [companyId, 'linkId' in by ? by.linkId : by.escrowId],
  );
  return row === undefined ? null : fromWire<PaymentLink>(row.state);
}

/** Writes one step of a link. The caller has made sure of its sequence number. */
export async function writeLinkStep(em: EntityManager, event: LinkEvent, state: PaymentLink): Promise<void> {
  const { linkId, companyId } = state.terms;
  await em.nativeUpdate(
    PaymentLinkRow,
    { companyId, id: linkId },
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
  companyId: CompanyId,
  escrowId: EscrowId,
  cancelled: { readonly commandId: LinkEvent['commandId']; readonly at: string },
): Promise<LinkId | null> {
  const link = await lockLink(em, companyId, { escrowId });
  if (link === null) return null;
  const decision = decide(link, { type: 'close-with-escrow', commandId: cancelled.commandId }, cancelled.at);
  if (decision.kind === 'refused') return null;
  await writeLinkStep(em, decision.event, evolve(link, decision.event));
  return link.terms.linkId;
}
