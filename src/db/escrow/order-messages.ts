import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowEvent } from '../../domain/escrow/commands.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CompanyId, EscrowId, OrderMessageId } from '../../domain/ids.ts';
import type { Locale } from '../../domain/locale.ts';
import type { Wire } from '../../domain/messages/wire.ts';
import type { NotSentReason, OrderMessageKind } from '../../domain/order-messages.ts';
import type { OrderPageChoices } from '../../domain/order-pages.ts';

/** The messages to parties of orders. Triggers write the rows (209-order-messages.sql). */

export type DueMessage = { readonly companyId: CompanyId; readonly id: OrderMessageId };

/** The messages of all companies that are due, at most `limit`. */
export async function findDueMessages(em: EntityManager, limit: number): Promise<DueMessage[]> {
  return em.execute<DueMessage[]>('select company_id as "companyId", id from order_messages_due(?)', [limit]);
}

/** A message with what it says depends on. */
export type OrderMessage = {
  readonly kind: OrderMessageKind;
  readonly party: Party;
  readonly escrowId: EscrowId;
  readonly attempts: number;
  /** Whether it is still true: not too old, and of a party with a page. What happened ages in real time, also where a clock is moved. */
  readonly isFresh: boolean;
  /** Of a reminder: the date of the release. Of a refusal: the request. */
  readonly cause: string;
  /** Null: it is a reminder or a refusal. */
  readonly event: Wire<EscrowEvent> | null;
  readonly companyName: string;
  readonly timeZone: string;
  readonly orderPages: OrderPageChoices;
  readonly version: number;
  readonly mobileNumber: string | null;
  /** Null: neither the party nor the link has one. */
  readonly locale: Locale | null;
};

/** Locks a message that is due; null if another process has it. In a transaction of the company. */
export async function lockDueMessage(
  em: EntityManager,
  { companyId, id }: DueMessage,
  staleAfterHours: number,
): Promise<OrderMessage | null> {
  const [found] = await em.execute<OrderMessage[]>(
    `select m.kind, m.party, m.escrow_id as "escrowId", m.attempts, m.cause, v.data as event, c.name as "companyName",
       c.time_zone as "timeZone", c.order_pages as "orderPages", o.version, u.mobile_number as "mobileNumber",
       coalesce(case m.party when 'BUYER' then o.buyer_locale else o.seller_locale end, l.locale) as locale,
       case when m.kind like 'RELEASE_IN_%' then m.due_at > company_now(m.company_id) - s.late else m.updated_at > now() - s.late end
         and case m.party when 'BUYER' then o.buyer_hash else o.seller_hash end is not null as "isFresh"
     from order_message m cross join make_interval(hours => ?) s (late)
       join escrow e on e.company_id = m.company_id and e.id = m.escrow_id
       join order_page o on o.company_id = m.company_id and o.id = m.escrow_id
       join company c on c.id = m.company_id
       left join app_user u on u.company_id = m.company_id
         and u.id = case m.party when 'BUYER' then e.buyer_id else e.seller_id end
       left join payment_link l on l.company_id = m.company_id and l.escrow_id = m.escrow_id
       left join escrow_event v on v.company_id = m.company_id and v.escrow_id = m.escrow_id and v.seq::text = m.cause
     where m.company_id = ? and m.id = ? and m.status = 'WAITING' for update of m skip locked`,
    [staleAfterHours, companyId, id],
  );
  return found ?? null;
}

/** Why nothing may be sent to the number now; null if nothing stands against it. The caller's transaction holds the number's lock. */
export async function obstacleOf(em: EntityManager, numberHash: string): Promise<NotSentReason | null> {
  const [row] = await em.execute<{ reason: NotSentReason | null }[]>('select order_message_obstacle(?) as reason', [
    numberHash,
  ]);
  return row?.reason ?? null;
}

type Fate =
  | { readonly status: 'SENDING'; readonly numberHash: string }
  | { readonly status: 'NOT_SENT'; readonly reason: NotSentReason }
  | { readonly status: 'STALE' };

/** Decides what happens to a locked message. The first time, its event tells the company, unless it is stale. */
export async function decideMessage(em: EntityManager, { companyId, id }: DueMessage, fate: Fate): Promise<void> {
  await em.execute(
    `update order_message set status = ?, reason = ?, number_hash = coalesce(number_hash, ?), attempts = attempts + 1,
       announced_at = coalesce(announced_at, case when ? then now() end), updated_at = now() where company_id = ? and id = ?`,
    [
      fate.status,
      fate.status === 'NOT_SENT' ? fate.reason : null,
      fate.status === 'SENDING' ? fate.numberHash : null,
      fate.status !== 'STALE',
      companyId,
      id,
    ],
  );
}

/** Records how a send ended. `retrySeconds`: it had no effect, and is tried again then. */
export async function settleMessage(
  em: EntityManager,
  { companyId, id }: DueMessage,
  outcome: 'SENT' | 'FAILED' | { readonly retrySeconds: number },
): Promise<void> {
  const [status, wait] = typeof outcome === 'string' ? [outcome, 0] : ['WAITING', outcome.retrySeconds];
  await em.execute(
    `update order_message set status = ?, due_at = case when ? > 0 then company_now(company_id) + make_interval(secs => ?) else due_at end,
       updated_at = now() where company_id = ? and id = ? and status = 'SENDING'`,
    [status, wait, wait, companyId, id],
  );
}

/** The owner of a number wants no more messages, or wants them again. */
export async function stopMessages(em: EntityManager, numberHash: string, isStopped: boolean): Promise<void> {
  await em.execute('select message_stop_set(?, ?)', [numberHash, isStopped]);
}
