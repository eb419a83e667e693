import { form, textField } from '../components/form.ts';
import { type Html, html } from '../components/html.ts';
import { type Message, t } from '../language/message.ts';
import type { ConsolePage, Visit } from '../page.ts';
import { fieldMessage } from '../problems.ts';
import { withTokens } from '../session/session.ts';

/** Changing the password: at any time, and before anything else if the password is temporary. */

export const passwordPage: ConsolePage = {
  path: '/password',
  title: t('Change your password'),
  who: 'read',
  isAboutReader: true,
  hasPasswords: true,
  show: async (visit: Visit) => ({
    main: html`<div class="card">
<p>${visit.session.mustChangePassword ? t('Your password is temporary. Choose your own before you go on.') : t('All your other sessions end when the password changes.')}</p>
${form({
  action: '/console/password',
  csrf: visit.csrf,
  submit: t('Change the password'),
  fields: [
    field(visit, 'currentPassword', t('Current password'), 'current-password'),
    field(visit, 'newPassword', t('New password'), 'new-password'),
    field(visit, 'repeated', t('New password again'), 'new-password'),
  ],
})}</div>`,
  }),
  act: async ({ api, session, now }, form) => {
    const [currentPassword, newPassword, repeated] = ['currentPassword', 'newPassword', 'repeated'].map(
      (name) => form.fields.get(name) ?? '',
    );
    if (newPassword !== repeated) form.refuse('repeated', t('The new passwords do not match.'));
    const tokens = await api.post('/v1/auth/password', {
      body: { currentPassword: currentPassword ?? '', newPassword: newPassword ?? '' },
    });
    return {
      to: '/',
      flash: { tone: 'good', text: t('Your password is changed. All other sessions have ended.') },
      session: withTokens(session, tokens, now.getTime()),
    };
  },
};

/** Passwords that were typed are never sent back. */
function field({ refused }: Visit, name: string, label: Message, autocomplete: string): Html {
  return textField({
    name,
    label,
    type: 'password',
    autocomplete,
    isRequired: true,
    maxLength: 255,
    error: fieldMessage(refused?.problem, name),
  });
}
