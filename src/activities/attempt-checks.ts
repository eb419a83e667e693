import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { PaymentAttemptRow, PaymentLinkRow } from '../db/entities/payment-link.ts';
import { companyNow } from '../db/identity/company-clock.ts';
import { lockLink } from '../db/payments/payment-link-store.ts';
import { fromWire, toWire, type Wire } from '../domain/messages/wire.ts';
import {
  type AttemptId,
  type AttemptOutcome,
  CHECKOUT_POLL_MINUTES,
  GATEWAY_REQUESTS_PER_MINUTE,
  type PaymentChange,
  type PaymentLink,
  PROMPT_LIFETIME_MINUTES,
  unsettled,
} from '../domain/payment-link/link.ts';
import { merchantReferenceOf } from '../domain/payment-link/reference.ts';
import type { Instant } from '../domain/time.ts';
import type { CardGateway } from '../providers/gateway/port.ts';
import type { Providers } from '../providers/index.ts';
import type { ChargeStatus, MobileMoney } from '../providers/mobile-money/port.ts';
import { ProviderError } from '../providers/outcome.ts';

/** The requests about a payment attempt to its provider: what became of it, what changed since, and its refund. */

/**
 * The provider's answer; `silent` if there was none; or `askAt`, the time at which the gateway accepts the next request.
 */
export type CheckOutcome = AttemptOutcome | 'silent' | { readonly askAt: Instant };

/** A change that the gateway reports. */
export type FoundChange = PaymentChange & { readonly changeId: string };

/**
 * The oldest change of a payment that the link does not know; `nothing` if it knows all of them. `silent` and `askAt` as above.
 */
export type ChangeOutcome = Wire<FoundChange> | 'nothing' | 'silent' | { readonly askAt: Instant };

/** `silent`: the state is unknown, so the provider is asked again. */
export type RefundOutcome = 'refunded' | 'refused' | 'silent';

export type AttemptChecks = {
  /** Requests the state of an attempt from its provider. Sends the charge if the operator does not know it. */
  readonly checkAttempt: (attemptId: AttemptId) => Promise<CheckOutcome>;
  /** Requests the chargebacks and refunds of a paid attempt. `known`: the ids of those that are booked. */
  readonly checkPayment: (attemptId: AttemptId, known: readonly string[]) => Promise<ChangeOutcome>;
  /**
   * Makes the provider refund an attempt, once. Does nothing if the link owes no refund: any client of Temporal can call this.
   */
  readonly refundAttempt: (attemptId: AttemptId) => Promise<RefundOutcome>;
};

export type PaymentProviders = Pick<Providers, 'gateways' | 'operators'>;

/**
 * The gateway limits status requests for each checkout. One of them is reserved for authentic notifications of success, so that a
 * payment counts as soon as the gateway reports it, even if earlier requests used up the others. The gateway does not limit
 * requests for the changes of a payment; that limit is ours.
 */
const QUESTIONS = {
  status: { column: 'asked_at', maxPerMinute: GATEWAY_REQUESTS_PER_MINUTE, reserved: 1 },
  changes: { column: 'changes_asked_at', maxPerMinute: 10, reserved: 0 },
} as const;

