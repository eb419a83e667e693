import type { EntityManager } from '@mikro-orm/postgresql';
import { inTenant } from '../../db/core/orm.ts';
import { PaymentAttemptRow } from '../../db/entities/payment-link.ts';
import {
  type AttemptOwner,
  countUnapprovedPrompts,
  findAttemptByCheckout,
  isAskable,
  type Notified,
  noteNotification,
  noteReturn,
} from '../../db/payments/payment-attempts.ts';
import { assertEscrowTakesMoney } from '../../db/payments/payment-link-store.ts';
import { findLink, type LinkRecord } from '../../db/payments/payment-links.ts';
import { type Refused, refusalFrom } from '../../domain/entity.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import { commandThatMade, idMadeBy, type TransactionId } from '../../domain/ids.ts';
import { depositOf, refuseMoreAttempts, refuseSecondPayment } from '../../domain/payment-link/decide.ts';
import { type Attempt, type AttemptId, merchantReferenceOf, unsettled } from '../../domain/payment-link/link.ts';
import { dialled } from '../../domain/phone.ts';
import { CHECKOUT_LIFETIME_MINUTES, type Checkout } from '../../providers/gateway/port.ts';
import type { Providers } from '../../providers/index.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { LinkCode } from '../auth/one-time-passwords.ts';
import type { ApiDependencies } from '../context.ts';
import { InvalidRequest } from '../problem.ts';
import { newCommandId } from './idempotency.ts';
import { headingOf, requireLink, requirePayable } from './links.ts';

/**
 * What a buyer can do with a link, for the JSON operations and for the hosted page. The buyer's return from a card form, the gateway's
 * notification and the poll of the link's run each lead to the command `check-attempt`. The run asks the gateway (`askProvider`) and
 * settles the attempt with the answer: no report is believed.
 */

type Dependencies = Pick<ApiDependencies, 'orm' | 'commands' | 'providers' | 'oneTimePasswords' | 'log' | 'chargeMs'>;

type Gateways = Providers['gateways'];

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
/** A card form with less time left than this is not opened. */
const FORM_MARGIN_MS = 2 * 60_000;
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
    if (isRefused(error)) await dependencies.oneTimePasswords.giveBack(code, commandId);
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

/**
 * Sends a prompt to the phone and does not wait for the answer. Throws `too_many_requests` after too many prompts, before the code is used
 * up.
 */
export async function startCharge(
  dependencies: Dependencies,
  link: LinkRecord,
  typedPhone: string,
  proof: { readonly messagingNumber: string | undefined; readonly otp: string | undefined },
): Promise<AttemptId> {
  const { orm, commands } = dependencies;
  const { companyId, id: linkId } = link;
  const phone = dialled(typedPhone); // prompts are counted for the phone, however its number is written
  requirePayable(link);
  throwIfRefused(refuseMoreAttempts(link.state));
  await inTenant(orm, companyId, (em) => assertEscrowTakesMoney(em, companyId, linkId));
  const commandId = newCommandId();
  const attemptId = idMadeBy('attempt', commandId);
  await inTenant(orm, companyId, async (em) => {
    if ((await countUnapprovedPrompts(em, phone)) >= MAX_UNAPPROVED_PROMPTS)
      throw new Refusal('too_many_requests', 'three requests to this phone were not approved within an hour');
    await em.insert(PaymentAttemptRow, {
      ...{ id: attemptId, companyId, linkId, kind: 'mobile_money', phone, createdAt: new Date() },
      provider: dependencies.providers.operators.chosen,
    });
  });
  try {
    if (proof.otp !== undefined)
      await dependencies.oneTimePasswords.consume(codeOf(link, proof.messagingNumber ?? typedPhone, proof.otp), null);
    await commands.link(headingOf(link), 'start-charge', { commandId });
  } catch (error) {
    // A prompt that is not sent does not count.
    if (isRefused(error))
      await inTenant(orm, companyId, (em) => em.nativeDelete(PaymentAttemptRow, { companyId, id: attemptId }));
    throw error;
  }
  return attemptId;
}

