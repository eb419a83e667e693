import { EVENT_TYPE_NAMES } from '../../../domain/events/event-types.ts';
import { MAX_ROTATION_GRACE_SECONDS } from '../../../domain/webhooks.ts';
import { checkBoxes, textField } from '../../components/form.ts';
import type { Html } from '../../components/html.ts';
import { edited } from '../../edited.ts';
import { actionField, entered } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { Form, Visit } from '../../page.ts';

/** The fields of an endpoint. */

export const MAX_GRACE_HOURS = MAX_ROTATION_GRACE_SECONDS / 3_600;

type EndpointValues = {
  readonly url: string;
  readonly events: readonly string[];
  readonly description: string | null;
};

/** What the fields show. The events are in the order of their boxes, as a browser sends them. */
export function shownValues({ url, events, description }: EndpointValues) {
  return { url, description: description ?? '', events: KNOWN.filter((name) => events.includes(name)).join('\n') };
}

const KNOWN = ['*' as const, ...EVENT_TYPE_NAMES];

export function endpointFields(visit: Visit, action: string, now: EndpointValues): Html[] {
  const { error, refused } = entered(visit, action);
  const { value, shown } = edited(refused, shownValues(now));
  const isNoneChosen = refused !== null && !refused.form.fields.has('events');
  const chosen = isNoneChosen ? [] : value('events').split('\n');
  return [
    actionField(action),
    shown,
    textField({
      name: 'url',
      label: t('Address'),
      type: 'url',
      isRequired: true,
      value: value('url'),
      error: error('url'),
      maxLength: 2_048,
    }),
    textField({
      name: 'description',
      label: t('Description'),
      value: value('description'),
      error: error('description'),
      maxLength: 255,
    }),
    checkBoxes({
      name: 'events',
      label: t('Events'),
      options: [
        { value: '*', label: t('All events') },
        ...EVENT_TYPE_NAMES.map((name) => ({ value: name, label: name })),
      ],
      chosen,
      error: error('events'),
    }),
  ];
}

/** The API validates the names. */
export function eventsOf(sent: Form): ('*' | (typeof EVENT_TYPE_NAMES)[number])[] {
  const chosen = KNOWN.filter((name) => sent.all('events').includes(name));
  return chosen.length === 0 ? sent.refuse('events', t('Choose at least one event.')) : chosen;
}
