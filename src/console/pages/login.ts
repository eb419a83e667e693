import { hidden, textField } from '../components/form.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { type Text, t } from '../language/message.ts';
import { barePage, flashBox } from '../layout.ts';

/** The page before a session. `next` is the path below `/console` that was asked for. */

type LoginView = {
  readonly email: string;
  readonly next: string | null;
  /** Why the last try failed, or why the last session ended. */
  readonly notice: Text | null;
  readonly isRefused: boolean;
  /** The form that was sent after the session had ended, URL-encoded. */
  readonly kept: string | null;
  /** Somebody is logged in already, and may go on without the form. */
  readonly isLoggedIn?: boolean;
};

export function loginPage({ email, next, notice, isRefused, kept, isLoggedIn = false }: LoginView): Html {
  return barePage(
    t('Log in'),
    html`<h1>${t('Escrow console')}</h1>
${flashBox(notice === null ? null : { tone: isRefused ? 'bad' : 'info', text: notice })}
<form class="form card" method="post" action="/console/login">
${next === null ? NOTHING : hidden('next', next)}${kept === null ? NOTHING : hidden('kept', kept)}
<div class="field"><label for="email">${t('E-mail address')}</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}" ${email === '' ? html`autofocus` : NOTHING}></div>
<div class="field"><label for="password">${t('Password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="255" ${email === '' ? NOTHING : html`autofocus`}></div>
<div class="form-end"><button class="button primary">${t('Log in')}</button></div>
</form><p><a href="/console/forgot">${t('Forgotten password')}</a></p>${isLoggedIn ? html`<p><a href="/console">${t('Go to the console')}</a></p>` : NOTHING}`,
    kept === null ? (next ?? '/') : null, // another language would lose the form that is kept
  );
}

/** The second step: the password was right. */
export function codePage({
  email,
  mfaToken,
  next,
  notice,
  kept,
}: Pick<LoginView, 'email' | 'next' | 'notice' | 'kept'> & { readonly mfaToken: string }): Html {
  return barePage(
    t('Log in'),
    html`<h1>${t('Escrow console')}</h1>
${flashBox(notice === null ? null : { tone: 'bad', text: notice })}
<form class="form card" method="post" action="/console/login/code">
${hidden('email', email)}${hidden('mfaToken', mfaToken)}${next === null ? NOTHING : hidden('next', next)}${kept === null ? NOTHING : hidden('kept', kept)}
${codeField('code')}
<div class="form-end"><button class="button primary">${t('Log in')}</button></div>
</form><p><a href="/console/login">${t('Start again')}</a></p>`,
  );
}

/** For a code of the second factor. */
export function codeField(name: string, error?: Text): Html {
  return textField({
    name,
    label: t('Code'),
    hint: t('The six digits of your authenticator app, or one of your recovery codes.'),
    autocomplete: 'one-time-code',
    isRequired: true,
    maxLength: 64,
    error,
  });
}

/** After the login: a form that was filled in before it. Its page shows it again, and only then it can be sent. */
export function keptFormPage(next: string, kept: URLSearchParams): Html {
  return barePage(
    t('Your form'),
    html`<h1>${t('You are logged in')}</h1>
<form class="form card" method="post" action="/console${next}">
<p>${t('The form that you filled in was not sent, because your session had ended. What you typed is still there.')}</p>
${[...kept].map(([name, value]) => hidden(name, value))}
<div class="form-end"><button class="button primary" autofocus>${t('Open the form again')}</button></div>
</form>`,
  );
}