/** The link's open card form with time left; null if there is none. */
export async function findOpenCheckout({ orm, providers }: Dependencies, link: LinkRecord): Promise<Checkout | null> {
  const openIds = unsettled(link.state)
    .filter(({ kind, status }) => kind === 'card' && status === 'open')
    .map(({ attemptId }) => attemptId);
  const row = await inTenant(orm, link.companyId, (em) =>
    em.findOne(
      PaymentAttemptRow,
      { companyId: link.companyId, id: { $in: openIds }, createdAt: { $gt: oldestOpen() } },
      { orderBy: { createdAt: 'desc' } },
    ),
  );
  return formOf(providers.gateways, row);
}

/** The link's open form at the gateway, or a new one. Throws `provider_unavailable`. */
export async function openCheckout(dependencies: Dependencies, hash: string): Promise<Checkout> {
  const { orm, commands } = dependencies;
  const { gateways } = dependencies.providers;
  const link = await requireLink(dependencies, hash);
  requirePayable(link);
  throwIfRefused(refuseSecondPayment(link.state));
  const { companyId, id: linkId, amountCents, currency } = link;
  await inTenant(orm, companyId, (em) => assertEscrowTakesMoney(em, companyId, linkId));
  const open = await findOpenCheckout(dependencies, link);
  if (open !== null) return open;
  throwIfRefused(refuseMoreAttempts(link.state));
  const id = idMadeBy('attempt', newCommandId());
  const provider = gateways.chosen;
  const { checkoutId, scriptUrl, integrity } = await gateways
    .named(provider)
    .createCheckout({ merchantReference: merchantReferenceOf(id), amountCents, currency })
    .catch((error: unknown) => {
      throw error instanceof ProviderError ? unavailable(error) : error;
    });
  const { attemptId, form } = await inTenant(orm, companyId, async (em) => {
    // Requests of the same moment agree on one form. The others' checkouts stay at the gateway, and nobody is shown them.
    await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`open-checkout/${linkId}`]);
    const other = await findUnsettledForm(em, gateways, link);
    if (other !== null) return other;
    const made = { id, companyId, linkId, kind: 'card', provider, createdAt: new Date() } as const;
    await em.insert(PaymentAttemptRow, { ...made, checkoutId, scriptUrl, integrity });
    return { attemptId: id, form: { checkoutId, scriptUrl, integrity } };
  });
  try {
    await commands.link(headingOf(link), 'open-checkout', { commandId: commandThatMade(attemptId) });
  } catch (error) {
    // A form that the link refuses is forgotten, so that a later request opens another.
    if (isRefused(error))
      await inTenant(orm, companyId, (em) => em.nativeDelete(PaymentAttemptRow, { companyId, id: attemptId }));
    throw error;
  }
  return form;
}

/**
 * The result of a checkout after the buyer's return with this path. The link's run asks the gateway, unless the form is paid or was
 * checked too often. A declined form is checked again: the buyer may return to it and pay after all. Throws `not_found` for an unknown
 * checkout, and InvalidRequest for the path of none.
 */
export async function verifyCheckout(dependencies: Dependencies, resourcePath: string): Promise<Payment> {
  const { orm, commands, providers } = dependencies;
  const checkoutId = providers.gateways.firstAnswer((gateway) => gateway.checkoutIdOf(resourcePath));
  if (checkoutId === undefined)
    throw new InvalidRequest('validation_failed', [{ path: 'resourcePath', message: 'is not the path of a checkout' }]);
  const attempt = await findAttemptByCheckout(orm.em.fork(), checkoutId);
  const link = attempt && (await linkOf(orm, attempt));
  if (!attempt || !link) throw new Refusal('not_found', 'checkout not found');
  const { id: attemptId, companyId } = attempt;
  if (attemptIn(link, attemptId)?.status !== 'succeeded') {
    if (await inTenant(orm, companyId, (em) => isAskable(em, attempt)))
      await commands
        .link(headingOf(link), 'check-attempt', { commandId: newCommandId(), attemptId })
        .catch(unlessNothingIsNew);
    // The limit is used up: the run asks as soon as the limit allows.
    else if (await inTenant(orm, companyId, (em) => noteReturn(em, attempt)))
      await commands.signalLink(headingOf(link), 'check-attempt', { commandId: newCommandId(), attemptId });
  }
  return outcomeOf(dependencies, link, attemptId, 0);
}

