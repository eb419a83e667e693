import type { EntityManager } from '@mikro-orm/postgresql';
import { type Context, Hono } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { inTenant } from '../../db/core/orm.ts';
import { AppUser, Company } from '../../db/entities/tenancy.ts';
import { type EscrowRecord, findTimeline } from '../../db/escrow/escrows.ts';
import { findOrderPage, hasHash, noteLocale } from '../../db/escrow/order-pages.ts';
import { latestOrderRequests } from '../../db/escrow/order-requests.ts';
import { findLogo } from '../../db/identity/companies.ts';
import { companyNow } from '../../db/identity/company-clock.ts';
import { findCheckoutFacts, findLinkOfEscrow } from '../../db/payments/payment-links.ts';
import { writeAuditLines } from '../../db/requests/audit-log.ts';
import { findBuyerDebts } from '../../db/treasury/receivables.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import { parseId, publicId, type UserId } from '../../domain/ids.ts';
import { LOCALES, type Locale } from '../../domain/locale.ts';
import { commandIdFrom } from '../../domain/messages/ids.ts';
import {
  maySee,
  modeOf,
  type OrderAct,
  type OrderPageSettings,
  orderName,
  orderPageSettings,
} from '../../domain/order-pages.ts';
import { UTC } from '../../domain/time-zone.ts';
import { discreetName } from '../../domain/users.ts';
import { loggedFile } from '../../observability/logged-file.ts';
import { failed, show } from '../checkout/answers.ts';
import { formatMoney } from '../checkout/formats.ts';
import type { Html, Site } from '../checkout/layout.ts';
import { receiptOf } from '../checkout/receipt.ts';
import { isFramed, refuseFrames, refuseOtherSites, secure } from '../checkout/security.ts';
import { LANGUAGES, languageOf } from '../checkout/texts/languages.ts';
import { checkoutView } from '../checkout/view.ts';
import { requireEscrow } from '../commands/escrow-commands.ts';
import type { Api, ApiDependencies, ApiEnv } from '../context.ts';
import { inDownloadTurn, limitPublic } from '../middleware/rate-limit.ts';
import { statusOf } from '../problem.ts';
import { bankDetailsIn, type Circumstances, NOBODY, performAct, possibleActs, sendsAgain, wishOf } from './acts.ts';
import { fileAnswer, filesIn, withFiles } from './files.ts';
import { actOf, answer, isNotice } from './forms.ts';
import { type Asked, orderPage, TAKES_FILES } from './pages.ts';
import { bankRefusal, findSellerMoney, type SellerMoney } from './payouts.ts';
import { ask } from './requests.ts';
import { ORDER_LANGUAGES } from './texts/languages.ts';
import { ACTING_MINUTES, hashOf, type PageOfParty } from './tokens.ts';
import { circumstances, type OrderSources, orderCents, orderView } from './view.ts';

/**
 * The order pages. Whoever has an address reads; acting needs a code that goes to the phone on record, and then a cookie for this
 * page alone.
 */

const SECONDS_BETWEEN_CODES = 60;
const FORM_KEY = /^[\w-]{16,64}$/;

