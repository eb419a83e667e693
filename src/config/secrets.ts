/**
 * How hard a secret must be to guess in production. Every secret needs a minimum length and different characters. Secrets that
 * operators choose must not contain words that attackers try first. Secrets that providers issue, and random keys, must only not
 * be placeholders.
 */

import { ADAPTER_VARIABLES } from './adapters.ts';
import { MIN_SECRET_BYTES } from './forms.ts';

type Rule = {
  readonly minCharacters: number;
  /** Whether an operator chooses it; else a provider or a generator of random keys makes it. */
  readonly isChosen: boolean;
  /** The variable is the secret, or an address with the secret as its password. */
  readonly holds: 'secret' | 'address';
};

const chosen = (minCharacters: number): Rule => ({ minCharacters, isChosen: true, holds: 'secret' });
const made = (minCharacters: number): Rule => ({ minCharacters, isChosen: false, holds: 'secret' });
const MIN_DATABASE_PASSWORD_CHARACTERS = 16;
const databaseAddress: Rule = { ...chosen(MIN_DATABASE_PASSWORD_CHARACTERS), holds: 'address' };

/** Every variable that is a secret or contains one. */
const SECRETS: Readonly<Record<string, Rule>> = {
  JWT_SECRET: chosen(MIN_SECRET_BYTES),
  FIELD_ENCRYPTION_KEYS: made(44), // random bytes by their form already
  AUDIT_SIGNING_KEY: made(44),
  DATABASE_URL: databaseAddress,
  DATABASE_DIRECT_URL: databaseAddress,
  DATABASE_READ_URL: databaseAddress,
  DATABASE_API_PASSWORD: chosen(MIN_DATABASE_PASSWORD_CHARACTERS),
  DATABASE_WORKER_PASSWORD: chosen(MIN_DATABASE_PASSWORD_CHARACTERS),
  PLATFORM_ADMIN_PASSWORD: chosen(14),
  TEMPORAL_API_KEY: made(16),
  STORAGE_S3_SECRET_ACCESS_KEY: made(16),
  WHATSAPP_ACCESS_TOKEN: made(16),
  WHATSAPP_APP_SECRET: made(16),
  WHATSAPP_VERIFY_TOKEN: chosen(16),
  SMTP_URL: { ...made(8), holds: 'address' },
  PAYOUT_TOKEN: made(12),
  ...Object.fromEntries(
    ADAPTER_VARIABLES.flatMap(({ name, minSecretCharacters }) =>
      minSecretCharacters === undefined ? [] : [[name, made(minSecretCharacters)]],
    ),
  ),
};
export const SECRET_VARIABLES: readonly string[] = Object.keys(SECRETS);

const MIN_DISTINCT_CHARACTERS = 8;
const TRIED_FIRST = /change.?me|example|placeholder|secret|passw|default|qwert|12345|abcde|admin|escrow/i;
/** Long enough not to occur in random text by chance. */
const PLACEHOLDERS = /change.?me|placeholder|^<|^your[-_. ]|sandbox|example/i;

/** Why production refuses a secret; `undefined` if it does not. The text never contains the secret. */
export function weakness(variable: string, value: string): string | undefined {
  const rule = SECRETS[variable];
  if (rule === undefined) return undefined;
  const { minCharacters, isChosen, holds } = rule;
  const text = holds === 'address' ? passwordIn(value) : value;
  if (text === undefined) return undefined;
  if (text.length < minCharacters) return `must have at least ${minCharacters} characters in production`;
  if ((isChosen ? TRIED_FIRST : PLACEHOLDERS).test(text))
    return 'looks like a placeholder; production needs a random one';
  return new Set(text).size < MIN_DISTINCT_CHARACTERS ? 'is too easy to guess for production' : undefined;
}

/** Whether the secret in the variable is the password of an address. */
export function holdsPassword(variable: string): boolean {
  return SECRETS[variable]?.holds === 'address';
}

/** Undefined if there is none: the database authenticates by a certificate or by the socket's user. */
function passwordIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { password } = new URL(address);
  return password === '' ? undefined : decodeURIComponent(password);
}
