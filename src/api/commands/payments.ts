import { inTenant } from '../../db/core/orm.ts';
import { PaymentAttemptRow } from '../../db/entities/payment-link.ts';
import { countUnapprovedPrompts } from '../../db/payments/payment-attempts.ts';
import { assertPayable } from '../../db/payments/payment-link-store.ts';
import type { LinkRecord } from '../../db/payments/payment-links.ts';
import { Refusal } from '../../domain/errors.ts';
import { commandThatMade, idMadeBy, type TransactionId } from '../../domain/ids.ts';
import { depositOf } from '../../domain/payment-link/decide.ts';
import { type Attempt, type AttemptId, unsettled } from '../../domain/payment-link/link.ts';
import { dialled } from '../../domain/phone.ts';
import { type CardAttempts, type CardForm, createCardAttempts } from '../../providers/gateway/card-attempts.ts';
import type { LinkCode } from '../auth/one-time-passwords.ts';
import type { ApiDependencies } from '../context.ts';
import { newCommandId } from './idempotency.ts';
import { headingOf, requireLink, requirePayable } from './link-commands.ts';

/** What a buyer can do with a link, for the JSON operations and for the hosted page. */

type Dependencies = Pick<ApiDependencies, 'orm' | 'commands' | 'providers' | 'oneTimePasswords' | 'log' | 'chargeMs'>;

type PaymentStatus = 'ACCEPTED' | 'PROCESSING' | 'DECLINED';
export type Payment = {
  readonly status: PaymentStatus;
  readonly link: LinkRecord;
  readonly transactionId: TransactionId | null;
  /** Who holds the money that was paid. Null if nothing was paid. */
  readonly creditedTo: CreditedTo | null;
};

export const CREDITED_TO = ['ESCROW', 'BALANCE', 'SOURCE_PENDING', 'SOURCE'] as const;
type CreditedTo = (typeof CREDITED_TO)[number];

const CHARGE_POLL_MS = 300;
/** Prompts to one phone within an hour, over all links and companies. */
export const MAX_UNAPPROVED_PROMPTS = 3;

/** Pays from the buyer's balance. For an accepted link the answer is the same again. */
export async function payFromBalance(
  dependencies: Dependencies,
  hash: string,
  proof: { readonly messagingNumber: string | undefined; readonly otp: string | undefined },
): Promise<Payment> {
  const link = await requireLink(dependencies, hash);
  if (link.status === 'ACCEPTED') return accepted(link);
  if (proof.messagingNumber === undefined || proof.otp === undefined) throw new Refusal('otp_required');
  requirePayable(link);
  const code = codeOf(link, proof.messagingNumber, proof.otp);
  // Two requests with one code are one command, and get the same answer.
  const commandId = await dependencies.oneTimePasswords.consume(code, newCommandId());
  try {
    await dependencies.commands.link(headingOf(link), 'pay-from-balance', { commandId });
  } catch (error) {
    if (isCuredByBuyer(error)) await dependencies.oneTimePasswords.giveBack(code, commandId);
    throw error;
  }
  return accepted(await requireLink(dependencies, hash));
}

/** Charges mobile money and waits for the buyer's answer. Answers PROCESSING if it does not come in time. */
export async function payByMobileMoney(
  dependencies: Dependencies,
  hash: string,
  phone: string,
  proof: { readonly messagingNumber: string | undefined; readonly otp: string | undefined },
): Promise<Payment> {
  const deadline = Date.now() + dependencies.chargeMs;
  const link = await requireLink(dependencies, hash);
  if (link.status === 'ACCEPTED') return accepted(link);
  const attemptId = await startCharge(dependencies, link, phone, proof);
  const payment = await outcomeOf(dependencies, link, attemptId, deadline);
  // The phone paid, but the link could not take the money: the answer describes the link.
  const isLinkPaid = payment.status !== 'ACCEPTED' || payment.creditedTo === 'ESCROW';
  return isLinkPaid ? payment : { ...payment, status: 'DECLINED' };
}

/** Sends a prompt to the phone and does not wait for the answer. Throws `too_many_requests` after too many prompts. */
export async function startCharge(
  dependencies: Dependencies,
  link: LinkRecord,
  typedPhone: string,
  proof: { readonly messagingNumber: string | undefined; readonly otp: string | undefined },
): Promise<AttemptId> {
  const { orm, commands } = dependencies;
  const phone = dialled(typedPhone); // prompts are counted for the phone, however its number is written
  requirePayable(link);
  requireUnpaid(link);
  await inTenant(orm, link.companyId, (em) => assertPayable(em, link.companyId, link.id));
  if (proof.otp !== undefined)
    await dependencies.oneTimePasswords.consume(codeOf(link, proof.messagingNumber ?? typedPhone, proof.otp), null);
  const commandId = newCommandId();
  const attemptId = idMadeBy('attempt', commandId);
  await inTenant(orm, link.companyId, async (em) => {
    if ((await countUnapprovedPrompts(em, phone)) >= MAX_UNAPPROVED_PROMPTS)
      throw new Refusal('too_many_requests', 'three requests to this phone were not approved within an hour');
    await em.insert(PaymentAttemptRow, {
      id: attemptId,
      companyId: link.companyId,
      linkId: link.id,
      kind: 'mobile_money',
      provider: dependencies.providers.operators.chosen,
      phone,
      createdAt: new Date(),
    });
  });
  await commands.link(headingOf(link), 'start-charge', { commandId });
  return attemptId;
}

