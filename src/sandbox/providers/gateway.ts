import { createCipheriv, randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { ISO_CURRENCIES } from '../../domain/money.ts';
import type { Callbacks } from './callbacks.ts';
import { bears, Recent, readJson } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';
import { integrityOf, widgetScript } from './widget.ts';

/** The card gateway: the subset of OPPWA's COPYandPAY that the service uses. */

type GatewayPartSettings = {
  readonly entityId: string;
  readonly accessToken: string;
  /** 64 hex digits. */
  readonly webhookKey: string;
};

const OUTCOMES = ['success', 'declined', 'pending'] as const;
type Outcome = (typeof OUTCOMES)[number];

/** Chargeback, reversed chargeback, refund, and reversal of the whole payment. */
const CHANGE_TYPES = ['CB', 'CR', 'RF', 'RV'] as const;
type LinkedTransaction = {
  readonly id: string;
  readonly paymentType: (typeof CHANGE_TYPES)[number];
  readonly amount: string;
  readonly timestamp: string;
};

type SandboxCheckout = {
  readonly id: string;
  readonly paymentId: string;
  amount: string;
  readonly currency: string;
  readonly merchantTransactionId: string;
  readonly openedAt: number;
  outcome: 'open' | Outcome;
  /** The transactions linked to the payment, oldest first. */
  readonly changes: LinkedTransaction[];
  /** The number of its status requests: real gateways allow two a minute. */
  statusCalls: number;
  /** The number of requests for a report on its payment. */
  reportCalls: number;
  isRefunded: boolean;
};

const LIFETIME_MS = 30 * 60_000;

const RESULTS = {
  created: { code: '000.200.100', description: 'successfully created checkout' },
  open: { code: '000.200.000', description: 'transaction pending' },
  success: { code: '000.100.110', description: "Request successfully processed in 'Merchant in Integrator Test Mode'" },
  declined: { code: '800.100.151', description: 'transaction declined (invalid card)' },
  pending: { code: '000.200.000', description: 'transaction pending' },
  refundedAlready: { code: '700.400.200', description: 'cannot refund (refund volume exceeded or tx reversed)' },
  chargeback: { code: '000.100.200', description: 'Reason not Specified' },
  nothingFound: { code: '700.400.580', description: 'cannot find transaction' },
  unauthenticated: { code: '800.900.300', description: 'invalid authentication information' },
  invalid: { code: '200.300.404', description: 'invalid or missing parameter' },
  gone: {
    code: '200.300.404',
    description: 'invalid or missing parameter - (opp) No payment session found for the requested id',
  },
} as const;

const NewCheckout = z.object({
  entityId: z.string(),
  amount: z.string().regex(/^(?!0+\.00$)\d{1,14}\.\d{2}$/),
  currency: z.enum(ISO_CURRENCIES),
  paymentType: z.literal('DB'),
  integrity: z.literal('true'),
  merchantTransactionId: z.string().regex(/^[A-Za-z0-9]{8,16}$/),
});
const money = () => z.string().regex(/^\d{1,14}\.\d{2}$/);
const Refund = z.object({ amount: z.string(), currency: z.enum(ISO_CURRENCIES), paymentType: z.literal('RF') });
/**
 * `amount`: what the gateway reports as paid, if it differs from what was asked. `isRefunded`: the merchant has already refunded it
 * in the gateway's console. `isSilent`: the gateway sends no notification.
 */
const Decision = z.object({
  outcome: z.enum(OUTCOMES),
  amount: money().optional(),
  isRefunded: z.boolean().optional(),
  isSilent: z.boolean().optional(),
});
/** `amount`: all of the payment by default. `isSilent` as above. */
const Change = z.object({
  paymentType: z.enum(CHANGE_TYPES),
  amount: money().optional(),
  isSilent: z.boolean().optional(),
});
const Return = z.object({ outcome: z.enum(OUTCOMES), shopperResultUrl: z.url({ protocol: /^https?$/ }) });

export function gatewayPart(settings: GatewayPartSettings, callbacks: Callbacks): SandboxPart {
  const checkouts = new Recent<SandboxCheckout>();
  const live = (id: string) => {
    const checkout = checkouts.get(id);
    const isForgotten = checkout?.outcome === 'open' && checkout.openedAt + LIFETIME_MS < Date.now();
    return isForgotten ? undefined : checkout;
  };
  const settle = (checkout: SandboxCheckout, outcome: Outcome, isSilent = false) => {
    checkout.outcome = outcome;
    if (!isSilent) callbacks.send(notification(paymentOf(checkout), settings.webhookKey));
  };
  const isOurs = (c: Context, entityId: unknown) => bears(c, settings.accessToken) && entityId === settings.entityId;

  return {
    provider: 'gateway',
    wire(app, door) {
      app.post('/v1/checkouts', door, async (c) => {
        const form = await c.req.parseBody();
        if (!isOurs(c, form.entityId)) return c.json({ result: RESULTS.unauthenticated, ...stamp('') }, 401);
        const parsed = NewCheckout.safeParse(form);
        if (!parsed.success) return c.json({ result: { ...RESULTS.invalid, ...parameterErrors(parsed.error) } }, 400);
        const { amount, currency, merchantTransactionId } = parsed.data;
        const checkout: SandboxCheckout = {
          id: `${randomHex()}.sandbox-tx01`,
          paymentId: randomHex().toLowerCase(),
          amount,
          currency,
          merchantTransactionId,
          openedAt: Date.now(),
          outcome: 'open',
          changes: [],
          statusCalls: 0,
          reportCalls: 0,
          isRefunded: false,
        };
        checkouts.keep(checkout.id, checkout);
        const integrity = integrityOf(scriptOf(checkout));
        return c.json({ result: RESULTS.created, ...stamp(checkout.id), id: checkout.id, integrity });
      });

      app.get('/v1/checkouts/:id/payment', door, (c) => {
        if (!isOurs(c, c.req.query('entityId'))) return c.json({ result: RESULTS.unauthenticated, ...stamp('') }, 401);
        const checkout = live(c.req.param('id'));
        if (checkout === undefined) return c.json({ result: RESULTS.gone, ...stamp('') }, 400);
        checkout.statusCalls += 1;
        // A form that was not submitted has no payment yet, so the response has only the result.
        if (checkout.outcome === 'open') return c.json({ result: RESULTS.open, ...stamp(checkout.id) });
        return c.json(paymentOf(checkout));
      });

      app.post('/v1/payments/:id', door, async (c) => {
        const form = await c.req.parseBody();
        if (!isOurs(c, form.entityId)) return c.json({ result: RESULTS.unauthenticated, ...stamp('') }, 401);
        const parsed = Refund.safeParse(form);
        const checkout = checkouts.values().find(({ paymentId }) => paymentId === c.req.param('id'));
        if (!parsed.success || checkout?.outcome !== 'success')
          return c.json({ result: RESULTS.invalid, ...stamp('') }, 400);
        const isAll = parsed.data.amount === checkout.amount && parsed.data.currency === checkout.currency;
        if (checkout.isRefunded || !isAll)
          return c.json({ result: RESULTS.refundedAlready, ...stamp(checkout.id) }, 400);
        checkout.isRefunded = true;
        const { id } = change(checkout, 'RF', checkout.amount);
        return c.json({
          id,
          paymentType: 'RF',
          result: RESULTS.success,
          ...stamp(checkout.id),
        });
      });

      // A report on a payment and everything linked to it.
      app.get('/v3/query/:id', door, (c) => {
        if (!isOurs(c, c.req.query('entityId'))) return c.json({ result: RESULTS.unauthenticated, ...stamp('') }, 401);
        const checkout = checkouts.values().find(({ paymentId }) => paymentId === c.req.param('id'));
        if (checkout?.outcome !== 'success') return c.json({ result: RESULTS.nothingFound, ...stamp('') }, 404);
        checkout.reportCalls += 1;
        const isWithLinked = c.req.query('includeLinkedTransactions') === 'true';
        const linked = isWithLinked ? checkout.changes.map((one) => changeOf(checkout, one)) : [];
        return c.json({ result: RESULTS.success, records: [paymentOf(checkout), ...linked], ...stamp(checkout.id) });
      });

      app.get('/v1/paymentWidgets.js', door, (c) => {
        const checkout = live(c.req.query('checkoutId') ?? '');
        // The page loads the script with crossorigin="anonymous"; without CORS headers its browser could not check the hash.
        c.header('Access-Control-Allow-Origin', '*');
        c.header('Content-Type', 'text/javascript; charset=utf-8');
        return checkout === undefined ? c.body('', 404) : c.body(scriptOf(checkout));
      });

      // The submission of the widget's form. It comes from the buyer's browser, so it carries no credentials of ours.
      app.post('/v1/checkouts/:id/payment', door, async (c) => {
        const checkout = live(c.req.param('id'));
        const parsed = Return.safeParse(await c.req.parseBody());
        if (checkout === undefined || !parsed.success) return c.text('Checkout not found.', 404);
        const { outcome, shopperResultUrl } = parsed.data;
        if (checkout.outcome === 'open' || checkout.outcome === 'declined') settle(checkout, outcome);
        const back = new URL(shopperResultUrl);
        back.searchParams.set('id', checkout.id);
        back.searchParams.set('resourcePath', `/v1/checkouts/${checkout.id}/payment`);
        return c.redirect(back.href, 303);
      });
    },

    control(app: Hono) {
      app.post('/checkouts/:id', async (c) => {
        const { outcome, amount, isRefunded = false, isSilent } = await readJson(c, Decision);
        const checkout = live(c.req.param('id'));
        if (checkout === undefined) return c.json({ error: 'checkout not found' }, 404);
        checkout.amount = amount ?? checkout.amount;
        checkout.isRefunded = isRefunded;
        settle(checkout, outcome, isSilent);
        return c.json({ id: checkout.id, outcome });
      });
      // What the payer's bank, or the merchant in the gateway's console, does to a payment that succeeded.
      app.post('/checkouts/:id/changes', async (c) => {
        const { paymentType, amount, isSilent = false } = await readJson(c, Change);
        const checkout = live(c.req.param('id'));
        if (checkout?.outcome !== 'success') return c.json({ error: 'payment not found' }, 404);
        const linked = change(checkout, paymentType, amount ?? checkout.amount);
        if (!isSilent) callbacks.send(notification(changeOf(checkout, linked), settings.webhookKey));
        return c.json({ id: linked.id, paymentId: checkout.paymentId });
      });
      app.get('/checkouts/:id', (c) => {
        const checkout = live(c.req.param('id'));
        return checkout === undefined ? c.json({ error: 'checkout not found' }, 404) : c.json(checkout);
      });
    },
  };
}

function scriptOf({ id, amount, currency }: SandboxCheckout): string {
  return widgetScript(id, `${amount} ${currency}`);
}

function change({ changes }: SandboxCheckout, paymentType: LinkedTransaction['paymentType'], amount: string) {
  const linked = { id: randomHex().toLowerCase(), paymentType, amount, timestamp: new Date().toISOString() };
  changes.push(linked);
  return linked;
}

/**
 * The description of a linked transaction in a report and in a notification. Its `ndc` is its own. A reversal is always of the whole
 * payment, and is described without an amount.
 */
function changeOf({ paymentId, currency }: SandboxCheckout, { id, paymentType, amount, timestamp }: LinkedTransaction) {
  const result = paymentType === 'CB' ? RESULTS.chargeback : RESULTS.success;
  const money = paymentType === 'RV' ? {} : { amount, currency };
  return { id, referencedId: paymentId, paymentType, ...money, result, ...stamp(id), timestamp };
}

/** The description of a payment in a status response and in a notification. */
function paymentOf(checkout: SandboxCheckout) {
  const { id, paymentId, amount, currency, merchantTransactionId, outcome } = checkout;
  return {
    id: paymentId,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    amount,
    currency,
    merchantTransactionId,
    result: RESULTS[outcome],
    ...stamp(id),
  };
}

/** The payment's checkout is in its `ndc`. */
function stamp(checkoutId: string) {
  return { ndc: checkoutId, buildNumber: 'sandbox', timestamp: new Date().toISOString() };
}

function notification(payload: ReturnType<typeof paymentOf | typeof changeOf>, key: string) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
  const text = JSON.stringify({ type: 'PAYMENT', payload });
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    path: '/v1/payments/eft-pay/webhook',
    headers: {
      'content-type': 'application/json',
      'x-initialization-vector': nonce.toString('hex'),
      'x-authentication-tag': cipher.getAuthTag().toString('hex'),
    },
    body: JSON.stringify({ encryptedBody: encrypted.toString('hex') }),
  };
}

function parameterErrors(error: z.ZodError) {
  return { parameterErrors: error.issues.map(({ path, message }) => ({ name: path.join('.'), message })) };
}

function randomHex(): string {
  return randomBytes(16).toString('hex').toUpperCase();
}
