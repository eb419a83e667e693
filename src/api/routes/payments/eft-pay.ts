import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../../db/core/orm.ts';
import { type Notified, noteNotification } from '../../../db/payments/payment-attempts.ts';
import { findLink } from '../../../db/payments/payment-links.ts';
import { publicIdOrNull } from '../../../domain/ids.ts';
import { headingOf } from '../../commands/link-commands.ts';
import { openCheckout, verifyCheckout } from '../../commands/payments.ts';
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
  const { orm, commands, providers } = dependencies;

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
      if (report !== undefined) await checkSoon(report);
      if (paymentId !== undefined) await checkSoon({ paymentId });
    } catch (error) {
      // The gateway retries for a month; a later status check finds what this one would have found.
      c.var.log.warn({ err: error }, 'a gateway notification could not be processed');
    }
    return c.json({ status: 'OK' as const }, 200);
  });

  /** Wakes the link's workflow. The database ignores unknown payments; many notifications of one payment cause one check. */
  async function checkSoon(notified: Notified): Promise<void> {
    const attempt = await noteNotification(orm.em.fork(), notified);
    if (attempt === null) return;
    const link = await inTenant(orm, attempt.companyId, (tenant) =>
      findLink(tenant, attempt.companyId, attempt.linkId),
    );
    const known = link?.state.attempts.find(({ attemptId }) => attemptId === attempt.id);
    // A buyer whose card was declined may go back in the browser and pay with the same form after all.
    // A payment that succeeded changes only by a chargeback or a refund.
    const isKnownPending = 'report' in notified && notified.report === 'pending' && known?.status === 'pending';
    const isWorthAsking =
      known !== undefined && !isKnownPending && (known.status !== 'succeeded' || 'paymentId' in notified);
    if (link !== null && isWorthAsking) await commands.checkAttemptSoon(headingOf(link), attempt.id);
  }
}
