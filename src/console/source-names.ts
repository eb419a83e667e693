import type { Source } from '../domain/source.ts';
import { type Message, t } from './language/message.ts';

/** Where an act came from, for people. */
export const SOURCE_NAMES = {
  API: t('API'),
  CONSOLE: t('Console'),
  CHECKOUT: t('Checkout'),
  ORDER_PAGE: t('Order page'),
  TEMPORAL: t('Temporal, past the API'),
  TIMER: t('Deadline'),
  PROVIDER: t('Payment provider'),
  SYSTEM: t('The service'),
} as const satisfies Readonly<Record<Source, Message>>;