export function createAttemptChecks(orm: MikroORM, providers: PaymentProviders): AttemptChecks {
  return {
    async checkAttempt(attemptId) {
      const em = orm.em.fork();
      const attempt = await em.findOneOrFail(PaymentAttemptRow, { id: attemptId });
      const link = await em.findOneOrFail(PaymentLinkRow, { id: attempt.linkId });
      try {
        return attempt.kind === 'card'
          ? await checkCheckout(em, providers.gateways.named(attempt.provider), attempt, link)
          : await checkCharge(orm, providers.operators.named(attempt.provider), attempt, link);
      } catch (error) {
        if (error instanceof ProviderError) return 'silent';
        throw error;
      }
    },
    async checkPayment(attemptId, known) {
      const em = orm.em.fork();
      const attempt = await em.findOneOrFail(PaymentAttemptRow, { id: attemptId });
      if (attempt.kind !== 'card' || attempt.paymentId == null) return 'nothing';
      const link = await em.findOneOrFail(PaymentLinkRow, { id: attempt.linkId });
      try {
        const askAt = await claimQuestion(em, attempt.id, QUESTIONS.changes);
        if (askAt !== null) return { askAt: askAt.toISOString() };
        const changes = await providers.gateways.named(attempt.provider).paymentChanges(attempt.paymentId);
        const next = changes.find(({ changeId, currency }) => !known.includes(changeId) && currency === link.currency);
        if (next === undefined) return 'nothing';
        const { changeId, change, amountCents } = next;
        return toWire<FoundChange>({ changeId, change, amountCents });
      } catch (error) {
        if (error instanceof ProviderError) return 'silent';
        throw error;
      }
    },
    async refundAttempt(attemptId) {
      const em = orm.em.fork();
      const attempt = await em.findOneOrFail(PaymentAttemptRow, { id: attemptId });
      const link = await em.findOneOrFail(PaymentLinkRow, { id: attempt.linkId });
      const known = fromWire<PaymentLink>(link.state).attempts.find((one) => one.attemptId === attemptId);
      return known?.refund === 'due' ? refund(em, providers, attempt, link) : 'silent';
    },
  };
}

/**
 * The refund request is recorded before it is sent. After a lost response the gateway is told that this is a repetition; a
 * refusal because the payment is already refunded then means success.
 */
