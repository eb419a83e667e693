import { Hono } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import { phoneOf } from '../bodies/phones.ts';
import { requireEscrow } from '../commands/escrow-commands.ts';
import { requireAlive, requireLink } from '../commands/link-commands.ts';
import {
  findOpenCheckout,
  openCheckout,
  payFromBalance,
  rejectPayment,
  startCharge,
  verifyCheckout,
} from '../commands/payments.ts';
import type { Api, ApiDependencies, ApiEnv } from '../context.ts';
import { limitPublic } from '../middleware/rate-limit.ts';
import { InvalidRequest } from '../problem.ts';
import { act, failed, Mistyped, refreshSeconds, show } from './answers.ts';
import { STYLE_FILE, STYLE_SHEET } from './layout.ts';
import { cardPage, linkPage, processingPage } from './pages.ts';
import { refuseOtherSites } from './security.ts';
import { isNotice, type Method } from './texts.ts';
import { type CheckoutView, checkoutView } from './view.ts';

/**
 * The hosted checkout: pages and plain forms over the same functions as the JSON operations. Every POST answers 303 to the
 * link's page, which shows the state in the database. A refusal is an error code in the address.
 */

/** Longer than any phone number with its country code and separators. */
const MAX_TYPED_CHARACTERS = 32;
const METHODS: readonly Method[] = ['card', 'mobile', 'balance'];
/** A return asks the gateway at most once a minute; the page itself shows notified results sooner. */
const CHECKING_REFRESH_SECONDS = 15;

export function registerCheckoutPages(app: Api, dependencies: ApiDependencies): void {
  const pages = new Hono<ApiEnv>();
  pages.onError(failed);

  pages.get(`/assets/${STYLE_FILE}`, (c) =>
    c.body(STYLE_SHEET, 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    }),
  );
  pages.use(limitPublic, refuseOtherSites);

  pages.get('/:hash', async (c) => {
    const view = await viewOf(c.req.param('hash'));
    const { pay, notice } = c.req.query();
    if (view.state === 'processing') c.header('Refresh', String(refreshSeconds(view, view.now)));
    const method = METHODS.find((one) => one === pay) ?? null;
    return show(c, linkPage(view, { method, notice: isNotice(notice) ? notice : null }));
  });

  pages.get('/:hash/card', async (c) => {
    const link = await requireLink(dependencies, c.req.param('hash'));
    const widget = await findOpenCheckout(dependencies, link);
    const view = await viewOf(link.hash);
    if (widget === null || view.state !== 'open') return c.redirect(`../${link.hash}`, 303);
    // Absolute, because the gateway sends the buyer back there.
    const returnUrl = `${dependencies.settings.checkoutUrl}/${link.hash}/return`;
    return show(c, cardPage(view, { ...widget, returnUrl }), widget.scriptUrl);
  });

  /** The gateway sends the buyer back to this route. It does so by itself too, for a buyer who closed the browser. */
  pages.get('/:hash/return', async (c) => {
    const { hash } = await requireLink(dependencies, c.req.param('hash'));
    const resourcePath = c.req.query('resourcePath') ?? '';
    const checkoutId = dependencies.providers.gateways.firstAnswer((gateway) => gateway.checkoutIdOf(resourcePath));
    if (checkoutId === undefined) throw new Refusal('validation_failed', 'resourcePath is no path of a checkout');
    const isKnown = await isAnswered(checkoutId, hash);
    const view = await viewOf(hash);
    if (isKnown || view.state !== 'open') return c.redirect(`../${hash}`, 303);
    c.header('Refresh', String(CHECKING_REFRESH_SECONDS));
    return show(c, processingPage(view, { heading: 'checking', root: '../' }));
  });

  pages.post('/:hash/card', (c) => {
    const hash = c.req.param('hash');
    return act(c, { hash, method: 'card' }, async () => {
      await openCheckout(dependencies, hash);
      return 'card';
    });
  });

  /** Sends the code to the number on record. The page neither knows nor shows that number. */
  pages.post('/:hash/code', (c) => {
    const hash = c.req.param('hash');
    return act(c, { hash, method: 'balance' }, async () => {
      const link = await requireLink(dependencies, hash);
      requireAlive(link);
      const { mobileNumber } = link.buyer;
      await dependencies.oneTimePasswords.request({ mobileNumber, link, clientAddress: c.var.clientAddress });
      return `../${hash}?pay=balance&notice=code_sent`;
    });
  });

  pages.post('/:hash/balance', (c) => {
    const hash = c.req.param('hash');
    return act(c, { hash, method: 'balance' }, async (form) => {
      const { buyer } = await requireLink(dependencies, hash);
      const otp = (form.get('otp') ?? '').replace(/\s/g, '');
      if (otp === '') throw new Refusal('otp_required');
      await payFromBalance(dependencies, hash, { messagingNumber: buyer.mobileNumber, otp });
      return `../${hash}`;
    });
  });

  pages.post('/:hash/mobile', (c) => {
    const hash = c.req.param('hash');
    const again = async ({ notice, typed }: Mistyped) => {
      c.status(422);
      return show(c, linkPage(await viewOf(hash), { method: 'mobile', notice, typed, root: '../' }));
    };
    return act(c, { hash, method: 'mobile', again }, async (form) => {
      const link = await requireLink(dependencies, hash);
      const typed = (form.get('phone') ?? '').slice(0, MAX_TYPED_CHARACTERS);
      const phone = await phoneOf(dependencies, link.companyId, 'phone', typed).catch((error: unknown) => {
        if (error instanceof InvalidRequest) throw new Mistyped('phone_invalid', typed);
        throw error;
      });
      await startCharge(dependencies, link, phone, { messagingNumber: undefined, otp: undefined });
      return `../${hash}`;
    });
  });

  pages.post('/:hash/reject', (c) => {
    const hash = c.req.param('hash');
    return act(c, { hash, method: null }, async () => {
      await rejectPayment(dependencies, hash);
      return `../${hash}`;
    });
  });

  pages.all('*', () => {
    throw new Refusal('not_found');
  });
  app.route('/checkout', pages);

  async function viewOf(hash: string): Promise<CheckoutView> {
    const link = await requireLink(dependencies, hash);
    return checkoutView(link, await requireEscrow(dependencies, link.companyId, link.escrowId), link.companyNow);
  }

  /** Whether the gateway has reported a result for the checkout. Throws `not_found` if the checkout belongs to another link. */
  async function isAnswered(checkoutId: string, hash: string): Promise<boolean> {
    try {
      const payment = await verifyCheckout(dependencies, checkoutId);
      if (payment.link.hash !== hash) throw new Refusal('not_found');
      return payment.status !== 'PROCESSING';
    } catch (error) {
      if (error instanceof Refusal && error.code === 'dependency_unavailable') return false;
      throw error;
    }
  }
}
