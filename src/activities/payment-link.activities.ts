import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { isProven, type MessageProof, UNPROVEN } from '../db/core/message-proof.ts';
import { SequenceConflict } from '../db/core/sequence-conflict.ts';
import { CommandText } from '../db/entities/escrow.ts';
import { PaymentAttemptRow, PaymentLinkRow } from '../db/entities/payment-link.ts';
import { carryOutOnEscrow } from '../db/escrow/escrow-store.ts';
import { companyNow } from '../db/identity/company-clock.ts';
import { postAll } from '../db/ledger/post-all.ts';
import { setTransactionStatus } from '../db/ledger/transaction-status.ts';
import { assertPayable, lockLink, writeLinkStep } from '../db/payments/payment-links.ts';
import { moveBack } from '../db/payments/reversals.ts';
import type { EscrowCommand } from '../domain/escrow/escrow.ts';
import { type CompanyId, commandThatMade, type Id, type TransactionId } from '../domain/ids.ts';
import type { Posting } from '../domain/ledger/postings.ts';
import type { Movement } from '../domain/payment-link/changes.ts';
import {
  type AttemptId,
  type AttemptOutcome,
  CHECKOUT_POLL_MINUTES,
  type LinkEvent,
  linkNeedsProof,
  type PaymentChange,
  type PaymentLink,
  PROMPT_LIFETIME_MINUTES,
  unsettled,
} from '../domain/payment-link/link.ts';
import { merchantReferenceOf } from '../domain/payment-link/reference.ts';
import type { SentMessage } from '../domain/sent-message.ts';
import type { Instant } from '../domain/time.ts';
import { fromWire, toWire, type Wire } from '../domain/wire.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/workflow-ids.ts';
import type { CardGateway } from '../providers/gateway/port.ts';
import type { Providers } from '../providers/index.ts';
import type { ChargeStatus, MobileMoney } from '../providers/mobile-money/port.ts';
import { ProviderError } from '../providers/outcome.ts';
import type { ApplyOutcome, Snapshot } from './contract.ts';
import { recordsOf } from './records.ts';

type LinkId = Id<'paymentLink'>;
type Outcome = ApplyOutcome<PaymentLink, LinkEvent>;

export type ApplyLinkInput = {
  readonly event: Wire<LinkEvent>;
  readonly state: Wire<PaymentLink>;
  readonly postings: readonly Wire<Posting>[];
  readonly escrowCommand: Wire<EscrowCommand> | null;
  readonly asksForMoney: boolean;
  readonly movement: Wire<Movement> | null;
  readonly reversedId: TransactionId | null;
  /** The message, if the event needs proof that it came from the API. */
  readonly sent: SentMessage | null;
};

/**
 * The provider's answer; or no answer, so that it is asked again later; or the time at which the gateway accepts the next
 * request.
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

export interface PaymentLinkActivities {
  loadLink(linkId: LinkId, companyId: CompanyId | null): Promise<Snapshot<PaymentLink>>;
  /** Writes the link's event and its effects on ledger and escrow in one transaction. Safe to repeat. */
  applyLinkEvent(input: ApplyLinkInput): Promise<Outcome>;
  /** Requests the state of an attempt from its provider. A charge that the operator does not know is made. */
  checkAttempt(attemptId: AttemptId): Promise<CheckOutcome>;
  /** Requests the chargebacks and refunds of a paid attempt. `known`: the ids of those that are booked. */
  checkPayment(attemptId: AttemptId, known: readonly string[]): Promise<ChangeOutcome>;
  /** Makes the provider refund an attempt, once. Does nothing if the link owes no refund: any client of Temporal can call this. */
  refundAttempt(attemptId: AttemptId): Promise<RefundOutcome>;
}

export type PaymentProviders = Pick<Providers, 'gateways' | 'operators'>;

/**
 * The gateway accepts two status requests a minute for each checkout. One of them is reserved for authentic notifications of
 * success, so that a payment counts as soon as the gateway reports it, even if earlier requests used up the other one. The gateway
 * does not limit requests for the changes of a payment; that limit is ours.
 */
