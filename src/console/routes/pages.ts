import type { Context, Hono } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import { permits } from '../../domain/roles.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { ApiProblem, createApiClient } from '../api-client.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { formOf, isUpload, readForm, type SentForm } from '../forms.ts';
import { LANGUAGES, languageOf } from '../language/languages.ts';
import { plainText, type Text, t } from '../language/message.ts';
import { barePage, framedPage, problemNotice } from '../layout.ts';
import type { ConsoleEnv, ConsolePage, Form, FormResult, Screen, Visit } from '../page.ts';
import { PAGES } from '../pages/index.ts';
import { ownProblem, sentenceOf, throttled } from '../problems.ts';
import { askedPath, redirectTo, sendHtml } from '../responses.ts';
import { CSRF_FIELD, type FormToken, formToken, freshFormToken, readFormToken } from '../session/csrf.ts';
import type { Session } from '../session/session.ts';
import { type ConsoleOptions, isSessionRefused, type Sessions } from '../session/sessions.ts';
import { codeScreen, keptForm, MFA_CODE_FIELD } from './kept-form.ts';
import { arrivedFromElsewhere, otherLogin, PASSWORD_PATH, toLogin } from './login.ts';
import { formElsewhere, isOnlyToBeShown } from './other-company.ts';

const FACTOR_PATH = '/second-factor';
const OPEN_WITHOUT_FACTOR: readonly string[] = [FACTOR_PATH, PASSWORD_PATH];

/** Serves one page: session, role, form token, the page itself, and its problems. */

type Answer = Response | Promise<Response>;

