import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { MessageProof } from '../db/core/message-proof.ts';
import { PaymentAttemptRow, PaymentLinkRow } from '../db/entities/payment-link.ts';
import { hasLasted } from '../db/payments/payment-attempts.ts';
import { lockLink } from '../db/payments/payment-link-store.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import { fromWire } from '../domain/messages/wire.ts';
import {
  type AttemptId,
  type AttemptOutcome,
  type PaymentLink,
  PROMPT_LIFETIME_MINUTES,
  unsettled,
} from '../domain/payment-link/link.ts';
import {
  type ChangeAnswer,
  type CheckAnswer,
  checkCard,
  checkCardPayment,
  type FoundChange,
} from '../providers/gateway/card-attempts.ts';
import type { Providers } from '../providers/index.ts';
import type { ChargeStatus, MobileMoney } from '../providers/mobile-money/port.ts';
import { ProviderError } from '../providers/provider-error.ts';
import { signing, type Told } from './records.ts';

/**
 * The requests about a payment attempt to its provider: what became of it, what changed since, and its refund. `commandId`: the command
 * for which the run asks.
 */

/** `silent`: the state is unknown, so the provider is asked again. */
export type RefundAnswer = 'refunded' | 'refused' | 'silent';

export type { ChangeAnswer, CheckAnswer, FoundChange };

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
