import { confirmation, form, textField } from '../../components/form.ts';
import { type Html, html } from '../../components/html.ts';
import { actionField, entered } from '../../entered.ts';
import type { Visit } from '../../page.ts';
import { endpointFields } from './fields.ts';

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
  const replay = entered(visit, 'replay');
  return html`<div class="actions">${form({ action, csrf, fields: actionField('ping'), submit: 'Send a ping', tone: 'plain' })}${form(
    {
      action,
      csrf,
      fields: html`${actionField('switch')}<input type="hidden" name="status" value="${isEnabled ? 'DISABLED' : 'ENABLED'}">`,
      submit: isEnabled ? 'Disable' : 'Enable',
      tone: 'plain',
    },
  )}</div><div class="actions">${confirmation({
    label: 'Change',
    consequence: 'Later events go to the new address.',
    action,
    csrf,
    isOpen: entered(visit, 'change').isRefused,
    fields: endpointFields(visit, 'change', found),
    confirm: 'Save',
  })}${confirmation({
    label: 'Replay',
    consequence: 'The events of that time are sent once more, with the same ids.',
    action,
    csrf,
    isOpen: replay.isRefused,
    fields: [
      actionField('replay'),
      textField({
        name: 'from',
        label: 'From, UTC',
        type: 'datetime-local',
        isRequired: true,
        value: replay.value('from'),
        error: replay.error('from'),
      }),
      textField({
        name: 'to',
        label: 'Until, UTC',
        type: 'datetime-local',
        value: replay.value('to'),
        error: replay.error('to'),
      }),
    ],
    confirm: 'Replay',
  })}${confirmation({
    label: 'New secret',
    consequence: 'Signatures are made with the new secret. For the hours that you give, the old secret signs too.',
    action,
    csrf,
    fields: [
      actionField('rotate'),
      textField({ name: 'graceHours', label: 'Hours', type: 'number', min: 0, max: 24, value: '24', isRequired: true }),
    ],
    confirm: 'Make a new secret',
  })}${confirmation({
    label: 'Remove',
    consequence: 'Nothing is sent to it any more. Events stay in the feed.',
    action,
    csrf,
    fields: actionField('remove'),
    confirm: 'Remove the endpoint',
    tone: 'danger',
  })}</div>`;
}