/** The link's open form at the gateway, or a new one. Throws `provider_unavailable`. */
export async function openCheckout(dependencies: Dependencies, hash: string): Promise<CardForm> {
  const link = await requireLink(dependencies, hash);
  requirePayable(link);
  requireUnpaid(link);
  await inTenant(dependencies.orm, link.companyId, (em) => assertPayable(em, link.companyId, link.id));
  return cardAttempts(dependencies).open(link, newCommandId());
}

/** The result of a checkout after the buyer's return, which checks it at the gateway. Throws `not_found` for an unknown one. */
export async function verifyCheckout(dependencies: Dependencies, checkoutId: string): Promise<Payment> {
  const returned = await cardAttempts(dependencies).returned(checkoutId);
  if (returned === null) throw new Refusal('not_found', 'there is no such checkout');
  return outcomeOf(dependencies, returned.link, returned.attemptId, 0);
}

/** The owner of card attempts, with the messages by which it tells the run of a link. */
export function cardAttempts({ orm, providers, commands }: Dependencies): CardAttempts {
  return createCardAttempts(orm, providers.gateways, {
    record: (link, attemptId) =>
      commands.link(headingOf(link), 'open-checkout', { commandId: commandThatMade(attemptId) }),
    check: (link, attemptId) =>
      commands.link(headingOf(link), 'check-attempt', { commandId: newCommandId(), attemptId }),
    checkSoon: (link, attemptId) => commands.checkAttemptSoon(headingOf(link), attemptId),
  });
}

/** Throws `wrong_state` or `link_expired` if there is nothing left to reject. */
export async function rejectPayment(dependencies: Dependencies, hash: string): Promise<void> {
  const link = await requireLink(dependencies, hash);
  requirePayable(link);
  await dependencies.commands.link(headingOf(link), 'reject', { commandId: newCommandId() });
}

/** Whether the buyer can pay after a deposit or a call, with the code that was right. Nothing was paid. */
function isCuredByBuyer(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'insufficient_funds' || error.code === 'account_frozen');
}

/** A link takes one payment only, even if its escrow could not take the money and it went to the buyer's balance. */
function requireUnpaid(link: LinkRecord): void {
  if (link.state.attempts.some(({ status }) => status === 'succeeded'))
    throw new Refusal('wrong_state', 'a payment for this link has already arrived');
}

/** Throws `otp_invalid` unless the number belongs to the buyer. */
function codeOf(link: LinkRecord, mobileNumber: string, code: string): LinkCode {
  if (mobileNumber !== link.buyer.mobileNumber) throw new Refusal('otp_invalid');
  return { companyId: link.companyId, linkId: link.id, mobileNumber, code };
}

/** The state of an attempt, once it is settled or `deadline` (epoch ms) has passed. */
async function outcomeOf(
  dependencies: Dependencies,
  link: LinkRecord,
  attemptId: AttemptId,
  deadline: number,
): Promise<Payment> {
  for (;;) {
    const now = await requireLink(dependencies, link.hash);
    const attempt = now.state.attempts.find((one) => one.attemptId === attemptId);
    if (attempt !== undefined && (!isUnsettled(now, attemptId) || Date.now() >= deadline))
      return {
        status: STATUS_OF_ATTEMPT[attempt.status],
        link: now,
        transactionId: transactionOf(attempt),
        creditedTo: creditedTo(now, attempt),
      };
    if (Date.now() >= deadline) return { status: 'PROCESSING', link: now, transactionId: null, creditedTo: null };
    await new Promise((resolve) => setTimeout(resolve, CHARGE_POLL_MS));
  }
}

const STATUS_OF_ATTEMPT = {
  open: 'PROCESSING',
  pending: 'PROCESSING',
  succeeded: 'ACCEPTED',
  declined: 'DECLINED',
  lapsed: 'DECLINED',
} as const satisfies Record<Attempt['status'], PaymentStatus>;

/** Money of a payment that the link did not take is on the buyer's balance, or is returned to its source. */
function creditedTo({ state }: LinkRecord, attempt: Attempt): CreditedTo | null {
  if (attempt.status !== 'succeeded') return null;
  if (state.transactionId === depositOf(attempt.attemptId)) return 'ESCROW';
  if (attempt.refund === 'due') return 'SOURCE_PENDING';
  return attempt.refund === 'done' ? 'SOURCE' : 'BALANCE';
}

function transactionOf({ status, attemptId }: Attempt): TransactionId | null {
  return status === 'succeeded' ? depositOf(attemptId) : null;
}

function isUnsettled(link: LinkRecord, attemptId: AttemptId): boolean {
  return unsettled(link.state).some((attempt) => attempt.attemptId === attemptId);
}

function accepted(link: LinkRecord): Payment {
  return { status: 'ACCEPTED', link, transactionId: link.state.transactionId, creditedTo: 'ESCROW' };
}
