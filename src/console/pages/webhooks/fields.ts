import { EVENT_TYPE_NAMES } from '../../../domain/events/event-types.ts';
import { MAX_ROTATION_GRACE_SECONDS } from '../../../domain/webhooks/retries.ts';
import { checkBoxes, textField } from '../../components/form.ts';
import type { Html } from '../../components/html.ts';
import { actionField, entered } from '../../entered.ts';
import { t } from '../../language/message.ts';
import type { Form, Visit } from '../../page.ts';

/** The fields of an endpoint. */

export const MAX_GRACE_HOURS = MAX_ROTATION_GRACE_SECONDS / 3_600;

export function endpointFields(
  visit: Visit,
  action: string,
  now: { url: string; events: readonly string[]; description: string | null },
): Html[] {
  const { value, error, isRefused } = entered(visit, action);
  const chosen = isRefused ? (visit.attempt?.form.all('events') ?? []) : now.events;
  return [
    actionField(action),
    textField({
      name: 'url',
      label: t('Address'),
      type: 'url',
      isRequired: true,
      value: value('url', now.url),
      error: error('url'),
      maxLength: 2_048,
    }),
    textField({
      name: 'description',
      label: t('Description'),
      value: value('description', now.description),
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
  const known = ['*' as const, ...EVENT_TYPE_NAMES];
  const chosen = known.filter((name) => sent.all('events').includes(name));
  return chosen.length === 0 ? sent.refuse('events', t('Choose at least one event.')) : chosen;
}
