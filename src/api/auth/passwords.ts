import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';

/** The library's numeric value for argon2id; its enum does not exist at run time. */
const ALGORITHM = 2;
/** The work of a hash: OWASP's first choice for argon2id, 19 MiB, two passes, one lane. Only a service of the tests lowers it. */
export const HASH_WORK = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const MIN_PASSWORD_CHARACTERS = 10;
export const MAX_PASSWORD_CHARACTERS = 255;

/** The number of entries of the list that count. The list is ordered by frequency in leaks. */
const COMMON_PASSWORDS = 10_000;
const common = new Set(
  dictionary['passwords-common'].slice(0, COMMON_PASSWORDS).filter((one) => one.length >= MIN_PASSWORD_CHARACTERS),
);

/** Characters that show nothing, and the blank pattern of Braille. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The form in which an attacker tries the password first: without invisible characters and variants of letters, in lower
 * case.
 */
function comparable(text: string): string {
  return text.normalize('NFKC').replace(INVISIBLE, '').trim().toLowerCase();
}

/** Whether an attacker would guess the password early: it shows too few characters, or is one of the most common passwords. */
export function isGuessable(password: string): boolean {
  const shown = comparable(password);
  return shown.length < MIN_PASSWORD_CHARACTERS || common.has(shown);
}

/** Whether the password is the e-mail address of its owner, or its local part with only digits after it. */
export function isOwnEmail(password: string, email: string): boolean {
  const shown = comparable(password);
  const address = comparable(email);
  const [local = ''] = address.split('@');
  return shown === address || (shown.startsWith(local) && /^\d*$/.test(shown.slice(local.length)));
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, { algorithm: ALGORITHM, ...HASH_WORK });
}

/** The hash of a random password. An unknown e-mail address then takes as long to check as a wrong password. */
const decoy = hashPassword(randomBytes(24).toString('base64url'));

/** Whether `password` matches `passwordHash`. Null (no such administrator) answers false after the same work. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && passwordHash !== null;
}

/** A temporary password, which must be changed at the first login. */
export function temporaryPassword(): string {
  return randomBytes(12).toString('base64url');
}
