import type { Context, Hono } from 'hono';
import { type ApiProblem, createApiClient } from '../api-client.ts';
import { type Errors, textField } from '../components/form.ts';
import { type Html, html } from '../components/html.ts';
import { readFields } from '../forms.ts';
import { type Message, type Text, t } from '../language/message.ts';
import { barePage, flashBox } from '../layout.ts';
import type { ConsoleEnv } from '../page.ts';
import { fieldMessage, sentenceOf } from '../problems.ts';
import { sendHtml, sendRefused } from '../responses.ts';
import type { Sessions } from '../session/sessions.ts';

/** A forgotten password: asking for a link, and the page that the link opens. Nobody is logged in here. */

export function registerForgotten(app: Hono<ConsoleEnv>, sessions: Sessions): void {
  const api = (c: Context<ConsoleEnv>) => createApiClient(sessions.callerOf(c), null);

  app.get('/forgot', (c) => sendHtml(c, askPage('', null)));

  app.post('/forgot', async (c) => {
    const email = ((await readFields(c)).get('email') ?? '').trim();
    try {
      await api(c).post('/v1/auth/password/forgot', { body: { email } });
      return sendHtml(
        c,
        donePage(
          t('Check your mail'),
          t('If the address has an account, a link is on its way. It works for 30 minutes.'),
        ),
      );
    } catch (error) {
      return sendRefused(c, error, (problem) => askPage(email, noticeOf(problem)));
    }
  });

  app.get('/reset', (c) => sendHtml(c, resetPage(c.req.query('token') ?? '', null, {})));

  app.post('/reset', async (c) => {
    const fields = await readFields(c);
    const [token, newPassword] = [fields.get('token') ?? '', fields.get('newPassword') ?? ''];
    if (newPassword !== fields.get('repeated'))
      return sendHtml(c, resetPage(token, null, { repeated: t('The new passwords do not match.') }), 422);
    try {
      await api(c).post('/v1/auth/password/reset', { body: { token, newPassword } });
      sessions.clear(c);
      return sendHtml(
        c,
        donePage(t('Your password is changed'), t('All sessions have ended. Log in with the new password.')),
      );
    } catch (error) {
      return sendRefused(c, error, (problem) => {
        const about = fieldMessage(problem, 'newPassword');
        return resetPage(
          token,
          about === undefined ? noticeOf(problem) : null,
          about === undefined ? {} : { newPassword: about },
        );
      });
    }
  });
}

function noticeOf(problem: ApiProblem): Text {
  if (problem.code === 'invalid_credentials') return t('This link was used or has expired. Ask for a new one.');
  return problem.code === 'validation_failed' ? t('Enter your e-mail address.') : sentenceOf(problem);
}

function askPage(email: string, notice: Text | null): Html {
  return barePage(
    t('Forgotten password'),
    html`<h1>${t('Forgotten password')}</h1>
${flashBox(notice === null ? null : { tone: 'bad', text: notice })}
<form class="form card" method="post" action="/console/forgot">
${textField({ name: 'email', label: t('E-mail address'), type: 'email', autocomplete: 'username', isRequired: true, maxLength: 254, value: email, hint: t('You get a link with which you choose a new password.') })}
<div class="form-end"><button class="button primary">${t('Send the link')}</button></div>
</form>${toLogin}`,
    '/forgot',
  );
}

function resetPage(token: string, notice: Text | null, errors: Errors): Html {
  const field = (name: string, label: Message) =>
    textField({
      name,
      label,
      type: 'password',
      autocomplete: 'new-password',
      isRequired: true,
      maxLength: 255,
      error: errors[name],
    });
  return barePage(
    t('Choose a new password'),
    html`<h1>${t('Choose a new password')}</h1>
${flashBox(notice === null ? null : { tone: 'bad', text: notice })}
<form class="form card" method="post" action="/console/reset"><input type="hidden" name="token" value="${token}">
${field('newPassword', t('New password'))}${field('repeated', t('New password again'))}
<div class="form-end"><button class="button primary">${t('Change the password')}</button></div>
</form><p><a href="/console/forgot">${t('Send another link')}</a></p>`,
  );
}

const donePage = (title: Message, text: Message): Html =>
  barePage(title, html`<h1>${title}</h1><p>${text}</p>${toLogin}`);

const toLogin = html`<p><a href="/console/login">${t('Log in')}</a></p>`;
