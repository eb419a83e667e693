import { MAX_ADVANCE_HOURS } from '../../domain/clock.ts';
import { permits } from '../../domain/roles.ts';
import { confirmation, textField } from '../components/form.ts';
import { html, NOTHING } from '../components/html.ts';
import { card, figures } from '../components/parts.ts';
import { momentText, time } from '../components/time.ts';
import { actionField, actions, entered, wholeOf } from '../entered.ts';
import type { ConsolePage } from '../page.ts';

/** The company's test clock. Production has none. */
export const clockPage: ConsolePage = {
  path: '/clock',
  title: 'Test clock',
  who: 'read',
  isSandboxOnly: true,
  menu: { section: 'Company', label: 'Test clock' },
  show: async (visit) => {
    const clock = await visit.api.get('/v1/sandbox/clock');
    const { value, error, isRefused } = entered(visit, 'advance');
    return {
      main: html`<div class="page-head"><p>Deadlines of escrows, links, withdrawals and proposals follow the company’s time. The ledger and the audit log keep real time.</p></div>
${card({
  title: 'Time',
  body: html`${figures([
    { name: 'The company’s time', value: time(clock.now) },
    { name: 'Real time', value: time(clock.realNow) },
    { name: 'Ahead by', value: `${Math.round(clock.hoursAhead)} h` },
  ])}${
    permits(visit.session.role, 'manage_company')
      ? confirmation({
          label: 'Move the time forward',
          consequence:
            'Everything that is due by then happens now: releases, expiries, reminders. Time never moves back.',
          action: '/console/clock',
          csrf: visit.csrf,
          isOpen: isRefused,
          fields: [
            actionField('advance'),
            textField({
              name: 'hours',
              label: 'Hours',
              type: 'number',
              min: 1,
              max: MAX_ADVANCE_HOURS,
              isRequired: true,
              value: value('hours', '24'),
              error: error('hours'),
            }),
          ],
          confirm: 'Move the time',
          tone: 'danger',
        })
      : NOTHING
  }`,
})}`,
    };
  },
  act: actions({
    advance: async ({ api }, sent) => {
      const clock = await api.post('/v1/sandbox/clock', {
        idempotencyKey: sent.idempotencyKey,
        body: { advanceHours: wholeOf(sent, 'hours') },
      });
      const text = `The company’s time is ${momentText(clock.now)} UTC. ${clock.wokenRuns} runs were told.`;
      return { to: '/clock', flash: { tone: 'good', text } };
    },
  }),
};
