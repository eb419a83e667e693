import { randomBytes } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { permits, type Role } from '../../domain/roles.ts';
import { ApiProblem, createApiClient } from '../api-client.ts';
import { html } from '../components/html.ts';
import { isUpload, readFields, type SentForm } from '../forms.ts';
import { t } from '../language/message.ts';
import { barePage } from '../layout.ts';
import type { ConsoleEnv } from '../page.ts';
import { codePage, keptFormPage, loginPage } from '../pages/login.ts';
import { codeNotice, sentenceOf } from '../problems.ts';
import { askedPath, ownPath, pathBelowConsole, redirectTo, sendHtml, sendRefused } from '../responses.ts';
import { readFormToken } from '../session/csrf.ts';
import { type Session, startSession, type Tokens } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** Login and logout, through the same operations as REST. */

const ENDED = t('Your session has ended. Log in again.');
const ENDED_WITH_FORM = t('Your session has ended, so the form was not sent. Log in again: what you typed is kept.');
const SESSION_ID_BYTES = 32;
export const PASSWORD_PATH = '/password';
const ACT_FOR_PATH = '/act-for';

export function registerLogin(app: Hono<ConsoleEnv>, sessions: Sessions): void {
  app.get('/login', (c) => {
    const { next, ended } = c.req.query();
    const notice = ended === undefined ? null : ENDED;
    return sendHtml(c, loginPage({ email: '', next: ownPath(next), notice, isRefused: false, kept: null }));
  });

  app.post('/login', async (c) => {
    const fields = await readFields(c);
    const email = (fields.get('email') ?? '').trim();
    const { next, kept } = wantedIn(fields);
    try {
      const answer = await createApiClient(sessions.callerOf(c), null).post('/v1/auth/login', {
        body: { email, password: fields.get('password') ?? '' },
      });
      if ('mfaRequired' in answer)
        return sendHtml(c, codePage({ email, mfaToken: answer.mfaToken, next, kept, notice: null }));
      return await begin(c, answer, { email, next, kept });
    } catch (error) {
      return sendRefused(c, error, (problem) => {
        const notice =
          problem.code === 'validation_failed' ? t('Enter your e-mail address and password.') : sentenceOf(problem);
        return loginPage({ email, next, notice, isRefused: true, kept });
      });
    }
  });

  app.post('/login/code', async (c) => {
    const fields = await readFields(c);
    const [email, mfaToken, code] = ['email', 'mfaToken', 'code'].map((name) => (fields.get(name) ?? '').trim());
    const { next, kept } = wantedIn(fields);
    const view = { email: email ?? '', mfaToken: mfaToken ?? '', next, kept };
    try {
      const tokens = await createApiClient(sessions.callerOf(c), null).post('/v1/auth/mfa', {
        body: { mfaToken: view.mfaToken, code: code ?? '' },
      });
      return await begin(c, tokens, { email: view.email, next, kept, code: code ?? '' });
    } catch (error) {
      return sendRefused(c, error, (problem) => codePage({ ...view, notice: codeNotice(problem) }));
    }
  });

  async function begin(
    c: Context<ConsoleEnv>,
    tokens: Tokens,
    { email, next, kept, code }: Wanted & { readonly email: string; readonly code?: string },
  ): Promise<Response> {
    // A new id at every login, whatever cookie the browser sent: nobody can prepare a session for somebody else.
    const id = randomBytes(SESSION_ID_BYTES).toString('base64url');
    await sessions.write(c, startSession(tokens, { id, email, nowMs: sessions.now().getTime(), code: code ?? null }));
    if (tokens.mustChangePassword) return redirectTo(c, PASSWORD_PATH);
    if (kept !== null && next !== null) return sendHtml(c, keptFormPage(next, new URLSearchParams(kept)));
    return redirectTo(c, next === null ? '/' : nextFor(tokens.role, next));
  }

  app.post('/logout', async (c) => {
    const fields = await readFields(c);
    const found = await sessions.of(c, { isBackground: false });
    if (found.kind === 'session') {
      const { session } = found;
      if (readFormToken(session, fields.get('csrf'))?.isGenuine !== true) return redirectTo(c, '/');
      const { accessToken, homeCompanyId: companyId } = session;
      await createApiClient(sessions.callerOf(c), async () => ({ accessToken, companyId }))
        .post('/v1/auth/logout')
        .catch((error: unknown) => {
          // A session that the service no longer knows is over already.
          if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
        });
    }
    sessions.clear(c);
    return redirectTo(c, '/login');
  });
}

