import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { z } from '@hono/zod-openapi';
import { findPlatformCompany } from '../../../db/identity/platform-company.ts';
import { addRegistration, createRegisteredUser } from '../../../db/identity/registrations.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type CompanyId, publicId, publicIdOrNull } from '../../../domain/ids.ts';
import { LINK_STATUSES, shownStatus } from '../../../domain/payment-link/link.ts';
import { OTP_LIFETIME_SECONDS } from '../../auth/one-time-passwords.ts';
import { phoneOf } from '../../bodies/phones.ts';
import { requireAlive, requireLink } from '../../commands/links.ts';
import { CREDITED_TO, type Payment, payByMobileMoney, payFromBalance, rejectPayment } from '../../commands/payments.ts';
import type { ApiDependencies } from '../../context.ts';
import { WAIT_LIMITS } from '../../limits.ts';
import { type Operations, ok } from '../../operation.ts';
import { text, textOrNull } from '../../schemas/common.ts';
import { typedPhone } from '../../schemas/identity.ts';

/** The buyer's side of a link, for checkout front ends. */

const tag = 'Checkout';
/** How long a registration takes, whether or not the number is known: longer than the creation of a user. */
const REGISTRATION_MS = 200;
export const paymentSlug = () => text(64).openapi({ description: "The link's hash." });

const OtpRequest = z
  .object({
    messagingNumber: typedPhone(),
    paymentSlug: paymentSlug().nullish().openapi({
      description:
        "The link that the code pays. Without it, one of the number's three newest PENDING links, which the message names: the first that is paid with the right code. Better send it: requests without it are limited together with those of everybody else who knows the number.",
    }),
  })
  .openapi('OtpRequest');
const OtpSent = z
  .object({
    sent: z.boolean().describe('Always true, whether or not the number is known.'),
    expiresIn: z.int().describe('For how many seconds the code works.'),
  })
  .openapi('OtpSent');

const CheckoutUser = z
  .object({
    mobileNumber: typedPhone(),
    idNumber: text(64).describe('The national id number.'),
    firstName: text().nullish().describe('The first name.'),
    lastName: text().nullish().describe('The last name.'),
    paymentSlug: paymentSlug().nullish(),
  })
  .openapi('CheckoutUser');
const Registered = z
  .object({ userId: z.string().describe('The user.'), status: z.literal('REGISTERED').describe('Its state.') })
  .openapi('CheckoutUserRegistered');

const AcceptRequest = z
  .object({
    paymentSlug: paymentSlug(),
    phoneNumber: typedPhone().nullish().openapi(textOrNull),
    messagingNumber: typedPhone().nullish().openapi(textOrNull),
    otp: text(12).nullish().describe('The one-time password of the message. Needed to pay from the balance.'),
  })
  .openapi('AcceptPayment');
export const paymentOutcome = {
  linkStatus: z.enum(LINK_STATUSES).openapi({ description: 'The current status of the link.' }),
  creditedTo: z.enum(CREDITED_TO).nullable().openapi({
    description:
      'Who has the money: the escrow, or the balance of the buyer where the link could not take it, or where it came from after the escrow was cancelled.',
  }),
};

const Accepted = z
  .object({
    status: z.enum(['ACCEPTED', 'PROCESSING', 'DECLINED']).describe('DECLINED: the link is open for another try.'),
    escrowId: z.string().describe('The escrow.'),
    transactionId: z.string().nullable().describe('The transaction.'),
    ...paymentOutcome,
  })
  .openapi('PaymentAccepted');