const QUESTIONS = {
  status: { column: 'asked_at', maxPerMinute: 2, reserved: 1 },
  changes: { column: 'changes_asked_at', maxPerMinute: 10, reserved: 0 },
} as const;

export function createPaymentLinkActivities(
  orm: MikroORM,
  providers: PaymentProviders,
  proof: MessageProof,
): PaymentLinkActivities {
  const records = recordsOf<LinkId, PaymentLink, LinkEvent>(orm, 'paymentLink');
  return {
    loadLink: records.load,
    async applyLinkEvent(input) {
      const { linkId } = input.state.terms;
      if (linkNeedsProof(input.event) && !isProven(proof, linkWorkflowId(linkId), input)) return UNPROVEN;
      return records.write(linkId, input, (em) => apply(em, input));
    },
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
 * Whether the gateway has reported, since it was last asked, that the payment is in progress, and has reported no success. Another
 * request would return the same, and would count towards the limit.
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
       array(select t from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute'), company_now(a.company_id))
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

async function apply(em: EntityManager, input: ApplyLinkInput): Promise<Outcome> {
  const event = fromWire<LinkEvent>(input.event);
  const state = fromWire<PaymentLink>(input.state);
  const { linkId, escrowId } = state.terms;
  if (event.type !== 'CREATED') {
    const locked = await lockLink(em, { linkId });
    if (locked?.seq !== state.seq - 1) throw new SequenceConflict();
  }
  if (input.asksForMoney) await assertPayable(em, linkId);
  await postAll(
    em,
    input.postings.map((posting) => fromWire<Posting>(posting)),
  );
  if (input.escrowCommand !== null)
    await carryOutOnEscrow(em, escrowId, fromWire<EscrowCommand>(input.escrowCommand), event.at);
  if (input.movement !== null) await move(em, state, event, fromWire<Movement>(input.movement));
  if (input.reversedId !== null) await setTransactionStatus(em, input.reversedId, 'REVERSED');
  if (event.type === 'CREATED') await insertLink(em, state);
  await writeLinkStep(em, event, state);
  // A new link starts the run of its escrow, so there is no run to wake.
  const hasRun = input.escrowCommand !== null && event.type !== 'CREATED';
  return { kind: 'applied', at: event.at, wake: hasRun ? [escrowWorkflowId(escrowId)] : [] };
}

async function move(em: EntityManager, link: PaymentLink, event: LinkEvent, movement: Movement): Promise<void> {
  if (!('attemptId' in event) || event.attemptId === null) throw new Error(`${event.type} moves no payment`);
  const { companyId, escrowId } = link.terms;
  const isFunding = link.transactionId === movement.depositId;
  await moveBack(em, movement, { companyId, attemptId: event.attemptId, escrowId: isFunding ? escrowId : null });
}

async function insertLink(em: EntityManager, state: PaymentLink): Promise<void> {
  const { terms } = state;
  const text = await em.findOneOrFail(CommandText, { commandId: commandThatMade(terms.linkId) });
  const { hash, externalReference = null, userReference = null } = text.content;
  const { successUrl = null, cancelUrl = null, locale = null } = text.content;
  if (hash === undefined) throw new Error(`link ${terms.linkId} has no stored hash`);
  await em.insert(PaymentLinkRow, {
    id: terms.linkId,
    companyId: terms.companyId,
    escrowId: terms.escrowId,
    hash,
    status: state.status,
    seq: 0, // the next step makes it 1
    buyerId: terms.buyerId,
    currency: terms.currency,
    amountCents: terms.amountCents,
    externalReference,
    userReference,
    successUrl,
    cancelUrl,
    locale,
    expiresAt: new Date(terms.expiresAt),
    state: toWire(state),
    createdAt: new Date(state.createdAt),
    updatedAt: new Date(state.updatedAt),
  });
}