export function registerOrderPagesOfParties(app: Api, dependencies: ApiDependencies): void {
  const { orm, orderTokens, oneTimePasswords, settings } = dependencies;
  const pages = new Hono<ApiEnv>();
  pages.onError((error, c) => {
    const { site, texts } = siteOf(c, null, UTC);
    return failed(error, c, site, { assets: '../checkout/', texts: texts.errors });
  });
  pages.use(limitPublic, refuseOtherSites, refuseFrames);

  pages.get('/:token', async (c) => {
    const token = c.req.param('token');
    const order = await openOrder(token);
    const { act, notice } = c.req.query();
    const view = viewOf(c, order, token);
    const isInFrame = isFramed(c);
    const html = orderPage(view, { act: actOf(act), notice: isNotice(notice) ? notice : null, token, isInFrame });
    return show(c, html, undefined, order.company.checkoutHosts);
  });

  pages.get('/:token/files/:id', async (c) => {
    const { page } = await openOrder(c.req.param('token'));
    const id = parseId('document', c.req.param('id'));
    if (id === undefined) throw new Refusal('not_found');
    return inDownloadTurn(c, page.companyId, () => fileAnswer(c, dependencies, page, id), targetOf(page));
  });

  pages.get('/:token/receipt', async (c) => {
    const { page, paid, escrow, company, locale } = await openOrder(c.req.param('token'));
    if (page.party !== 'BUYER' || paid === null) throw new Refusal('not_found');
    const { site } = siteOf(c, locale, company.timeZone);
    const view = checkoutView({ ...paid, escrow }, site, paid.link.companyNow);
    if (view.payment === null) throw new Refusal('not_found');
    const logo = company.logoDigest == null ? null : await findLogo(orm.em.fork(), company.logoDigest);
    secure(c);
    return c.body(
      loggedFile(await dependencies.receipts.draw(page.companyId, { receipt: receiptOf(view, logo) }), c.var),
      200,
      {
        'Content-Type': 'application/pdf',
        'Content-Disposition': `attachment; filename="${view.payment.receipt}.pdf"`,
      },
    );
  });

  /** Sends a code that names act, order and amount to the number on record, which the page does not show. */
  pages.post('/:token/code', (c) =>
    answer(c, { again: (asked) => showAgain(c, asked) }, async (act) => {
      const order = await openOrder(c.req.param('token'));
      requirePossible(order, act);
      const { escrow, company, page, phone, locale, now } = order;
      const { site, texts, tag } = siteOf(c, locale, company.timeZone);
      const { currency } = escrow.state.terms;
      const asked = oneTimePasswords.requestForOrder({
        ...{ companyId: page.companyId, targetId: targetOf(page), mobileNumber: phone },
        names: {
          locale: tag,
          act: texts.acts[act].code,
          order: orderName(escrow.externalReference, page.escrowId),
          amount: formatMoney(orderCents(page.party, escrow.state), currency, site.language),
          merchant: company.name,
        },
        clientAddress: c.var.clientAddress,
      });
      await asked.catch((error: unknown) => {
        // A button that was pressed twice: the code of the first press is on its way.
        const wasJustSent = error instanceof Refusal && (error.retryAfterSeconds ?? Infinity) <= SECONDS_BETWEEN_CODES;
        if (!wasJustSent) throw error;
      });
      return { act, notice: 'code_sent', now };
    }),
  );

  pages.post('/:token/unlock', (c) => {
    let isUnlocked = false;
    const again = (asked: Typed) => showAgain(c, asked, isUnlocked);
    return answer(c, { again }, async (act, form) => {
      const token = c.req.param('token');
      const { page, phone, locale, company } = await openOrder(token);
      const code = (form.get('otp') ?? '').replace(/\s/g, '');
      const target = { companyId: page.companyId, linkId: targetOf(page), mobileNumber: phone };
      await oneTimePasswords.consume({ ...target, code }, null);
      const { tag } = siteOf(c, locale, company.timeZone);
      await inTenant(orm, page.companyId, (em) => noteLocale(em, page, tag));
      setCookie(c, cookieOf(token), orderTokens.pass(page, new Date()), {
        path: new URL(`${settings.baseUrl}/orders/${token}`).pathname,
        httpOnly: true,
        sameSite: 'Strict',
        secure: settings.baseUrl.startsWith('https:'),
        maxAge: ACTING_MINUTES * 60,
      });
      isUnlocked = true;
      return { act, notice: null };
    });
  });

  pages.post('/:token/act', (c) => {
    const token = c.req.param('token');
    // Nobody uploads files without a pass.
    const takesFiles = async () => {
      const { page } = await openOrder(token);
      return holdsPass(c, page, token) ? page.companyId : null;
    };
    return answer(c, { again: (asked) => showAgain(c, asked), takesFiles }, async (act, form, sent) => {
      const order = await openOrder(token);
      const { page, escrow, now } = order;
      if (!holdsPass(c, page, token)) return { act, notice: 'code_needed', isRefused: true };
      const key = form.get('key') ?? '';
      if (!FORM_KEY.test(key)) throw new Refusal('validation_failed', 'key');
      const commandId = commandIdFrom(`order-page/${page.escrowId}/${page.party}/${act}/${key}`);
      const { party, companyId } = page;
      if (!maySee(act, party, order.settings)) throw new Refusal('wrong_state', 'the page does not offer this');
      const bankDetails = act === 'payout_details' ? bankDetailsIn(form) : null;
      const refusal = bankDetails === null ? null : bankRefusal(bankDetails, settings.bankCharacterSet);
      if (refusal !== null) return { act, notice: refusal, isRefused: true };
      const wish = wishOf(act, form, escrow.state);
      // A repeated form gets the answer of its first command, even if the act is not possible any more.
      const isRepeated = order.timeline.some(({ event }) => event.commandId === commandId);
      if (act === 'dispatch' && !isRepeated && sendsAgain(escrow.state, wish))
        throw new Refusal('quantity_exceeds_order');
      const deed = {
        act,
        party,
        commandId,
        wish,
        bankDetails,
        now,
        requestId: null,
        by: NOBODY,
      };
      const isDirect = modeOf(act, wish.milestoneId !== undefined, order.settings) === 'direct';
      const files = TAKES_FILES.includes(act) && sent !== null ? await filesIn(companyId, sent) : [];
      const sender = { companyId, escrowId: page.escrowId, party, commandId };
      await audited(c, order, act, () =>
        withFiles(dependencies, sender, files, () =>
          isDirect
            ? performAct(dependencies, escrow, deed)
            : ask(dependencies, companyId, escrow, deed, circumstancesOf(order)),
        ),
      );
      return { act: null, notice: isDirect ? 'done' : 'asked' };
    });
  });

  // The address of a page that answered a refused form, opened again.
  pages.get('/:token/:form{code|unlock|act}', (c) => c.redirect(`../${c.req.param('token')}`, 303));

  pages.all('*', () => {
    throw new Refusal('not_found');
  });
  app.route('/orders', pages);

  function viewOf(
    c: Context<ApiEnv>,
    order: Awaited<ReturnType<typeof openOrder>>,
    token: string,
    mayAct = holdsPass(c, order.page, token),
  ) {
    const { site, texts } = siteOf(c, order.locale, order.company.timeZone);
    return orderView({ ...order, party: order.page.party, mayAct }, site, texts, order.now);
  }

  /**
   * The page as the answer to a form, with what was typed into it; null if the page does not offer the act any more. `isUnlocked`: the
   * answer brings the pass.
   */
  async function showAgain(c: Context<ApiEnv>, asked: Typed, isUnlocked = false): Promise<Html | null> {
    const token = c.req.param('token') ?? '';
    const view = viewOf(c, await openOrder(token), token, isUnlocked || undefined);
    const isOffered = asked.act !== null && view.acts.includes(asked.act);
    return isOffered ? orderPage(view, { ...asked, token: `../${token}`, isInFrame: false }) : null;
  }

  /** What is shown of the order of a page. Unknown, revoked and switched-off pages are not found alike. */
  async function openOrder(token: string) {
    const hash = hashOf(token);
    const found = hash === null ? null : await findOrderPage(orm.em.fork(), hash);
    if (hash === null || found === null) throw new Refusal('not_found');
    const { companyId, escrowId } = found;
    const escrow = await requireEscrow(dependencies, companyId, escrowId);
    const { buyerId, sellerId } = escrow.state.terms;
    return inTenant(orm, companyId, async (em) => {
      if (!(await hasHash(em, found, hash))) throw new Refusal('not_found');
      const company = await em.findOneOrFail(Company, { id: companyId });
      const pageSettings = orderPageSettings(company.orderPages);
      if (!pageSettings.enabled) throw new Refusal('not_found');
      const ids = sellerId === null ? [buyerId] : [buyerId, sellerId];
      const people = await em.find(AppUser, { id: { $in: ids }, companyId });
      const personOf = (userId: UserId | null) => people.find(({ id }) => id === userId) ?? null;
      const [buyer, seller] = [personOf(buyerId), personOf(sellerId)];
      const link = await findLinkOfEscrow(em, companyId, escrowId);
      const facts = link === null ? null : await findCheckoutFacts(em, companyId, link);
      const person = found.party === 'BUYER' ? buyer : seller;
      if (person === null) throw new Refusal('not_found');
      return {
        page: found,
        escrow,
        company,
        settings: pageSettings,
        timeline: await findTimeline(em, companyId, escrowId),
        money: await moneyOf(em, found, escrow, pageSettings),
        requests: await latestOrderRequests(em, companyId, { escrowId, party: found.party }),
        paid: link === null || facts === null ? null : { link, facts },
        debts: facts?.debts ?? (await findBuyerDebts(em, companyId, escrowId)),
        locale: link?.locale ?? null,
        names: { buyer: nameOf(buyer), seller: nameOf(seller) },
        phone: person.mobileNumber ?? '', // of an erased person, to whom nothing is sent
        now: await companyNow(em, companyId),
      };
    });
  }

  function holdsPass(c: Context<ApiEnv>, page: PageOfParty, token: string): boolean {
    return orderTokens.isPass(page, getCookie(c, cookieOf(token)), new Date());
  }

  /** Writes who did what on which order, and whether it was refused. */
  async function audited(
    c: Context<ApiEnv>,
    { page, escrow }: { readonly page: PageOfParty; readonly escrow: EscrowRecord },
    act: OrderAct,
    work: () => Promise<void>,
  ): Promise<void> {
    const { companyId, escrowId, party } = page;
    const { buyerId, sellerId } = escrow.state.terms;
    const actorId = party === 'BUYER' ? buyerId : sellerId;
    if (actorId === null) throw new Error('a company that sells has no page');
    const write = (status: number) =>
      inTenant(orm, companyId, (em) =>
        writeAuditLines(em, [
          {
            ...{ companyId, actorKind: 'party', actorId, actorRole: null, operation: `page:${act}` },
            ...{ resource: publicId('escrow', escrowId), status, ip: null },
            ...{ requestId: c.var.requestId, source: 'ORDER_PAGE' },
          },
        ]),
      );
    await work().catch(async (error: unknown) => {
      if (error instanceof Refusal) await write(statusOf(error.code));
      throw error;
    });
    await write(200);
  }

  /** Only of the seller, and only where the company lets sellers see it. */
  async function moneyOf(
    em: EntityManager,
    { party, companyId }: PageOfParty,
    { state }: EscrowRecord,
    { acts }: OrderPageSettings,
  ): Promise<SellerMoney | null> {
    const isShown =
      party === 'SELLER' && state.terms.sellerId !== null && (acts.payout !== 'off' || acts.payout_details !== 'off');
    return isShown ? findSellerMoney(em, dependencies, companyId, state.terms) : null;
  }

  function siteOf(c: Context<ApiEnv>, locale: Locale | null, timeZone: string) {
    const language = languageOf(locale, c.req.header('accept-language'));
    const tag = LOCALES.find((one) => LANGUAGES[one] === language) ?? 'en';
    const site: Site = { language, timeZone, isTest: !settings.isProduction };
    return { site, tag, texts: ORDER_LANGUAGES[tag] };
  }
}

type Typed = Pick<Asked, 'act' | 'notice' | 'typed'>;
type Opened = Pick<OrderSources, 'escrow' | 'settings' | 'requests' | 'money' | 'debts'> & {
  readonly page: { readonly party: Party };
  readonly now: Date;
};

function circumstancesOf({ page, ...order }: Opened): Circumstances {
  return circumstances({ ...order, party: page.party }, order.now);
}

/** Throws `wrong_state` unless the page offers the act. */
function requirePossible(order: Opened, act: OrderAct): void {
  if (!possibleActs(order.escrow.state, circumstancesOf(order)).includes(act)) throw new Refusal('wrong_state');
}

/** Of its own for each page, so that a browser with several pages keeps each. */
function cookieOf(token: string): string {
  return `order_${hashOf(token)?.slice(0, 16) ?? ''}`;
}

/** What a party's codes belong to. */
function targetOf({ escrowId, party }: { readonly escrowId: string; readonly party: Party }): string {
  return commandIdFrom(`order-page/${escrowId}/${party}`);
}

function nameOf(person: { firstName?: string | null; lastName?: string | null } | null): string | null {
  return person === null
    ? null
    : discreetName({ firstName: person.firstName ?? null, lastName: person.lastName ?? null });
}
