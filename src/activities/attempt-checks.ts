import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { MessageProof } from '../db/core/message-proof.ts';
import { PaymentAttemptRow, PaymentLinkRow } from '../db/entities/payment-link.ts';
import { hasLasted } from '../db/payments/payment-attempts.ts';
import { lockLink } from '../db/payments/payment-link-store.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import { fromWire, toWire, type Wire } from '../domain/messages/wire.ts';
import {
  type AttemptId,
  type AttemptOutcome,
  CHECKOUT_POLL_MINUTES,
  GATEWAY_REQUESTS_PER_MINUTE,
  merchantReferenceOf,
  type PaymentChange,
  type PaymentLink,
  PROMPT_LIFETIME_MINUTES,
  unsettled,
} from '../domain/payment-link/link.ts';
import type { Instant } from '../domain/time.ts';
import type { CardGateway } from '../providers/gateway/port.ts';
import type { Providers } from '../providers/index.ts';
import type { ChargeStatus, MobileMoney } from '../providers/mobile-money/port.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { signing, type Told } from './records.ts';

/**
 * The requests about a payment attempt to its provider: what became of it, what changed since, and its refund. `commandId`: the command
 * for which the run asks.
 */

/**
 * The provider's answer; `silent` if there was none; or `askAt`, the time at which the gateway accepts the next request.
 */
export type CheckAnswer = AttemptOutcome | 'silent' | { readonly askAt: Instant };

/** A change that the gateway reports. */
export type FoundChange = PaymentChange & { readonly changeId: string };

/**
 * The oldest change of a payment that the link does not know; `nothing` if it knows all of them. `silent` and `askAt` as above.
 */
export type ChangeAnswer = Wire<FoundChange> | 'nothing' | 'silent' | { readonly askAt: Instant };

/** `silent`: the state is unknown, so the provider is asked again. */
export type RefundAnswer = 'refunded' | 'refused' | 'silent';

export type AttemptChecks = {
  /** Requests the state of an attempt from its provider. Sends the charge if the operator does not know it. */
  readonly checkAttempt: (
    companyId: CompanyId,
    attemptId: AttemptId,
    commandId?: CommandId,
  ) => Promise<Told<CheckAnswer>>;
  /** Requests the chargebacks and refunds of a paid attempt. `known`: the ids of those that are booked. */
  readonly checkPayment: (
    companyId: CompanyId,
    attemptId: AttemptId,
    known: readonly string[],
    commandId?: CommandId,
  ) => Promise<Told<ChangeAnswer>>;
  /**
   * Makes the provider refund an attempt, once. Does nothing if the link owes no refund: any client of Temporal can call this.
   */
  readonly refundAttempt: (
    companyId: CompanyId,
    attemptId: AttemptId,
    commandId?: CommandId,
  ) => Promise<Told<RefundAnswer>>;
};

export type PaymentProviders = Pick<Providers, 'gateways' | 'operators'>;

export function createAttemptChecks(orm: MikroORM, providers: PaymentProviders, proof: MessageProof): AttemptChecks {
  const checks = {
    async checkAttempt(companyId: CompanyId, attemptId: AttemptId): Promise<CheckAnswer> {
      const em = orm.em.fork();
      const attempt = await em.findOneOrFail(PaymentAttemptRow, { companyId, id: attemptId });
      const link = await em.findOneOrFail(PaymentLinkRow, { companyId, id: attempt.linkId });
      try {
        return attempt.kind === 'card'
          ? await checkCard(em, providers.gateways.named(attempt.provider), attempt, link)
          : await checkCharge(orm, providers.operators.named(attempt.provider), attempt, link);
      } catch (error) {
        if (error instanceof ProviderError) return 'silent';
        throw error;
      }
    },
    async checkPayment(companyId: CompanyId, attemptId: AttemptId, known: readonly string[]): Promise<ChangeAnswer> {
      const em = orm.em.fork();
      const attempt = await em.findOneOrFail(PaymentAttemptRow, { companyId, id: attemptId });
      if (attempt.kind !== 'card') return 'nothing';
      const link = await em.findOneOrFail(PaymentLinkRow, { companyId, id: attempt.linkId });
      try {
        return await checkCardPayment(em, providers.gateways.named(attempt.provider), attempt, link, known);
      } catch (error) {
        if (error instanceof ProviderError) return 'silent';
        throw error;
      }
    },
    async refundAttempt(companyId: CompanyId, attemptId: AttemptId): Promise<RefundAnswer> {
      const em = orm.em.fork();
      const attempt = await em.findOneOrFail(PaymentAttemptRow, { companyId, id: attemptId });
      const link = await em.findOneOrFail(PaymentLinkRow, { companyId, id: attempt.linkId });
      const known = fromWire<PaymentLink>(link.state).attempts.find((one) => one.attemptId === attemptId);
      return known?.refund === 'due' ? refund(em, providers, attempt, link) : 'silent';
    },
  };
  const told = signing(proof);
  return {
    checkAttempt: async (companyId, attemptId, commandId) =>
      told('checkAttempt', attemptId, commandId, await checks.checkAttempt(companyId, attemptId)),
    checkPayment: async (companyId, attemptId, known, commandId) =>
      told('checkPayment', attemptId, commandId, await checks.checkPayment(companyId, attemptId, known)),
    refundAttempt: async (companyId, attemptId, commandId) =>
      told('refundAttempt', attemptId, commandId, await checks.refundAttempt(companyId, attemptId)),
  };
}

/**
 * The refund request is recorded before it is sent. After a lost response the gateway is told that this is a repetition; a
 * refusal because the payment is already refunded then means success.
 */
