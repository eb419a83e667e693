import { html } from '../components/html.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { withTokens } from '../session/session.ts';

/** Changing the password: at any time, and before anything else if the password is temporary. */

const field = (name: string, label: string, autocomplete: string) =>
  html`<div class="field"><label for="f-${name}">${label}</label>
<input id="f-${name}" name="${name}" type="password" autocomplete="${autocomplete}" required maxlength="255"></div>`;

export const passwordPage: ConsolePage = {
  path: '/password',
  title: 'Change your password',
  who: 'read',
  show: async (visit: Visit) => ({
    main: html`<form class="form card" method="post" action="/console/password">
<input type="hidden" name="csrf" value="${visit.csrf}">
<p>${visit.session.mustChangePassword ? 'Your password is temporary. Choose your own before you go on.' : 'All your other sessions end when the password changes.'}</p>
${field('currentPassword', 'Current password', 'current-password')}
${field('newPassword', 'New password', 'new-password')}
${field('repeated', 'New password again', 'new-password')}
<div class="form-end"><button class="button primary">Change the password</button></div>
</form>`,
  }),
  act: async ({ api, session, now }, form) => {
    const [currentPassword, newPassword, repeated] = ['currentPassword', 'newPassword', 'repeated'].map(
      (name) => form.fields.get(name) ?? '',
    );
    if (newPassword !== repeated) form.refuse('repeated', 'The two new passwords differ.');
    const tokens = await api.post('/v1/auth/password', {
      body: { currentPassword: currentPassword ?? '', newPassword: newPassword ?? '' },
    });
    return {
      to: '/',
      flash: { tone: 'good', text: 'Your password is changed. All other sessions have ended.' },
      session: withTokens(session, tokens, now.getTime()),
    };
  },
};
