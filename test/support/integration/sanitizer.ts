import { ID_PREFIX } from '../../../src/domain/ids.ts';
import type { TestService } from '../service.ts';

/** Replaces the values that differ between two runs of the same story: ids, times, secrets, addresses and measurements. */

const PREFIXES = Object.values(ID_PREFIX).join('|');
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ID = new RegExp(`\\b(?:(${PREFIXES})_)?${UUID}\\b`, 'g');
const INSTANT = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g;
const HOUR_MS = 3_600_000;
/** The story's time in the examples. Its instants are rounded to hours. */
const SHOWN_START_MS = Date.parse('2026-01-31T09:00:00.000Z');

/** Secrets by field. An example shows the same text wherever the secret occurs. */
const SECRETS: Readonly<Record<string, string>> = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.example.example',
  mfaToken: 'eyJhbGciOiJIUzI1NiJ9.example.second-step',
  refreshToken: 'QWxhIG1hIGtvdGEgYSBrb3QgbWEgYWxl',
  key: 'esc_t_0123456789abcdefghijklmnopqrstuv',
  secret: 'whsec_example-example-example',
  secret_key: 'esc_t_abcdefghijklmnopqrstuv0123456789',
  key_prefix: '01234567',
  temporaryPassword: 'k7Qw2mX9pL4vR8tZ',
  hash: 'Zk3vN8qT5wY1xB6mC9dF2gH4jK7lP0rS',
  buyerUrl: 'https://escrow.example/orders/Wq7Tz2LkN9pR4vX1mB6cY8dF3gH5jK0s',
  sellerUrl: 'https://escrow.example/orders/Hs5Jk0Wq7Tz2LkN9pR4vX1mB6cY8dF3g',
  checkoutId: '8AC7A4A07C1B4E2A9D3F5B6C7D8E9F01.sandbox-tx01',
  end_to_end_id: 'WD01900000000070008000000000000012',
  integrity: 'sha384-oqVuAfXRKap7fdgcCY5uykM6R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC',
  merchantReference: '0190a1b2c3d4e5f6',
  chainHead: 'c8fb73a9877ad69a115d2508d37dc2ea877ea478b31fe8ca0142c8b44b5323a1',
};
const SECRET_OF_APP = 'EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAM';
/** Of one-time passwords in messages. */
const SHOWN_CODE = '123456';
/** Measurements by field. */
const MEASURED: Readonly<Record<string, unknown>> = {
  uptimeSeconds: 3_600,
  durationMs: 22,
  ageSeconds: 60,
  historyLength: 40,
  unsealedTransactions: 1,
  lastMinutePerSecond: 0.5,
  p50: 0.9,
  p95: 2.1,
  p99: 4.8,
  checks: 1,
  value: 1,
  wokenRuns: 3,
  version: '0.1.0',
  ip: '203.0.113.7',
  period: '2026-01-01',
};

/** The bank takes a payment at an unknown time of the story. */
const VERSION_OF_PAYOUT = 3;

/** Objects that depend on when the last sweep ran. */
const WHOLE: Readonly<Record<string, unknown>> = {
  runs: {
    sweptAt: '2026-01-31T09:00:00.000Z',
    rowsChecked: 120,
    runsChecked: 120,
    healed: { missing: 0, behind: 0, overdue: 0, final: 0, stuck: 0 },
    needAttention: 0,
  },
};

/** The number of escrows that wait for a payment. The one whose phone was prompted is paid at an unknown time of the story. */
const isCountOfPending = (value: object) => 'metric' in value && 'label' in value && value.label === 'PENDING';

/** A poll of an unpaid link. There are some only if the gateway was asked before the payment, or its answer came late. */
const isEarlyPoll = (value: object) =>
  'event' in value &&
  (value.event === 'POLL_POSTPONED' || value.event === 'POLL_HASTENED') &&
  'status' in value &&
  value.status !== 'ACCEPTED';

const isPassing = (value: unknown) =>
  typeof value === 'object' && value !== null && (isCountOfPending(value) || isEarlyPoll(value));

export function createSanitizer(service: TestService) {
  const startedMs = Date.now();
  const ids = new Map<string, string>();
  const numbers = new Map<string, string>();
  const counts = new Map<string, number>();
  /** Replaced as whole words only, because the digits of a code also occur in ids and amounts. */
  const words = new Map<string, string>();
  const texts = new Map<string, string>([
    [service.url, 'https://escrow.example'],
    [service.sandbox.url, 'https://gateway.example'],
  ]);

  const shownId = (id: string, prefix = '') => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    const shown = `${prefix === '' ? '' : `${prefix}_`}01900000-0000-7000-8000-${String(count).padStart(12, '0')}`;
    ids.set(id, shown);
    return shown;
  };
  const shownNumber = (number: string) => {
    const shown = numbers.get(number) ?? String(numbers.size + 1);
    numbers.set(number, shown);
    return shown;
  };
  const shownInstant = (instant: string) =>
    new Date(SHOWN_START_MS + Math.round((Date.parse(instant) - startedMs) / HOUR_MS) * HOUR_MS).toISOString();

  function sanitizeText(text: string): string {
    let shown = text;
    // Longer ones first: a key contains its prefix.
    const known = [...texts].sort(([one], [other]) => other.length - one.length);
    for (const [value, replacement] of known) shown = shown.replaceAll(value, replacement);
    shown = shown.replace(/[\w+-]+/g, (word) => words.get(word) ?? word);
    return shown.replace(ID, shownId).replace(INSTANT, shownInstant);
  }

  function sanitize(value: unknown, field = ''): unknown {
    if (typeof value === typeof MEASURED[field] && typeof value !== 'object') return MEASURED[field];
    // A repeated request and a posting that was rolled back use up a number too.
    if (field === 'id' && typeof value === 'string' && /^\d+$/.test(value)) return shownNumber(value);
    if (field === 'code' && typeof value === 'string' && /^\d{6}$/.test(value)) return SHOWN_CODE;
    if (typeof value === 'string') return sanitizeText(value);
    if (field in WHOLE && !Array.isArray(value)) return WHOLE[field];
    if (Array.isArray(value)) return value.filter((one) => !isPassing(one)).map((one) => sanitize(one));
    if (typeof value !== 'object' || value === null) return value;
    const shown = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, sanitize(inner, name)]));
    return 'version' in shown && 'end_to_end_id' in shown ? { ...shown, version: VERSION_OF_PAYOUT } : shown;
  }

  /** Remembers the secrets in an answer. */
  function learn(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const shown = name === 'secret' && 'otpauthUrl' in value ? SECRET_OF_APP : SECRETS[name];
      if (name === 'recoveryCodes' && Array.isArray(inner))
        for (const [index, code] of inner.entries())
          texts.set(code, `abcd-efgh-ijkl-${'abcdefghij'.charAt(index).repeat(4)}`);
      if (shown !== undefined && typeof inner === 'string') texts.set(inner, shown);
      else learn(inner);
    }
  }

  return {
    sanitize,
    learn,
    hide: (value: string, shown: string) => void texts.set(value, shown),
    hideWord: (word: string, shown: string) => void words.set(word, shown),
  };
}
