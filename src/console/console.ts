import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { ApiProblem } from './api-client.ts';
import { ASSETS } from './assets.ts';
import { type Html, html, NOTHING } from './components/html.ts';
import { isUpload, readFields } from './forms.ts';
import { chooseLanguage } from './language/languages.ts';
import { type Text, t } from './language/message.ts';
import { barePage } from './layout.ts';
import type { ConsoleEnv } from './page.ts';
import { PAGES } from './pages/index.ts';
import { sentenceOf, sentenceOfRefusal } from './problems.ts';
import { ownPath, redirectTo, sendHtml } from './responses.ts';
import { registerForgotten } from './routes/forgotten.ts';
import { registerLogin } from './routes/login.ts';
import { registerPage } from './routes/pages.ts';
import { isFromOurPages } from './session/csrf.ts';
import { type ConsoleOptions, createSessions } from './session/sessions.ts';

/**
 * The console: pages for people over the operations of the REST interface. It has no other way to data: see api-client.ts and
 * docs/adr/0025. The API process mounts it at `/console`.
 */
export function createConsole(options: ConsoleOptions): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  const sessions = createSessions(options);

  app.onError((error, c) => {
    if (error instanceof ApiProblem) return sendHtml(c, failure(sentenceOf(error)), error.status);
    if (c.req.raw.signal.aborted) {
      c.var.log.warn({ err: error }, 'the client disconnected');
      return c.body(null, 408);
    }
    c.var.log.error({ err: error }, 'a page of the console failed');
    return sendHtml(c, failure(t('Something went wrong on our side.')), 500);
  });
  app.get('/assets/:file', (c) => {
    const asset = ASSETS.get(`/assets/${c.req.param('file')}`);
    if (asset === undefined) return sendHtml(c, failure(t('File not found.')), 404);
    const isGzipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
    return c.body(new Uint8Array(isGzipped ? asset.gzipped : asset.content), 200, {
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      Vary: 'Accept-Encoding',
      ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
    });
  });
  app.use(async (c, next) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !isFromOurPages(c.req))
      return sendHtml(c, failure(t('The form was sent from another site, so nothing was done.')), 403);
    return next();
  });
  // Behind it pages read whole forms. A form with a file has limits of its own.
  const limitForms = bodyLimit({ maxSize: options.maxFormBytes, onError: tooLong });
  app.use((c, next) => (isUpload(c) ? next() : limitForms(c, next)));
  app.post('/language', async (c) => {
    const fields = await readFields(c);
    chooseLanguage(c, fields.get('language') ?? '', options.baseUrl.startsWith('https:'));
    return redirectTo(c, ownPath(fields.get('next')) ?? '/');
  });
  registerLogin(app, sessions);
  registerForgotten(app, sessions);
  const pages = PAGES.filter(({ isSandboxOnly = false }) => !isSandboxOnly || !options.settings.isProduction);
  for (const page of pages) registerPage(app, sessions, page, options);
  app.all('*', (c) => sendHtml(c, failure(t('Page not found.')), 404));
  return app;
}

const failure = (text: Text, more: Html = NOTHING) =>
  barePage(t('Not shown'), html`<h1>${text}</h1>${more}<p><a href="/console">${t('Go to the console')}</a></p>`);

/** The form is not read, so it cannot be shown again. */
function tooLong(c: Context<ConsoleEnv>): Response | Promise<Response> {
  c.header('Connection', 'close');
  const text = sentenceOfRefusal('payload_too_large');
  return sendHtml(c, failure(text, html`<p>${t('Your browser keeps what you typed: go back to the form.')}</p>`), 413);
}
