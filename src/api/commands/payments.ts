import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../db/core/orm.ts';
import { PaymentAttemptRow } from '../../db/entities/payment-link.ts';
import {
  countUnapprovedPrompts,
  findAttemptByCheckout,
  isAskable,
  noteReturn,
} from '../../db/payments/payment-attempts.ts';
import { assertPayable } from '../../db/payments/payment-link-store.ts';
import { findLink, type LinkRecord } from '../../db/payments/payment-links.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import { commandThatMade, idMadeBy, type TransactionId } from '../../domain/ids.ts';
import { depositOf } from '../../domain/payment-link/decide.ts';
import { type Attempt, type AttemptId, unsettled } from '../../domain/payment-link/link.ts';
import { merchantReferenceOf } from '../../domain/payment-link/reference.ts';
import { CHECKOUT_LIFETIME_MINUTES } from '../../providers/gateway/port.ts';
import { ProviderError } from '../../providers/outcome.ts';
import type { LinkCode } from '../auth/one-time-passwords.ts';
import type { ApiDependencies } from '../context.ts';
import { WAIT_LIMITS } from '../limits.ts';
import { newCommandId } from './idempotency.ts';
import { headingOf, requireLink, requirePayable } from './link-commands.ts';

/** What a buyer can do with a link, for the JSON operations and for the hosted page. */

type Dependencies = Pick<ApiDependencies, 'orm' | 'commands' | 'providers' | 'oneTimePasswords' | 'log'>;

export type PaymentStatus = 'ACCEPTED' | 'PROCESSING' | 'DECLINED';
export type Payment = {
  readonly status: PaymentStatus;
  readonly link: LinkRecord;
  readonly transactionId: TransactionId | null;
  /** Who holds the money that was paid. Null if nothing was paid. */
  readonly creditedTo: CreditedTo | null;
};

export const CREDITED_TO = ['ESCROW', 'BALANCE', 'SOURCE_PENDING', 'SOURCE'] as const;
export type CreditedTo = (typeof CREDITED_TO)[number];

