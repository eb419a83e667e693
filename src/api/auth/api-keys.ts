import { hash, randomInt } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SECRET_CHARACTERS = 32;
const SHOWN_CHARACTERS = 8;
const PREFIX_CHARACTERS = 6;

/**
 * Makes a new key: its prefix and 32 random alphanumerics (190 bits), the part that may be shown, and the hash that is stored.
 */
export function generateApiKey(isProduction: boolean): { key: string; keyPrefix: string; keyHash: Buffer } {
  const secret = Array.from({ length: SECRET_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  const key = `${isProduction ? 'esc_l_' : 'esc_t_'}${secret}`;
  return { key, keyPrefix: shownPart(key), keyHash: hashSecret(key) };
}

/** The part of a key that may be shown: the first characters of its random part. */
export function shownPart(key: string): string {
  return key.slice(PREFIX_CHARACTERS, PREFIX_CHARACTERS + SHOWN_CHARACTERS);
}

/** Whether a text has the form of a key, known or not. */
export function isKeyShaped(text: string): boolean {
  return /^esc_[a-z]_[A-Za-z0-9]{32}$/.test(text);
}

/** SHA-256: enough for secrets with more than 128 bits of entropy, and fast enough for every request. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Whether a key is neither revoked, nor past its expiry, nor past the grace period after it was rolled. */
export function isKeyWorking(key: {
  readonly isActive: boolean;
  readonly expiresAt?: Date | null;
  readonly activeUntil?: Date | null;
}): boolean {
  const now = new Date();
  return key.isActive && [key.expiresAt, key.activeUntil].every((until) => until == null || until > now);
}