export function registerPage(
  app: Hono<ConsoleEnv>,
  sessions: Sessions,
  page: ConsolePage,
  { settings }: ConsoleOptions,
): void {
  const path = page.path === '/' ? '' : page.path;
  app.get(path, (c) => within(c, (session, isChanged) => get(c, session, isChanged)));
  if (page.act !== undefined) app.post(path, (c) => within(c, (session, isChanged) => post(c, session, isChanged)));

  async function within(
    c: Context<ConsoleEnv>,
    serve: (session: Session, isChanged: boolean) => Promise<Response>,
  ): Promise<Response> {
    const asked = askedPath(c);
    const found = await sessions.of(c, { isBackground: page.isBackground === true }).catch((error: unknown) => {
      if (error instanceof ApiProblem && c.req.method === 'POST') return error; // while the access token was renewed
      throw error;
    });
    if (found instanceof ApiProblem) return keptWithoutFrame(c, asked, found);
    if (found.kind === 'none')
      return inPlace(c, ENDED_WHILE_TYPING) ?? arrivedFromElsewhere(c) ?? toLogin(c, asked, null);
    if (found.kind === 'over') return ended(c, asked, found.session);
    const { session } = found;
    if (session.mustChangePassword && page.path !== PASSWORD_PATH) return redirectTo(c, PASSWORD_PATH);
    if (session.mustEnrolMfa && !OPEN_WITHOUT_FACTOR.includes(page.path)) return redirectTo(c, FACTOR_PATH);
    try {
      return await serve(session, found.isChanged);
    } catch (error) {
      if (!isSessionRefused(error)) throw error;
      return ended(c, asked, session);
    }
  }

  function ended(c: Context<ConsoleEnv>, asked: string, session: Session): Answer {
    sessions.clear(c);
    return inPlace(c, ENDED_WHILE_TYPING) ?? toLogin(c, asked, session);
  }

  /** Null if the page may lead elsewhere. htmx shows no answer but a success. */
  function inPlace(c: Context<ConsoleEnv>, why: Text): Answer | null {
    if (page.inPlaceOfAnswer === undefined || c.req.header('hx-request') === undefined) return null;
    return sendHtml(c, page.inPlaceOfAnswer(why), 200);
  }

  /** The session could not be opened for now. */
  async function keptWithoutFrame(c: Context<ConsoleEnv>, asked: string, problem: ApiProblem): Promise<Response> {
    sayWhenToRetry(c, problem);
    const kept = hasFile(c) ? NOTHING : keptOf(asked, await readForm(c, page));
    const main = html`<h1>${page.title}</h1>${problemNotice(problem)}${kept}`;
    return inPlace(c, sentenceOf(problem)) ?? sendHtml(c, barePage(page.title, main), problem.status);
  }

  async function get(c: Context<ConsoleEnv>, session: Session, isChanged: boolean): Promise<Response> {
    const visit = await inCompanyZone(visitOf(c, session));
    if (!permits(session.role, page.who)) return answer(c, visit, NOT_PERMITTED, 403);
    const isFlashShown = session.flash !== null && page.isBackground !== true;
    if (isChanged || isFlashShown) await sessions.write(c, isFlashShown ? { ...session, flash: null } : session);
    return shown(c, visit, 200);
  }

  async function post(c: Context<ConsoleEnv>, before: Session, isChangedBefore: boolean): Promise<Response> {
    if (!hasFile(c)) return taken(c, before, isChangedBefore);
    if (!permits(before.role, page.takesBankFile ?? page.who)) return answer(c, visitOf(c, before), NOT_PERMITTED, 403);
    try {
      return await c.var.bankFileForm.inTurn(before.homeCompanyId, () => taken(c, before, isChangedBefore));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return notTaken(c, before, throttled(error));
    }
  }

  function hasFile(c: Context<ConsoleEnv>): boolean {
    return page.takesBankFile !== undefined && isUpload(c);
  }

  async function taken(c: Context<ConsoleEnv>, before: Session, isChangedBefore: boolean): Promise<Response> {
    const sent = await readForm(c, page).catch((error: unknown) => {
      if (hasFile(c) && error instanceof ApiProblem) return error;
      throw error;
    });
    if (sent instanceof ApiProblem) return notTaken(c, before, sent);
    const { fields } = sent;
    const code = (fields.get(MFA_CODE_FIELD) ?? '').trim();
    const session = code === '' ? before : { ...before, mfaCode: { code, atMs: sessions.now().getTime() } };
    const isChanged = isChangedBefore || code !== '';
    fields.delete(MFA_CODE_FIELD);
    const token = readFormToken(session, fields.get(CSRF_FIELD));
    if (isChanged) await sessions.write(c, session);
    if (token === null) return notRead(c, session);
    // Before all else: what was typed for one company is never shown among the data of another.
    if (page.isAboutReader !== true && token.companyId !== session.companyId) return elsewhere(c, session, token, sent);
    const visit = await inCompanyZone(visitOf(c, session, token));
    if (!permits(session.role, page.who)) return answer(c, visit, NOT_PERMITTED, 403);
    const form = formOf(sent, token.idempotencyKey, visit.language);
    if (!token.isGenuine) return again(c, visit, form, ownProblem('form_of_other_session'));
    if (isOnlyToBeShown(fields)) return again(c, visit, form, ownProblem('form_back_in_its_company'));
    try {
      return await acted(c, visit, form);
    } catch (error) {
      if (!(error instanceof ApiProblem) || isSessionRefused(error)) throw error;
      sayWhenToRetry(c, error);
      if (error.code === 'mfa_required' && session.hasMfa && page.hasPasswords !== true)
        return askForCode(c, visit, fields, code === '' ? null : error);
      return again(c, visit, form, error);
    }
  }

  /** The file was not read, and with it the rest of the form. */
  async function notTaken(c: Context<ConsoleEnv>, session: Session, problem: ApiProblem): Promise<Response> {
    sayWhenToRetry(c, problem);
    const main = html`${problemNotice(problem)}<p><a class="button" href="/console${askedPath(c)}">${t('Choose another file')}</a></p>`;
    return answer(c, await inCompanyZone(visitOf(c, session)), { title: page.title, main }, problem.status);
  }

  /** What can be sent again without its page. A file cannot: the browser does not give it back. */
  function keptOf(path: string, { fields, file }: SentForm): Html {
    return file === null ? keptForm(page, path, fields) : NOTHING;
  }

  /** Nothing was done: the form needs a code of the second factor. It is sent again with one, and is the same form. */
  async function askForCode(
    c: Context<ConsoleEnv>,
    visit: Visit,
    fields: URLSearchParams,
    problem: ApiProblem | null,
  ): Promise<Response> {
    await sessions.write(c, { ...visit.session, mfaCode: null });
    return answer(c, visit, codeScreen(askedPath(c), fields, problem), 403);
  }

  /** The page with what was typed. Nothing was done. */
  function again(c: Context<ConsoleEnv>, visit: Visit, form: Form, problem: ApiProblem): Answer {
    return inPlace(c, sentenceOf(problem)) ?? shown(c, { ...visit, refused: { problem, form } }, problem.status);
  }

  function notRead(c: Context<ConsoleEnv>, session: Session): Answer {
    const problem = ownProblem('form_unreadable');
    const screen = { title: page.title, main: problemNotice(problem) };
    return inPlace(c, sentenceOf(problem)) ?? answer(c, visitOf(c, session), screen, problem.status);
  }

  async function elsewhere(
    c: Context<ConsoleEnv>,
    session: Session,
    token: FormToken,
    sent: SentForm,
  ): Promise<Response> {
    const { fields } = sent;
    const instead = inPlace(c, sentenceOf(ownProblem('form_of_other_company')));
    if (instead !== null) return instead;
    const visit = visitOf(c, session, token);
    const next = await formElsewhere(visit, token, sent);
    if (next === null) return otherLogin(c, sent);
    if ('main' in next) return answer(c, visit, next, 403);
    await sessions.write(c, next);
    const form = formOf({ fields, file: null }, token.idempotencyKey, visit.language);
    return again(c, visitOf(c, next, token), form, ownProblem('form_back_in_its_company'));
  }

  async function acted(c: Context<ConsoleEnv>, visit: Visit, form: Form): Promise<Response> {
    if (page.act === undefined) throw new Error('the page has no action'); // registered for pages with an action only
    const outcome = await page.act(visit, form);
    if (outcome instanceof Response) return asItIs(c, outcome);
    if ('main' in outcome) {
      if (outcome.session !== undefined) await sessions.write(c, outcome.session);
      return answer(c, visit, outcome, outcome.status ?? 200);
    }
    await sessions.write(c, afterwards(outcome, visit));
    return redirectTo(c, outcome.to);
  }

  /** A page that cannot be shown because of a problem says which one, in the frame. It keeps the form that was sent. */
  async function shown(c: Context<ConsoleEnv>, visit: Visit, status: number): Promise<Response> {
    try {
      const screen = await page.show(visit);
      return screen instanceof Response ? asItIs(c, screen) : await answer(c, visit, screen, screen.status ?? status);
    } catch (error) {
      if (!(error instanceof ApiProblem) || isSessionRefused(error)) throw error;
      sayWhenToRetry(c, error);
      const { refused } = visit;
      const isSaid = refused?.problem.code === error.code; // by the frame, about the form
      const kept = refused === null ? withoutQuery(c) : keptOf(askedPath(c), refused.form);
      const main = html`${isSaid ? NOTHING : problemNotice(error)}${kept}`;
      return answer(c, visit, { title: page.title, main }, error.status);
    }
  }

  function answer(c: Context<ConsoleEnv>, visit: Visit, screen: Screen, status: number): Answer {
    const body: Html = screen.isFragment === true ? screen.main : framedPage(page, visit, screen, PAGES);
    return sendHtml(c, body, status, visit.language);
  }

  /**
   * `sent`: of a form that was sent. The answer to a form is in the form's language, and a form that is shown again is the same
   * one: its first try may have been carried out although its answer was lost, so a second one must not act again.
   */
  function visitOf(c: Context<ConsoleEnv>, session: Session, sent: FormToken | null = null): Visit {
    const accessToken = sessions.accessTokensOf(c, session);
    const language = sent === null ? languageOf(c) : LANGUAGES[sent.language];
    const apiFor = (companyId: string) =>
      createApiClient(sessions.callerOf(c), async () => ({
        accessToken: await accessToken(),
        companyId,
        mfaCode: session.mfaCode?.code,
      }));
    return {
      c,
      session,
      refused: null,
      settings,
      api: apiFor(session.companyId),
      apiFor,
      params: c.req.param(),
      query: new URL(c.req.url).searchParams,
      csrf: sent === null ? freshFormToken(session, language.tag) : formToken(session, sent),
      now: sessions.now(),
      companyNow: sessions.now(),
      language,
    };
  }
}