export function registerCheckout(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, cipher, log, oneTimePasswords } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/payments/request-checkout-otp',
      tag,
      summary:
        'Send a one-time password for a payment link to its buyer; the answer does not tell whether the number is known',
      description:
        'With `paymentSlug` the code pays that link. Without it, one of the open links that the message names.',
      access: 'public',
      body: OtpRequest,
      success: ok(OtpSent),
      refusals: ['not_found', 'wrong_state', 'link_expired', 'too_many_requests'],
    },
    async ({ body: { messagingNumber, paymentSlug: hash }, c }) => {
      const link = hash == null ? null : await requireLink(dependencies, hash);
      const mobileNumber = await phoneOf(dependencies, link?.companyId ?? null, 'messagingNumber', messagingNumber);
      if (link !== null) requireAlive(link);
      await oneTimePasswords.request({ mobileNumber, link, clientAddress: c.var.clientAddress });
      return { sent: true, expiresIn: OTP_LIFETIME_SECONDS };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/payments/register-checkout-user',
      tag,
      summary: 'Register a buyer; a known number gets the same answer, and nothing changes',
      description: 'For a buyer whom no merchant has registered.',
      access: 'public',
      body: CheckoutUser,
      success: ok(Registered),
      refusals: ['not_found', 'wrong_state', 'link_expired'],
    },
    async ({ body }) => {
      const { paymentSlug: hash, mobileNumber: typed, idNumber, firstName, lastName } = body;
      const link = hash == null ? null : await requireLink(dependencies, hash);
      const mobileNumber = await phoneOf(dependencies, link?.companyId ?? null, 'mobileNumber', typed);
      if (link !== null) requireAlive(link);
      const answerAt = setTimeoutPromise(REGISTRATION_MS);
      const person = { mobileNumber, idNumber, firstName: firstName ?? null, lastName: lastName ?? null };
      const userId = await addRegistration(orm.em.fork(), cipher, link?.companyId ?? null, person);
      // Not awaited, because it takes longer for an unknown number. The response waits equally long in both cases.
      const entry =
        link === null
          ? { companyId: await platformCompany(), by: null }
          : { companyId: link.companyId, by: 'visitors' as const };
      createRegisteredUser(orm, cipher, entry, userId).catch((error: unknown) =>
        log.error({ err: error }, 'a registered user could not be created; the first use of the id retries'),
      );
      await answerAt;
      return { userId: publicId('user', userId), status: 'REGISTERED' as const };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/payments/accept-payment',
      tag,
      summary: 'Pay from balance with a one-time password, or by mobile money',
      description:
        'With `otp` and `messagingNumber` the buyer pays from the balance. With `phoneNumber` the buyer gets a prompt on that phone, and ' +
        `the answer comes within ${Math.ceil(WAIT_LIMITS.chargeMs / 1_000)} s. In the sandbox, prompts to +263770000001 are declined, prompts to +263770000002 get no answer ` +
        '(PROCESSING, and declined after ten minutes of the test clock), and prompts to all other numbers are approved.',
      access: 'public',
      body: AcceptRequest,
      success: ok(Accepted),
      refusals: [
        'otp_required',
        'otp_invalid',
        'otp_expired',
        'otp_locked',
        'not_found',
        'wrong_state',
        'link_expired',
        'insufficient_funds',
        'account_frozen',
        'user_blacklisted',
      ],
    },
    async ({ body: { paymentSlug: hash, otp, ...typed } }) => {
      const { companyId } = await requireLink(dependencies, hash);
      const read = async (field: keyof typeof typed) => {
        const number = typed[field];
        return number == null ? undefined : phoneOf(dependencies, companyId, field, number);
      };
      const phoneNumber = await read('phoneNumber');
      const proof = { messagingNumber: await read('messagingNumber'), otp: otp ?? undefined };
      const payment =
        phoneNumber === undefined
          ? await payFromBalance(dependencies, hash, proof)
          : await payByMobileMoney(dependencies, hash, phoneNumber, proof);
      return acceptedView(payment);
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/payments/reject-payment',
      tag,
      summary: 'Decline to pay: the escrow is cancelled',
      description: 'Nothing was taken from the buyer.',
      access: 'public',
      body: z.object({ paymentSlug: paymentSlug() }).openapi('RejectPayment'),
      success: ok(z.object({ status: z.literal('REJECTED').describe('Its state.') })),
      refusals: ['not_found', 'wrong_state', 'link_expired'],
    },
    async ({ body }) => {
      await rejectPayment(dependencies, body.paymentSlug);
      return { status: 'REJECTED' as const };
    },
  );

  /** The company of a person who registers without a link. */
  async function platformCompany(): Promise<CompanyId> {
    const id = await findPlatformCompany(orm.em.fork());
    if (id === null) throw new Refusal('dependency_unavailable', 'the platform is not set up');
    return id;
  }
}

function acceptedView({ status, link, transactionId, creditedTo }: Payment): z.infer<typeof Accepted> {
  return {
    status,
    escrowId: publicId('escrow', link.escrowId),
    transactionId: publicIdOrNull('transaction', transactionId),
    ...outcomeView({ link, creditedTo }),
  };
}

/** The state of the link, and who holds the money that was paid for it. */
export function outcomeView({ link, creditedTo }: Pick<Payment, 'link' | 'creditedTo'>) {
  return { linkStatus: shownStatus(link, link.companyNow), creditedTo };
}