async function refund(
  em: EntityManager,
  { gateways, operators }: PaymentProviders,
  { id, kind, provider, paymentId, refundAskedAt }: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<RefundOutcome> {
  const note = (at: string) => em.execute(`update payment_attempt set refund_asked_at = ${at} where id = ?`, [id]);
  const isRepetition = refundAskedAt != null;
  if (!isRepetition) await note('now()');
  try {
    if (kind === 'mobile_money') return await operators.named(provider).reverse(id);
    if (paymentId == null) return 'refused';
    const amountCents = BigInt(link.amountCents);
    return await gateways.named(provider).refund({ paymentId, amountCents, currency: link.currency, isRepetition });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (!isRepetition && error.outcome === 'unreachable') await note('null');
    return 'silent';
  }
}

async function checkCheckout(
  em: EntityManager,
  gateway: CardGateway,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<CheckOutcome> {
  if (attempt.checkoutId == null) return 'silent';
  if (!isAtWork(attempt, link) && (await isReportedPending(em, attempt.id))) return 'pending';
  const askAt = await claimQuestion(em, attempt.id, QUESTIONS.status);
  if (askAt !== null) return { askAt: askAt.toISOString() };
  const status = await gateway.checkoutStatus(attempt.checkoutId);
  switch (status.kind) {
    case 'succeeded': {
      const isOurs =
        status.amountCents === BigInt(link.amountCents) &&
        status.currency === link.currency &&
        status.merchantReference === merchantReferenceOf(attempt.id);
      if (isOurs)
        await em.execute('update payment_attempt set payment_id = ? where id = ?', [status.paymentId, attempt.id]);
      return isOurs ? 'succeeded' : 'mismatched';
    }
    case 'open':
      return (await hasLasted(em, attempt, link, CHECKOUT_POLL_MINUTES)) ? 'lapsed' : 'silent';
    case 'gone':
      return 'lapsed';
    default:
      return status.kind;
  }
}

function isAtWork({ id }: PaymentAttemptRow, link: PaymentLinkRow): boolean {
  const { attempts } = fromWire<PaymentLink>(link.state);
  return attempts.some(({ attemptId, status }) => attemptId === id && status === 'pending');
}

/**
 * Whether the gateway has reported, since it was last asked, that the payment is in progress, and has reported no success.
 * Another request would return the same, and would count towards the limit.
 */
async function isReportedPending(em: EntityManager, attemptId: AttemptId): Promise<boolean> {
  const [row] = await em.execute<{ report: string | null }[]>('select payment_attempt_report(?) as report', [
    attemptId,
  ]);
  return row?.report === 'pending';
}

async function checkCharge(
  orm: MikroORM,
  operator: MobileMoney,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<CheckOutcome> {
  const known = await operator.status(attempt.id);
  if (known === 'pending' && (await hasLasted(orm.em.fork(), attempt, link, PROMPT_LIFETIME_MINUTES))) {
    // The prompt is withdrawn, so that it cannot be approved after the buyer has paid another way.
    return (await operator.reverse(attempt.id)) === 'refunded' ? 'lapsed' : 'silent';
  }
  if (known === 'pending' && (await isCancelled(orm, attempt))) {
    // The prompt is cancelled; if the phone's owner has already paid, the money is returned.
    return (await operator.reverse(attempt.id)) === 'refunded' ? 'declined' : 'silent';
  }
  if (known !== 'unknown') return outcomeOfCharge(known);
  // The row stays locked during the operator's call, so that the link cannot be closed in between.
  return orm.em.fork().transactional(async (locking) => {
    const locked = await lockLink(locking, { linkId: attempt.linkId });
    const isWanted =
      locked?.status === 'PROCESSING' && unsettled(locked).some(({ attemptId }) => attemptId === attempt.id);
    // A charge that was sent before may still reach the operator, so only a charge that was never sent is abandoned.
    if (!isWanted) return attempt.sentAt == null ? 'lapsed' : 'silent';
    if (attempt.phone == null) throw new Error(`attempt ${attempt.id} has no phone number`);
    await orm.em
      .fork()
      .execute('update payment_attempt set sent_at = coalesce(sent_at, now()) where id = ?', [attempt.id]);
    const { amountCents, currency } = locked.terms;
    return outcomeOfCharge(
      await operator.charge({ reference: attempt.id, phone: attempt.phone, amountCents, currency }),
    );
  });
}

async function isCancelled(orm: MikroORM, { linkId }: PaymentAttemptRow): Promise<boolean> {
  const link = await orm.em.fork().findOneOrFail(PaymentLinkRow, { id: linkId });
  return fromWire<PaymentLink>(link.state).isCancelled;
}

function outcomeOfCharge(status: ChargeStatus): AttemptOutcome {
  return status === 'approved' ? 'succeeded' : status;
}

/**
 * Whether the attempt has lasted its full time on the company's clock. A card form has expired by then, and payments that were in
 * progress at its end have had time to finish. The answer to a prompt is not awaited any longer.
 */
async function hasLasted(
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

/**
 * Counts a request to the gateway. Null if it may be sent now; else the time at which the limit allows it, on the company's
 * clock.
 */
async function claimQuestion(
  em: EntityManager,
  attemptId: AttemptId,
  { column, maxPerMinute, reserved }: (typeof QUESTIONS)[keyof typeof QUESTIONS],
): Promise<Date | null> {
  const rows = await em.execute<{ id: string }[]>(
    `update payment_attempt a
     set ${column} = array_append(
       array(select t from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute'),
       company_now(a.company_id))
     where a.id = ? and (select count(*) from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute')
       < ? - case when payment_attempt_report(a.id) = 'success' then 0 else ? end
     returning a.id`,
    [attemptId, maxPerMinute, reserved],
  );
  if (rows.length === 1) return null;
  const recent = await em.execute<{ ask_at: Date; report: string | null }[]>(
    `select t + interval '1 minute' as ask_at, payment_attempt_report(a.id) as report
     from payment_attempt a, unnest(a.${column}) t where a.id = ? order by t desc limit ?`,
    [attemptId, maxPerMinute],
  );
  const allowed = maxPerMinute - (recent[0]?.report === 'success' ? 0 : reserved);
  return new Date(recent[allowed - 1]?.ask_at ?? Date.now());
}
