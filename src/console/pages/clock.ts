import { permits } from '../../domain/roles.ts';
import { MAX_ADVANCE_HOURS } from '../../domain/time.ts';
import { confirmation, textField } from '../components/form.ts';
import { html, NOTHING } from '../components/html.ts';
import { card, figures } from '../components/parts.ts';
import { momentText, time } from '../components/time.ts';
import { actionField, actions, entered, wholeOf, withFieldNames } from '../entered.ts';
import { t } from '../language/message.ts';
import type { ConsolePage } from '../page.ts';

/** The company's test clock. Production has none. */
export const clockPage: ConsolePage = {
  path: '/clock',
  title: t('Test clock'),
  who: 'read',
  isSandboxOnly: true,
  menu: { section: 'Company', label: t('Test clock') },
  show: async (visit) => {
    const clock = await visit.api.get('/v1/sandbox/clock');
    const { value, error, isRefused } = entered(visit, 'advance');
    return {
      main: html`<div class="page-head"><p>${t('Deadlines of escrows, links, withdrawals and proposals follow the company’s time. The ledger and the audit log keep real time.')}</p></div>
${card({
  title: t('Time'),
  body: html`${figures([
    { name: t('The company’s time'), value: time(clock.now) },
    { name: t('Real time'), value: time(clock.realNow) },
    { name: t('Ahead by'), value: t('{hours} h', { hours: Math.round(clock.hoursAhead) }) },
  ])}${
    permits(visit.session.role, 'manage_company')
      ? confirmation({
          label: t('Move the time forward'),
          consequence: t(
            'Everything that is due by then happens now: releases, expiries, lapsed proposals. Time never moves back.',
          ),
          action: '/console/clock',
          csrf: visit.csrf,
          isOpen: isRefused,
          fields: [
            actionField('advance'),
            textField({
              name: 'hours',
              label: t('Hours'),
              type: 'number',
              min: 1,
              max: MAX_ADVANCE_HOURS,
              isRequired: true,
              value: value('hours', '24'),
              error: error('hours'),
            }),
          ],
          confirm: t('Move the time'),
          tone: 'danger',
        })
      : NOTHING
  }`,
})}`,
    };
  },
  act: actions({
    advance: async ({ api }, sent) => {
      const clock = await withFieldNames(
        api.post('/v1/sandbox/clock', {
          idempotencyKey: sent.idempotencyKey,
          body: { advanceHours: wholeOf(sent, 'hours') },
        }),
        (path) => (path === 'advanceHours' ? 'hours' : path),
      );
      const text = t(
        '{runs, plural, one {The company’s time is {time}. # run was notified.} other {The company’s time is {time}. # runs were notified.}}',
        { runs: clock.wokenRuns, time: momentText(clock.now) },
      );
      return { to: '/clock', flash: { tone: 'good', text } };
    },
  }),
};