type Wanted = { readonly next: string | null; readonly kept: string | null };
const wantedIn = (fields: URLSearchParams): Wanted => ({ next: ownPath(fields.get('next')), kept: fields.get('kept') });

/**
 * Whether a script or a download asks, and not a person who follows a link. It would take a login page for the answer. Browsers
 * send Sec-Fetch-Dest over TLS and to localhost; our scripts say what they accept.
 */
function isForScript({ req }: Context<ConsoleEnv>): boolean {
  if (req.header('hx-request') !== undefined || req.header('sec-fetch-dest') === 'empty') return true;
  return !/text\/html|\*\/\*/.test(req.header('accept') ?? '*/*');
}

/** The page in which htmx asks for a part; otherwise the path that was asked for. */
function pageOf(c: Context<ConsoleEnv>, path: string): string {
  const current = c.req.header('hx-current-url') ?? '';
  return URL.canParse(current) ? pathBelowConsole(new URL(current)) : path;
}

/**
 * A login begins in the administrator's own company. Who acted for another one is asked first whether to act for it again: the page
 * would otherwise be the same one of the own company.
 */
function inItsCompany(page: string, over: Session | null): string {
  if (over === null || over.companyId === over.homeCompanyId || page.startsWith(ACT_FOR_PATH)) return page;
  return `${ACT_FOR_PATH}?${new URLSearchParams({ companyId: over.companyId, next: page })}`;
}

/** Somebody else may have logged in, who acts for no other company. */
function nextFor(role: Role, next: string): string {
  const { pathname, searchParams } = new URL(next, 'http://console.invalid');
  if (pathname !== ACT_FOR_PATH || permits(role, 'platform')) return next;
  return ownPath(searchParams.get('next')) ?? '/';
}

/**
 * Where a request without a session goes. `over`: the session that has ended, if there was one. A form is kept until the login,
 * because its page would otherwise be empty again.
 */
export async function toLogin(c: Context<ConsoleEnv>, path: string, over: Session | null): Promise<Response> {
  const isForm = c.req.method === 'POST' && !isUpload(c); // a file cannot be kept
  const next = inItsCompany(pageOf(c, path), over);
  const query = new URLSearchParams({
    ...(next === '/' || isForm ? {} : { next }),
    ...(over === null ? {} : { ended: '' }),
  });
  const target = `/login${query.size === 0 ? '' : `?${query}`}`;
  if (isForScript(c)) {
    c.header('HX-Redirect', `/console${target}`);
    return c.body(null, 401);
  }
  // Passwords are not sent to the browser again.
  if (!isForm || path === PASSWORD_PATH) return redirectTo(c, target);
  const kept = (await readFields(c)).toString();
  return sendHtml(
    c,
    loginPage({ email: '', next: ownPath(path), notice: ENDED_WITH_FORM, isRefused: false, kept }),
    401,
  );
}

/** A form of a company for which the reader may not act. Somebody of that company may still want it. */
export function otherLogin(c: Context<ConsoleEnv>, { fields, file }: SentForm): Response | Promise<Response> {
  const notice =
    file === null
      ? t(
          'Nothing was done: the form was opened for another company. Log in as an administrator of that company to see it again: what you typed is kept.',
        )
      : t(
          'Nothing was done: the form was opened for another company. Log in as an administrator of that company, and choose the file again.',
        );
  const [next, kept] = [ownPath(askedPath(c)), fields.toString()];
  return sendHtml(c, loginPage({ email: '', next, notice, isRefused: true, kept, isLoggedIn: true }), 403);
}

/**
 * A link on another site leads here without the cookie, because the cookie is SameSite=Strict. This page asks for the same
 * address again, and then the cookie is sent.
 */
export function arrivedFromElsewhere(c: Context<ConsoleEnv>): Response | Promise<Response> | null {
  const isNavigation = c.req.method === 'GET' && c.req.header('sec-fetch-dest') === 'document';
  if (!isNavigation || c.req.header('sec-fetch-site') !== 'cross-site') return null;
  c.header('Refresh', '0');
  return sendHtml(c, barePage(t('Opening'), html`<p>${t('Opening the console.')} <a href="">${t('Continue')}</a></p>`));
}
