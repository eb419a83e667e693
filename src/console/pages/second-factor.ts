import { ApiProblem } from '../api-client.ts';
import { form, hidden } from '../components/form.ts';
import { html, NOTHING } from '../components/html.ts';
import { card, notice, qrCode } from '../components/parts.ts';
import { t } from '../language/message.ts';
import type { ConsolePage, Screen, Visit } from '../page.ts';
import { codeNotice, ownProblem } from '../problems.ts';
import { codeField } from './login.ts';

/** The reader's own second factor: setting up an authenticator app, and disabling it. */

const PATH = '/console/second-factor';

export const secondFactorPage: ConsolePage = {
  path: '/second-factor',
  title: t('Second factor'),
  who: 'read',
  isAboutReader: true,
  show: async ({ session, csrf }) => ({
    main: session.hasMfa
      ? enabled(csrf)
      : html`<div class="card">
${session.mustEnrolMfa ? html`<p><strong>${t('A second factor is required before you go on.')}</strong></p>` : NOTHING}
<p>${t('Besides your password, a login then needs a code of an app on your phone, and so do payouts, bank details, keys and administrators.')}</p>
${form({ action: PATH, csrf, fields: hidden('step', 'begin'), submit: t('Set up an authenticator app') })}</div>`,
  }),
  act: async (visit, { text }) => {
    const { api, session } = visit;
    if (text('step') === 'begin') {
      const { secret, otpauthUrl } = await api.post('/v1/auth/totp');
      return scanScreen(visit, { secret, otpauthUrl }, null);
    }
    const code = text('code');
    if (text('step') === 'disable') {
      await api.post('/v1/auth/totp/disable', { body: { code } }).catch(aboutCode);
      return {
        to: '/second-factor',
        flash: { tone: 'info', text: t('Your second factor is disabled.') },
        session: { ...session, hasMfa: false, mfaCode: null },
      };
    }
    try {
      const { recoveryCodes } = await api.post('/v1/auth/totp/confirm', { body: { code } });
      return { ...recoveryScreen(recoveryCodes), session: { ...session, hasMfa: true, mustEnrolMfa: false } };
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== 'invalid_credentials') throw error;
      return scanScreen(visit, { secret: text('secret'), otpauthUrl: text('otpauthUrl') }, error);
    }
  },
};

/** The API says about a wrong code what it says about a wrong password. */
function aboutCode(error: unknown): never {
  if (!(error instanceof ApiProblem) || error.code !== 'invalid_credentials') throw error;
  throw ownProblem('factor_code_wrong');
}

function enabled(csrf: string) {
  return html`<div class="card"><p>${t('Your second factor is enabled.')} ${t('To use another phone, disable it and set it up again.')}</p>
${form({ action: PATH, csrf, fields: html`${hidden('step', 'disable')}${codeField('code')}`, submit: t('Disable the second factor'), tone: 'danger' })}</div>`;
}

function scanScreen(
  { csrf }: Visit,
  { secret, otpauthUrl }: { readonly secret: string; readonly otpauthUrl: string },
  problem: ApiProblem | null,
): Screen {
  return {
    ...(problem === null ? {} : { status: problem.status }),
    main: html`${problem === null ? NOTHING : notice({ tone: 'bad', text: codeNotice(problem), isFirst: true })}${card({
      title: t('Scan this with your authenticator app'),
      body: html`${otpauthUrl === '' ? NOTHING : qrCode(otpauthUrl, t('QR code for your authenticator app'))}
<p>${t('Or type this key into the app:')}</p><code class="secret" data-copy="${t('the secret')}">${secret}</code>
${form({
  action: PATH,
  csrf,
  fields: html`${hidden('step', 'confirm')}${hidden('secret', secret)}${hidden('otpauthUrl', otpauthUrl)}${codeField('code')}`,
  submit: t('Enable the second factor'),
})}`,
    })}`,
  };
}

function recoveryScreen(codes: readonly string[]): Screen {
  return {
    title: t('Your second factor is enabled.'),
    isShownOnce: true,
    main: card({
      title: t('Recovery codes'),
      body: html`${notice({ tone: 'warn', text: t('Keep these codes where your phone is not. Each one works once, in place of the app. They are not shown again.') })}
<code class="secret" data-copy="${t('Recovery codes')}">${codes.join('\n')}</code><p><a class="button primary" href="/console">${t('I have copied it')}</a></p>`,
    }),
  };
}
