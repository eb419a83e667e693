import { z } from '@hono/zod-openapi';
import { publicIdOrNull } from '../../../domain/ids.ts';
import { readCallback } from '../../bodies/body-limits.ts';
import { checkNotified, openCheckout, verifyCheckout } from '../../commands/payments.ts';
import type { ApiDependencies } from '../../context.ts';
import { MAX_PARSED_CALLBACK_BYTES } from '../../limits.ts';
import { type Operations, ok } from '../../operation.ts';
import { secret } from '../../schemas/common.ts';
import { outcomeView, paymentOutcome, paymentSlug } from './checkout.ts';

/** Paying by card or EFT in the gateway's widget. */

const tag = 'Checkout';

const Opened = z
  .object({
    checkoutId: z.string().describe("The gateway's id of the checkout."),
    scriptUrl: z.string().describe('The script of the card form.'),
    integrity: z.string().describe('The hash of the script, for its `integrity`.'),
  })
  .openapi('CheckoutOpened');
const Verified = z
  .object({
    status: z.enum(['ACCEPTED', 'PROCESSING', 'DECLINED']).describe('DECLINED: the link is open for another try.'),
    transactionId: z.string().nullable().describe('The transaction.'),
    ...paymentOutcome,
  })
  .openapi('CheckoutVerified');

export function registerCardPayments(operation: Operations, dependencies: ApiDependencies): void {
  const { providers } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/payments/eft-pay/initiate',
      tag,
      summary: 'Open a checkout at the card gateway, or get the one that is open',
      description: 'The checkout page loads `scriptUrl` with its `integrity` to show the card form.',
      access: 'public',
      body: z.object({ paymentSlug: paymentSlug() }).openapi('InitiateCheckout'),
      success: ok(Opened),
      refusals: [
        'not_found',
        'wrong_state',
        'link_expired',
        'user_blacklisted',
        'account_frozen',
        'provider_unavailable',
      ],
    },
    ({ body }) => openCheckout(dependencies, body.paymentSlug),
  );

  operation(
    {
      method: 'post',
      path: '/v1/payments/eft-pay/verify',
      tag,
      summary: 'The result of a checkout, by the resource path that the widget returned',
      description:
        'The gateway is asked; what the browser says is not believed. DECLINED leaves the link open for another try.',
      access: 'public',
      body: z
        .object({
          resourcePath: secret().describe('The path that the card form returned, unchanged.'),
        })
        .openapi('VerifyCheckout'),
      success: ok(Verified),
      refusals: ['not_found'],
    },
    async ({ body: { resourcePath } }) => {
      const payment = await verifyCheckout(dependencies, resourcePath);
      const transactionId = publicIdOrNull('transaction', payment.transactionId);
      return { status: payment.status, transactionId, ...outcomeView(payment) };
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/payments/eft-pay/webhook',
      tag,
      summary: 'A notification of the gateway. The service checks it with the gateway and always answers 200',
      description: 'Never believed by itself: an unknown id does nothing.',
      access: 'callback',
      success: ok(z.object({ status: z.literal('OK').describe('Its state.') })),
    },
    async ({ c }) => {
      try {
        const body = new TextDecoder().decode(await readCallback(c, MAX_PARSED_CALLBACK_BYTES)); // too large: handled as if it were empty
        const notification = { headers: c.req.raw.headers, body };
        const report = providers.gateways.firstAnswer((gateway) => gateway.checkoutReportOf(notification));
        const paymentId = providers.gateways.firstAnswer((gateway) => gateway.changedPaymentOf(notification));
        if (report !== undefined) await checkNotified(dependencies, report);
        if (paymentId !== undefined) await checkNotified(dependencies, { paymentId });
      } catch (error) {
        // The gateway retries for a month; a later status check finds what this one would have found.
        c.var.log.warn({ err: error }, 'a gateway notification could not be processed');
      }
      return { status: 'OK' as const };
    },
  );
}
