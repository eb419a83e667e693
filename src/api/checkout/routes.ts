import { type Context, Hono } from 'hono';
import { readTenant } from '../../db/core/orm.ts';
import { findLogo } from '../../db/identity/companies.ts';
import { findCheckoutFacts } from '../../db/payments/payment-links.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Locale } from '../../domain/locale.ts';
import { UTC } from '../../domain/time-zone.ts';
import { loggedFile } from '../../observability/logged-file.ts';
import { phoneOf } from '../bodies/phones.ts';
import { requireEscrow } from '../commands/escrow-commands.ts';
import { requireAlive, requireLink } from '../commands/links.ts';
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
import { brandSheet, SCRIPT, STYLE } from './assets.ts';
import type { Site } from './layout.ts';
import { isNotice, METHODS } from './notices.ts';
import { cardPage, linkPage, processingPage } from './pages.ts';
import { receiptOf } from './receipt.ts';
import { refuseOtherSites, secure } from './security.ts';
import { languageOf } from './texts/languages.ts';
import { type CheckoutView, checkoutView } from './view.ts';

/**
 * The hosted checkout: pages and plain forms over the same functions as the JSON operations. Every POST answers 303 to a
 * page that shows the state in the database, with the code of a refusal in the address. Only a mistyped phone number is answered 422.
 */

/** Longer than any phone number with its country code and separators. */
const MAX_TYPED_CHARACTERS = 32;
/** A return asks the gateway at most once a minute; the page itself shows notified results sooner. */
const CHECKING_REFRESH_SECONDS = 15;

const FOR_EVER = 'public, max-age=31536000, immutable';

export function registerCheckoutPages(app: Api, dependencies: ApiDependencies): void {
  const pages = new Hono<ApiEnv>();
  pages.onError((error, c) => failed(error, c, siteOf(c, null, UTC)));

  for (const { name, content, type } of [STYLE, SCRIPT])
    pages.get(`/assets/${name}`, (c) =>
      c.body(content, 200, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': FOR_EVER }),
    );
  pages.get('/assets/:file{brand-[0-9a-f]{6}\\.css}', (c) =>
    c.body(brandSheet(c.req.param('file').slice('brand-'.length, -'.css'.length)), 200, {
      'Content-Type': 'text/css; charset=utf-8',
      'Cache-Control': FOR_EVER,
    }),
  );
  pages.get('/assets/:file{logo-[0-9a-f]{64}\\.png}', limitPublic, async (c) => {
    const logo = await findLogo(dependencies.orm.em.fork(), c.req.param('file').slice('logo-'.length, -'.png'.length));
    if (logo === null) throw new Refusal('not_found');
    return c.body(new Uint8Array(logo), 200, { 'Content-Type': 'image/png', 'Cache-Control': FOR_EVER });
  });
  pages.use(limitPublic, refuseOtherSites);

  pages.get('/:hash', async (c) => {
    const view = await viewOf(c, c.req.param('hash'));
    const { pay, notice } = c.req.query();
    if (view.state === 'processing') c.header('Refresh', String(refreshSeconds(view, view.now)));
    const method = METHODS.find((one) => one === pay) ?? null;
    return show(c, linkPage(view, { method, notice: isNotice(notice) ? notice : null }));
  });

  pages.get('/:hash/card', async (c) => {
    const link = await requireLink(dependencies, c.req.param('hash'));
    const widget = await findOpenCheckout(dependencies, link);
    const view = await viewOf(c, link.hash);
    if (widget === null || view.state !== 'open') return c.redirect(`../${link.hash}`, 303);
    // Absolute, because the gateway sends the buyer back there.
    const returnUrl = `${dependencies.settings.checkoutUrl}/${link.hash}/return`;
    return show(c, cardPage(view, { ...widget, returnUrl }), widget.scriptUrl);
  });

  /** The gateway sends the buyer back to this route. It does so by itself too, for a buyer who closed the browser. */
  pages.get('/:hash/return', async (c) => {
    const { hash } = await requireLink(dependencies, c.req.param('hash'));
    const isKnown = await isAnswered(c.req.query('resourcePath') ?? '', hash);
    const view = await viewOf(c, hash);
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
      return show(c, linkPage(await viewOf(c, hash), { method: 'mobile', notice, typed, root: '../' }));
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

  pages.get('/:hash/receipt', async (c) => {
    const hash = c.req.param('hash');
    const { companyId } = await requireLink(dependencies, hash);
    const view = await viewOf(c, hash);
    if (view.payment === null) throw new Refusal('not_found');
    const { logo } = view.shop.branding;
    const image = logo === null ? null : await findLogo(dependencies.orm.em.fork(), logo);
    secure(c);
    const file = await dependencies.receipts.draw(companyId, { receipt: receiptOf(view, image) });
    return c.body(loggedFile(file, c.var), 200, {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="${view.payment.receipt}.pdf"`,
    });
  });

  pages.all('*', () => {
    throw new Refusal('not_found');
  });
  app.route('/checkout', pages);

  function siteOf(c: Context<ApiEnv>, locale: Locale | null, timeZone: string): Site {
    return {
      language: languageOf(locale, c.req.header('accept-language')),
      timeZone,
      isTest: !dependencies.settings.isProduction,
    };
  }

  async function viewOf(c: Context<ApiEnv>, hash: string): Promise<CheckoutView> {
    const link = await requireLink(dependencies, hash);
    const escrow = await requireEscrow(dependencies, link.companyId, link.escrowId);
    const facts = await readTenant(dependencies.orm, link.companyId, (em) =>
      findCheckoutFacts(em, link.companyId, link),
    );
    return checkoutView({ link, escrow, facts }, siteOf(c, link.locale, link.timeZone), link.companyNow);
  }

  /** Whether the gateway has reported a result for the checkout. Throws `not_found` if the checkout belongs to another link. */
  async function isAnswered(resourcePath: string, hash: string): Promise<boolean> {
    try {
      const payment = await verifyCheckout(dependencies, resourcePath);
      if (payment.link.hash !== hash) throw new Refusal('not_found');
      return payment.status !== 'PROCESSING';
    } catch (error) {
      if (error instanceof Refusal && error.code === 'dependency_unavailable') return false;
      throw error;
    }
  }
}
