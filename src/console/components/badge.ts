import { type Text, t } from '../language/message.ts';
import { isStatusText } from '../language/texts/statuses.ts';
import { type Html, html } from './html.ts';

/** The colour of a status. The badge says the status in words too. */
type Tone = 'good' | 'bad' | 'warn' | 'active' | 'quiet';

/** Every status of the interface. A status without a row here is quiet. */
const TONES: Readonly<Record<string, Tone>> = {
  // escrows and links
  PENDING: 'quiet',
  ACTIVE: 'active',
  DELIVERY_NOTED: 'active',
  GOODS_RECEIVED: 'active',
  DISPUTED: 'warn',
  COMPLETED: 'good',
  RESOLVED: 'good',
  CANCELLED: 'quiet',
  ACCEPTED: 'good',
  REJECTED: 'bad',
  EXPIRED: 'quiet',
  LAPSED: 'quiet',
  RELEASED: 'good',
  REFUNDED: 'quiet',
  // money
  PROCESSING: 'active',
  FAILED: 'bad',
  REVERSED: 'bad',
  OPEN: 'warn',
  SETTLED: 'good',
  SUSPENSE: 'warn',
  FROZEN: 'bad',
  // attempts of a link
  started: 'active',
  succeeded: 'good',
  declined: 'bad',
  // users
  CLEAR: 'good',
  APPROVED: 'good',
  BLACKLISTED: 'bad',
  // webhooks, keys, providers
  ENABLED: 'good',
  DELIVERED: 'good',
  DISABLED: 'bad',
  REVOKED: 'quiet',
  UP: 'good',
  DOWN: 'bad',
};

/** `DELIVERY_NOTED` → `Delivery noted`. */
export function statusWords(status: string): Text {
  const words = status.replaceAll('_', ' ').toLowerCase();
  const text = words.charAt(0).toUpperCase() + words.slice(1);
  return isStatusText(text) ? t(text) : text;
}

export function statusBadge(status: string, label: Text = statusWords(status)): Html {
  return badge(label, TONES[status] ?? 'quiet');
}

export function badge(label: Text, tone: Tone): Html {
  return html`<span class="badge ${tone}">${label}</span>`;
}