async function refund(
  em: EntityManager,
  { gateways, operators }: PaymentProviders,
  { companyId, id, kind, provider, paymentId, refundAskedAt }: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<RefundAnswer> {
  const note = (at: string) =>
    em.execute(`update payment_attempt set refund_asked_at = ${at} where company_id = ? and id = ?`, [companyId, id]);
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

/**
 * The gateway limits status requests for each checkout. One of them is reserved for authentic notifications of success, so that a
 * payment counts as soon as the gateway reports it, even if earlier requests used up the others. The gateway does not limit
 * requests for the changes of a payment; that limit is ours.
 */
const QUESTIONS = {
  status: { column: 'asked_at', maxPerMinute: GATEWAY_REQUESTS_PER_MINUTE, reserved: 1 },
  changes: { column: 'changes_asked_at', maxPerMinute: 10, reserved: 0 },
} as const;

/** Asks the gateway what became of a form. The payment of a success is recorded, for its changes and its refund. */
async function checkCard(
  em: EntityManager,
  gateway: CardGateway,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<CheckAnswer> {
  if (attempt.checkoutId == null) return 'silent';
  if (!isAtWork(attempt, link) && (await isReportedPending(em, attempt))) return 'pending';
  const askAt = await claimQuestion(em, attempt, QUESTIONS.status);
  if (askAt !== null) return { askAt: askAt.toISOString() };
  const status = await gateway.checkoutStatus(attempt.checkoutId);
  switch (status.kind) {
    case 'succeeded': {
      const isOurs =
        status.amountCents === BigInt(link.amountCents) &&
        status.currency === link.currency &&
        status.merchantReference === merchantReferenceOf(attempt.id);
      if (isOurs)
        await em.execute('update payment_attempt set payment_id = ? where company_id = ? and id = ?', [
          status.paymentId,
          attempt.companyId,
          attempt.id,
        ]);
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
async function isReportedPending(em: EntityManager, { companyId, id }: PaymentAttemptRow): Promise<boolean> {
  const [row] = await em.execute<{ report: string | null }[]>('select payment_attempt_report(?, ?) as report', [
    companyId,
    id,
  ]);
  return row?.report === 'pending';
}

/** Asks the gateway for the oldest change of a payment that is not in `known`. */
async function checkCardPayment(
  em: EntityManager,
  gateway: CardGateway,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
  known: readonly string[],
): Promise<ChangeAnswer> {
  if (attempt.paymentId == null) return 'nothing';
  const askAt = await claimQuestion(em, attempt, QUESTIONS.changes);
  if (askAt !== null) return { askAt: askAt.toISOString() };
  const changes = await gateway.paymentChanges(attempt.paymentId);
  const next = changes.find(({ changeId, currency }) => !known.includes(changeId) && currency === link.currency);
  if (next === undefined) return 'nothing';
  const { changeId, change, amountCents } = next;
  return toWire<FoundChange>({ changeId, change, amountCents });
}

/**
 * Counts a request to the gateway. Null if it may be sent now; else the time at which the limit allows it, on the company's
 * clock.
 */
async function claimQuestion(
  em: EntityManager,
  { companyId, id: attemptId }: PaymentAttemptRow,
  { column, maxPerMinute, reserved }: (typeof QUESTIONS)[keyof typeof QUESTIONS],
): Promise<Date | null> {
  const rows = await em.execute<{ id: string }[]>(
    `update payment_attempt a
     set ${column} = array_append(
       array(select t from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute'),
       company_now(a.company_id))
     where a.company_id = ? and a.id = ? and (select count(*) from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute')
       < ? - case when payment_attempt_report(a.company_id, a.id) = 'success' then 0 else ? end
     returning a.id`,
    [companyId, attemptId, maxPerMinute, reserved],
  );
  if (rows.length === 1) return null;
  const recent = await em.execute<{ ask_at: Date; report: string | null }[]>(
    `select t + interval '1 minute' as ask_at, payment_attempt_report(a.company_id, a.id) as report
     from payment_attempt a, unnest(a.${column}) t where a.company_id = ? and a.id = ? order by t desc limit ?`,
    [companyId, attemptId, maxPerMinute],
  );
  const allowed = maxPerMinute - (recent[0]?.report === 'success' ? 0 : reserved);
  return new Date(recent[allowed - 1]?.ask_at ?? Date.now());
}

async function checkCharge(
  orm: MikroORM,
  operator: MobileMoney,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<CheckAnswer> {
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
    const locked = await lockLink(locking, attempt.companyId, { linkId: attempt.linkId });
    const isWanted =
      locked?.status === 'PROCESSING' && unsettled(locked).some(({ attemptId }) => attemptId === attempt.id);
    // A charge that was sent before may still reach the operator, so only a charge that was never sent is abandoned.
    if (!isWanted) return attempt.sentAt == null ? 'lapsed' : 'silent';
    if (attempt.phone == null) throw new Error(`attempt ${attempt.id} has no phone number`);
    await orm.em
      .fork()
      .execute('update payment_attempt set sent_at = coalesce(sent_at, now()) where company_id = ? and id = ?', [
        attempt.companyId,
        attempt.id,
      ]);
    const { amountCents, currency } = locked.terms;
    return outcomeOfCharge(
      await operator.charge({ reference: attempt.id, phone: attempt.phone, amountCents, currency }),
    );
  });
}

async function isCancelled(orm: MikroORM, { companyId, linkId }: PaymentAttemptRow): Promise<boolean> {
  const link = await orm.em.fork().findOneOrFail(PaymentLinkRow, { companyId, id: linkId });
  return fromWire<PaymentLink>(link.state).isCancelled;
}

function outcomeOfCharge(status: ChargeStatus): AttemptOutcome {
  return status === 'approved' ? 'succeeded' : status;
}
