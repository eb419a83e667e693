import { confirmation, form, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { actionField, entered } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { Visit } from '../../page.ts';
import { endpointFields, MAX_GRACE_HOURS } from './fields.ts';

/** What can be done with an endpoint. */

type Endpoint = {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly events: readonly string[];
  readonly description: string | null;
};

export function endpointActions(visit: Visit, found: Endpoint): Html {
  const action = `/console/webhooks/${found.id}`;
  const { csrf } = visit;
  const isEnabled = found.status === 'ENABLED';
  const zone = visit.language.timeZone;
  const [replay, rotate] = [entered(visit, 'replay'), entered(visit, 'rotate')];
  return html`<div class="actions">${form({ action, csrf, fields: actionField('ping'), submit: t('Send a ping'), tone: 'plain' })}${form(
    {
      action,
      csrf,
      fields: html`${actionField('switch')}<input type="hidden" name="status" value="${isEnabled ? 'DISABLED' : 'ENABLED'}">`,
      submit: isEnabled ? t('Disable') : t('Enable'),
      tone: 'plain',
    },
  )}</div><div class="actions">${confirmation({
    label: t('Change'),
    consequence: t('What is not delivered yet goes to the new address.'),
    action,
    csrf,
    isOpen: entered(visit, 'change').isRefused,
    fields: endpointFields(visit, 'change', found),
    confirm: t('Save'),
  })}${confirmation({
    label: t('Replay'),
    consequence: t('The events of that time are sent once more, with the same ids.'),
    action,
    csrf,
    isOpen: replay.isRefused,
    fields: [
      actionField('replay'),
      textField({
        name: 'from',
        label: t('From, time of {zone}', { zone }),
        type: 'datetime-local',
        isRequired: true,
        value: replay.value('from'),
        error: replay.error('from'),
      }),
      textField({
        name: 'to',
        label: t('Until, time of {zone}', { zone }),
        type: 'datetime-local',
        value: replay.value('to'),
        error: replay.error('to'),
      }),
    ],
    confirm: t('Replay'),
  })}${confirmation({
    label: t('New secret'),
    consequence: t('Signatures are made with the new secret. For the hours that you give, the old secret signs too.'),
    action,
    csrf,
    isOpen: rotate.isRefused,
    fields: [
      actionField('rotate'),
      textField({
        name: 'graceHours',
        label: t('Hours'),
        type: 'number',
        min: 0,
        max: MAX_GRACE_HOURS,
        value: rotate.value('graceHours', String(MAX_GRACE_HOURS)),
        error: rotate.error('graceHours'),
        isRequired: true,
      }),
    ],
    confirm: t('Create a new secret'),
  })}${confirmation({
    label: t('Remove'),
    consequence: t('Nothing is sent to it any more. Events stay in the feed.'),
    action,
    csrf,
    fields: actionField('remove'),
    confirm: t('Remove the endpoint'),
    tone: 'danger',
  })}</div>`;
}