/** The visit in the company's time zone, and with its test clock. Where the API does not say which, times are in UTC, and the page states the problem. */
async function inCompanyZone(visit: Visit): Promise<Visit> {
  if (visit.session.mustChangePassword) return visit;
  try {
    const [{ time_zone: timeZone }, clock] = await Promise.all([
      visit.api.get('/v1/core/companies/me'),
      visit.settings.isProduction ? null : visit.api.get('/v1/sandbox/clock'),
    ]);
    const companyNow = new Date(visit.now.getTime() + (clock?.hoursAhead ?? 0) * HOUR_MS);
    return { ...visit, companyNow, language: { ...visit.language, timeZone } };
  } catch (error) {
    if (error instanceof ApiProblem && !isSessionRefused(error)) return visit;
    throw error;
  }
}

/** The message is kept in the language of the page that it follows. */
function afterwards({ session, flash }: FormResult, before: Visit): Session {
  const text = flash === undefined ? '' : plainText(flash.text, before.language);
  return { ...(session ?? before.session), flash: flash === undefined ? null : { tone: flash.tone, text } };
}

/** A file has the session's cookie too, if that was written. */
function asItIs(c: Context<ConsoleEnv>, response: Response): Response {
  return response.headers.has('set-cookie') ? response : c.newResponse(response.body, response);
}

function sayWhenToRetry(c: Context<ConsoleEnv>, { retryAfterSeconds }: ApiProblem): void {
  if (retryAfterSeconds !== null) c.header('Retry-After', String(retryAfterSeconds));
}

/** A filter in the address may be invalid. */
function withoutQuery(c: Context<ConsoleEnv>): Html {
  const { pathname, search } = new URL(c.req.url);
  return search === '' ? NOTHING : html`<p><a href="${pathname}">${t('Show the page without filters')}</a></p>`;
}

const ENDED_WHILE_TYPING = t(
  'Your session has ended, so nothing is computed any more. What you have typed is kept: send the form, and then log in.',
);
const NOT_PERMITTED: Screen = {
  title: t('Not permitted'),
  main: html`<p>${t('Your role does not permit this page. Ask an owner or an administrator of the company.')}</p>`,
};
