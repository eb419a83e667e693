import { createHash } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { AdministratorId } from '../../domain/ids.ts';
import { networkOf } from '../middleware/client-address.ts';
import { Turnstile } from '../middleware/turnstile.ts';

/**
 * Limits attempts at an administrator's password, at login and at a password change. Attempts are counted in the database
 * before the password is verified.
 */

export const TRIES_WINDOW = '15 minutes';
/** Attempts from one network. */
export const MAX_TRIES = 5;
/** Attempts from all networks together. Higher, so that one network cannot lock an administrator out. */
export const MAX_TRIES_FROM_ANYWHERE = 100;
/** How long an attempt waits for the attempts before it. */
const MAX_WAIT_MS = 8_000;

export type Try = {
  /** The owner of the password: the administrator, or the e-mail address if no administrator has it. */
  readonly of: { readonly administratorId: AdministratorId } | { readonly email: string };
  readonly clientAddress: string;
  readonly verify: () => Promise<boolean>;
};

/** Answers whether the password is right. Throws `too_many_requests`. */
export type LoginGuard = (tried: Try) => Promise<boolean>;

export function createLoginGuard(orm: MikroORM): LoginGuard {
  // Attempts run one at a time: parallel logins with the right password would use up the limit.
  const turnstile = new Turnstile(1);

  return ({ of, clientAddress, verify }) => {
    // The key is the same for all spellings of an e-mail address that PostgreSQL treats as the same administrator.
    const subject = 'administratorId' in of ? of.administratorId : foldedEmail(of.email);
    const networkKey = hash('network', subject, networkOf(clientAddress));
    const subjectKey = hash('administrator', subject);
    return turnstile.pass(networkKey.toString('hex'), Date.now() + MAX_WAIT_MS, async () => {
      await count(networkKey, MAX_TRIES);
      await count(subjectKey, MAX_TRIES_FROM_ANYWHERE);
      const isRight = await verify();
      if (isRight) await orm.em.fork().execute('select login_succeeded(?, ?)', [networkKey, subjectKey]);
      return isRight;
    });
  };

  async function count(key: Buffer, limit: number): Promise<void> {
    const [row] = await orm.em
      .fork()
      .execute<{ wait: number }[]>('select login_try_counted(?, ?, ?::interval) as wait', [key, limit, TRIES_WINDOW]);
    const retryAfterSeconds = row?.wait ?? 0;
    if (retryAfterSeconds > 0) throw new Refusal('too_many_requests', 'too many failed logins', { retryAfterSeconds });
  }
}

/** One spelling for all that PostgreSQL treats as the same administrator's. */
export function foldedEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

function hash(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