/**
 * Has the link's run ask the gateway about a card payment of which the gateway notified. The database ignores unknown payments;
 * many notifications of one payment cause one check.
 */
export async function checkNotified({ orm, commands }: Dependencies, notified: Notified): Promise<void> {
  const attempt = await noteNotification(orm.em.fork(), notified);
  const link = attempt && (await linkOf(orm, attempt));
  const known = link && attemptIn(link, attempt.id);
  if (!known) return;
  // A buyer whose card was declined may go back in the browser and pay with the same form after all.
  // A payment that succeeded changes only by a chargeback or a refund.
  const isKnownPending = 'report' in notified && notified.report === 'pending' && known.status === 'pending';
  const isWorthAsking = !isKnownPending && (known.status !== 'succeeded' || 'paymentId' in notified);
  if (isWorthAsking)
    await commands.signalLink(headingOf(link), 'check-attempt', { commandId: newCommandId(), attemptId: attempt.id });
}

/** Throws `wrong_state` or `link_expired` if there is nothing left to reject. */
export async function rejectPayment(dependencies: Dependencies, hash: string): Promise<void> {
  const link = await requireLink(dependencies, hash);
  requirePayable(link);
  await dependencies.commands.link(headingOf(link), 'reject', { commandId: newCommandId() });
}

function linkOf(orm: Dependencies['orm'], { companyId, linkId }: AttemptOwner): Promise<LinkRecord | null> {
  return inTenant(orm, companyId, (em) => findLink(em, companyId, linkId));
}

/** The form that is open for the link, whether or not the link has recorded it yet. */
async function findUnsettledForm(
  em: EntityManager,
  gateways: Gateways,
  link: LinkRecord,
): Promise<{ readonly attemptId: AttemptId; readonly form: Checkout } | null> {
  const open = unsettled(link.state);
  const settledIds = link.state.attempts.filter((one) => !open.includes(one)).map((one) => one.attemptId);
  const row = await em.findOne(
    PaymentAttemptRow,
    {
      companyId: link.companyId,
      linkId: link.id,
      kind: 'card',
      createdAt: { $gt: oldestOpen() },
      id: { $nin: settledIds },
    },
    { orderBy: { createdAt: 'asc' } },
  );
  const form = formOf(gateways, row);
  return row === null || form === null ? null : { attemptId: row.id, form };
}

/** `script_url` is for releases before 1.0.0: no audit compares it. */
function formOf(gateways: Gateways, row: PaymentAttemptRow | null): Checkout | null {
  if (row?.checkoutId == null || row.integrity == null) return null;
  const { provider, checkoutId, integrity } = row;
  const scriptUrl = gateways.named(provider).scriptUrlOf(checkoutId);
  return scriptUrl === undefined ? null : { checkoutId, scriptUrl, integrity };
}

/** A form that was opened before may lapse while the buyer fills it in. */
function oldestOpen(): Date {
  return new Date(Date.now() - CHECKOUT_LIFETIME_MINUTES * 60_000 + FORM_MARGIN_MS);
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

function throwIfRefused(refused: Refused | null): void {
  if (refused !== null) throw refusalFrom(refused);
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
    const attempt = attemptIn(now, attemptId);
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

function attemptIn({ state }: LinkRecord, attemptId: AttemptId): Attempt | undefined {
  return state.attempts.find((one) => one.attemptId === attemptId);
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
