import { type Html, html, NOTHING } from '../components/html.ts';
import { barePage, flashBox } from '../layout.ts';

/** The page before a session. `next` is the path below `/console` that was asked for. */

export type LoginView = {
  readonly email: string;
  readonly next: string | null;
  /** Why the last try failed, or why the last session ended. */
  readonly notice: string | null;
  readonly isRefused: boolean;
};

export function loginPage({ email, next, notice, isRefused }: LoginView): Html {
  return barePage(
    'Log in',
    html`<h1>Escrow console</h1>
${flashBox(notice === null ? null : { tone: isRefused ? 'bad' : 'info', text: notice })}
<form class="form card" method="post" action="/console/login">
${next === null ? NOTHING : html`<input type="hidden" name="next" value="${next}">`}
<div class="field"><label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}" ${email === '' ? html`autofocus` : NOTHING}></div>
<div class="field"><label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="255" ${email === '' ? NOTHING : html`autofocus`}></div>
<div class="form-end"><button class="button primary">Log in</button></div>
</form>`,
  );
}
