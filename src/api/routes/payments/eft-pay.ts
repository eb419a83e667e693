import { createRoute, z } from '@hono/zod-openapi';
import { publicIdOrNull } from '../../../domain/ids.ts';
import { cardAttempts, openCheckout, verifyCheckout } from '../../commands/payments.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { MAX_PARSED_CALLBACK_BYTES } from '../../limits.ts';
import { CALLBACK, json, ok, PUBLIC, refusals } from '../../openapi/operation.ts';
import { InvalidRequest } from '../../problem.ts';
import { readCallback } from '../../server/callbacks.ts';
import { outcomeView, paymentOutcome, paymentSlug } from './checkout.ts';

/** Paying by card or EFT in the gateway's widget. */

const tags = ['Checkout'];

const Opened = z
  .object({ checkoutId: z.string(), scriptUrl: z.string(), integrity: z.string() })
  .openapi('CheckoutOpened');
const Verified = z
  .object({
    status: z.enum(['ACCEPTED', 'PROCESSING', 'DECLINED']),
    transactionId: z.string().nullable(),
    ...paymentOutcome,
  })
  .openapi('CheckoutVerified');

const initiate = createRoute({
  method: 'post',
  path: '/v1/payments/eft-pay/initiate',
  tags,
  summary: 'Open a checkout at the card gateway, or get the one that is open',
  ...PUBLIC,
  request: json(z.object({ paymentSlug: paymentSlug() }).openapi('InitiateCheckout')),
  responses: {
    ...ok(Opened),
    ...refusals(
      'not_found',
      'wrong_state',
      'link_expired',
      'user_blacklisted',
      'account_frozen',
      'provider_unavailable',
    ),
  },
});
const verify = createRoute({
  method: 'post',
  path: '/v1/payments/eft-pay/verify',
  tags,
  summary: 'The result of a checkout, by the resource path that the widget returned',
  ...PUBLIC,
  request: json(z.object({ resourcePath: z.string().min(1).max(255) }).openapi('VerifyCheckout')),
  responses: { ...ok(Verified), ...refusals('not_found') },
});
const webhook = createRoute({
  method: 'post',
  path: '/v1/payments/eft-pay/webhook',
  tags,
  summary: 'A notification of the gateway. The service checks it with the gateway and always answers 200',
  ...CALLBACK,
  responses: ok(z.object({ status: z.literal('OK') })),
});

export function registerEftPay(app: Api, dependencies: ApiDependencies): void {
  const { providers } = dependencies;
  const cards = cardAttempts(dependencies);

  app.openapi(initiate, async (c) => c.json(await openCheckout(dependencies, c.req.valid('json').paymentSlug), 200));

  app.openapi(verify, async (c) => {
    const { resourcePath } = c.req.valid('json');
    const checkoutId = providers.gateways.firstAnswer((gateway) => gateway.checkoutIdOf(resourcePath));
    if (checkoutId === undefined)
      throw new InvalidRequest('validation_failed', [
        { path: 'resourcePath', message: 'is not the path of a checkout' },
      ]);
    const payment = await verifyCheckout(dependencies, checkoutId);
    const transactionId = publicIdOrNull('transaction', payment.transactionId);
    return c.json({ status: payment.status, transactionId, ...outcomeView(payment) }, 200);
  });

  app.openapi(webhook, async (c) => {
    try {
      const body = new TextDecoder().decode(await readCallback(c, MAX_PARSED_CALLBACK_BYTES)); // too large: handled as if it were empty
      const notification = { headers: c.req.raw.headers, body };
      const report = providers.gateways.firstAnswer((gateway) => gateway.checkoutReportOf(notification));
      const paymentId = providers.gateways.firstAnswer((gateway) => gateway.changedPaymentOf(notification));
      if (report !== undefined) await cards.notified(report);
      if (paymentId !== undefined) await cards.notified({ paymentId });
    } catch (error) {
      // The gateway retries for a month; a later status check finds what this one would have found.
      c.var.log.warn({ err: error }, 'a gateway notification could not be processed');
    }
    return c.json({ status: 'OK' as const }, 200);
  });
}