const CHARGE_POLL_MS = 300;
/** Prompts to one phone within an hour, over all links and companies. */
export const MAX_UNAPPROVED_PROMPTS = 3;
/** A form with less time left than this is not opened. */
const CHECKOUT_MARGIN_MS = 2 * 60_000;

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
  const deadline = Date.now() + WAIT_LIMITS.chargeMs;
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
  phone: string,
  proof: { readonly messagingNumber: string | undefined; readonly otp: string | undefined },
): Promise<AttemptId> {
  const { orm, commands } = dependencies;
  requirePayable(link);
  requireUnpaid(link);
  await inTenant(orm, link.companyId, (em) => assertPayable(em, link.id));
  if (proof.otp !== undefined)
    await dependencies.oneTimePasswords.consume(codeOf(link, proof.messagingNumber ?? phone, proof.otp), null);
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

export type OpenCheckout = { readonly checkoutId: string; readonly scriptUrl: string; readonly integrity: string };

/** The link's open checkout at the gateway, or a new one. Throws `provider_unavailable`. */
export async function openCheckout(dependencies: Dependencies, hash: string): Promise<OpenCheckout> {
  const { orm, providers } = dependencies;
  const link = await requireLink(dependencies, hash);
  requirePayable(link);
  requireUnpaid(link);
  await inTenant(orm, link.companyId, (em) => assertPayable(em, link.id));
  const open = await findOpenCheckout(dependencies, link);
  if (open !== null) return open;
  const attemptId = idMadeBy('attempt', newCommandId());
  const provider = providers.gateways.chosen;
  const checkout = await providers.gateways
    .named(provider)
    .createCheckout({
      merchantReference: merchantReferenceOf(attemptId),
      amountCents: link.amountCents,
      currency: link.currency,
    })
    .catch((error: unknown) => {
      throw error instanceof ProviderError ? unavailable(error) : error;
    });
  const { checkoutId, scriptUrl, integrity } = checkout;
  const chosen = await inTenant(orm, link.companyId, async (em) => {
    // Requests of the same moment agree on one form. The others' checkouts stay at the gateway, and nobody is shown them.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`open-checkout/${link.id}`]);
    const other = await findUnsettledForm(em, link);
    if (other !== null) return other;
    await em.insert(PaymentAttemptRow, {
      id: attemptId,
      companyId: link.companyId,
      linkId: link.id,
      kind: 'card',
      provider,
      checkoutId,
      scriptUrl,
      integrity,
      createdAt: new Date(),
    });
    return { attemptId, checkoutId, scriptUrl, integrity };
  });
  await recordForm(dependencies, link, chosen.attemptId);
  return { checkoutId: chosen.checkoutId, scriptUrl: chosen.scriptUrl, integrity: chosen.integrity };
}

/** Has the link record the form. The form is forgotten where the link refuses it, so that a later request opens another. */
async function recordForm({ orm, commands }: Dependencies, link: LinkRecord, attemptId: AttemptId): Promise<void> {
  try {
    await commands.link(headingOf(link), 'open-checkout', { commandId: commandThatMade(attemptId) });
  } catch (error) {
    if (isRefused(error))
      await inTenant(orm, link.companyId, (em) => em.nativeDelete(PaymentAttemptRow, { id: attemptId }));
    throw error;
  }
}

/** The form that is open for the link, whether or not the link has recorded it yet. */
async function findUnsettledForm(
  em: EntityManager,
  link: LinkRecord,
): Promise<(OpenCheckout & { readonly attemptId: AttemptId }) | null> {
  const open = unsettled(link.state);
  const settledIds = link.state.attempts.filter((one) => !open.includes(one)).map((one) => one.attemptId);
  const row = await em.findOne(
    PaymentAttemptRow,
    { linkId: link.id, kind: 'card', createdAt: { $gt: oldestOpen() }, id: { $nin: settledIds } },
    { orderBy: { createdAt: 'asc' } },
  );
  if (row?.checkoutId == null || row.scriptUrl == null || row.integrity == null) return null;
  return { attemptId: row.id, checkoutId: row.checkoutId, scriptUrl: row.scriptUrl, integrity: row.integrity };
}

/** A form that was opened before may lapse while the buyer fills it in. */
function oldestOpen(): Date {
  return new Date(Date.now() - CHECKOUT_LIFETIME_MINUTES * 60_000 + CHECKOUT_MARGIN_MS);
}

/**
 * Requests a status check of a checkout at the gateway, unless it is paid or was checked too often. A declined checkout is
 * checked again: the buyer may return to the form and pay after all. Throws `not_found` for an unknown checkout.
 */
export async function verifyCheckout(dependencies: Dependencies, checkoutId: string): Promise<Payment> {
  const { orm, commands } = dependencies;
  const attempt = await findAttemptByCheckout(orm.em.fork(), checkoutId);
  const link =
    attempt && (await inTenant(orm, attempt.companyId, (em) => findLink(em, attempt.companyId, attempt.linkId)));
  if (!attempt || !link) throw new Refusal('not_found', 'checkout not found');
  const isPaid = link.state.attempts.some(
    ({ attemptId, status }) => attemptId === attempt.id && status === 'succeeded',
  );
  if (!isPaid) {
    if (await inTenant(orm, attempt.companyId, (em) => isAskable(em, attempt.id)))
      await commands
        .link(headingOf(link), 'check-attempt', { commandId: newCommandId(), attemptId: attempt.id })
        .catch(unlessNothingIsNew);
    // The limit is used up: the run asks as soon as the limit allows.
    else if (await inTenant(orm, attempt.companyId, (em) => noteReturn(em, attempt.id)))
      await commands.checkAttemptSoon(headingOf(link), attempt.id);
  }
  return outcomeOf(dependencies, link, attempt.id, 0);
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
  return { linkId: link.id, mobileNumber, code };
}

/** The link's open form at the gateway with time left; null if there is none. */
export async function findOpenCheckout({ orm }: Dependencies, link: LinkRecord): Promise<OpenCheckout | null> {
  const openIds = unsettled(link.state)
    .filter(({ kind, status }) => kind === 'card' && status === 'open')
    .map(({ attemptId }) => attemptId);
  const row = await inTenant(orm, link.companyId, (em) =>
    em.findOne(
      PaymentAttemptRow,
      { id: { $in: openIds }, createdAt: { $gt: oldestOpen() } },
      { orderBy: { createdAt: 'desc' } },
    ),
  );
  if (row?.checkoutId == null || row.scriptUrl == null || row.integrity == null) return null;
  return { checkoutId: row.checkoutId, scriptUrl: row.scriptUrl, integrity: row.integrity };
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

/** The provider repeats a known state, or another check came first. */
function unlessNothingIsNew(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'wrong_state')) throw error;
}

function unavailable(cause: ProviderError): Refusal {
  const refusal = new Refusal('provider_unavailable', 'the card gateway cannot be reached');
  refusal.cause = cause;
  return refusal;
}
