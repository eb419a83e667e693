/**
 * How hard a secret must be to guess in production. Secrets of our own need a minimum length and must not contain words that
 * attackers try first. Secrets of providers must only not be placeholders, because operators cannot choose them.
 */

import { ADAPTER_VARIABLES } from './adapters.ts';

type Rule = { readonly minCharacters: number; readonly issuedBy: 'us' | 'others' };

const ours = (minCharacters: number): Rule => ({ minCharacters, issuedBy: 'us' });
const theirs = (minCharacters: number): Rule => ({ minCharacters, issuedBy: 'others' });

/** Every variable that is a secret or contains one. */
const SECRETS: Readonly<Record<string, Rule>> = {
  JWT_SECRET: ours(32),
  FIELD_ENCRYPTION_KEYS: theirs(44), // random bytes by their form already
  AUDIT_SIGNING_KEY: theirs(44),
  DATABASE_URL: ours(16), // its password
  DATABASE_READ_URL: ours(16), // the same
  DATABASE_API_PASSWORD: ours(16),
  DATABASE_WORKER_PASSWORD: ours(16),
  PLATFORM_ADMIN_PASSWORD: ours(14),
  TEMPORAL_API_KEY: theirs(16),
  STORAGE_S3_SECRET_ACCESS_KEY: theirs(16),
  WHATSAPP_ACCESS_TOKEN: theirs(16),
  WHATSAPP_APP_SECRET: theirs(16),
  WHATSAPP_VERIFY_TOKEN: ours(16),
  PAYOUT_TOKEN: theirs(12),
  ...Object.fromEntries(
    ADAPTER_VARIABLES.flatMap(({ name, minSecretCharacters }) =>
      minSecretCharacters === undefined ? [] : [[name, theirs(minSecretCharacters)]],
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
  const { minCharacters, issuedBy } = rule;
  const text = isDatabaseUrl(variable) ? passwordIn(value) : value;
  if (text === undefined) return undefined;
  if (text.length < minCharacters) return `must have at least ${minCharacters} characters in production`;
  if ((issuedBy === 'us' ? TRIED_FIRST : PLACEHOLDERS).test(text))
    return 'looks like a placeholder; production needs a random one';
  return new Set(text).size < MIN_DISTINCT_CHARACTERS ? 'is too easy to guess for production' : undefined;
}

/** Empty if the database authenticates by a certificate or by the socket's user. */
/** Whether the secret in the variable is the password of an address. */
export function isDatabaseUrl(variable: string): boolean {
  return variable === 'DATABASE_URL' || variable === 'DATABASE_READ_URL';
}

function passwordIn(databaseUrl: string): string | undefined {
  if (!URL.canParse(databaseUrl)) return undefined;
  const { password } = new URL(databaseUrl);
  return password === '' ? undefined : decodeURIComponent(password);
}
