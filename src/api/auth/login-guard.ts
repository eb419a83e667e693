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

type Try = {
  /** The owner of the password: the administrator, or the e-mail address if no administrator has it. */
  readonly of: { readonly administratorId: AdministratorId } | { readonly email: string };
  readonly clientAddress: string;
  readonly verify: () => Promise<boolean>;
};

/** Links to reset a password, for one e-mail address. */
const RESETS_WINDOW = '1 hour';
const MAX_RESETS = 5;

export type LoginGuard = {
  /** Answers whether the password is right. Throws `too_many_requests`. */
  readonly tryPassword: (tried: Try) => Promise<boolean>;
  /** Forgets the failed tries of somebody who has proven otherwise who they are. */
  readonly forgive: (tried: Omit<Try, 'verify'>) => Promise<void>;
  /** Counts a request for a link, whether or not anybody has the address. False: it had enough of them in this hour. */
  readonly countReset: (email: string) => Promise<boolean>;
};

export function createLoginGuard(orm: MikroORM): LoginGuard {
  // Attempts run one at a time: parallel logins with the right password would use up the limit.
  const turnstile = new Turnstile(1);

  // The key is the same for all spellings of an e-mail address that PostgreSQL treats as the same administrator.
  const keysOf = ({ of, clientAddress }: Omit<Try, 'verify'>) => {
    const subject = 'administratorId' in of ? of.administratorId : foldedEmail(of.email);
    return { network: hash('network', subject, networkOf(clientAddress)), subject: hash('administrator', subject) };
  };
  const succeeded = (keys: ReturnType<typeof keysOf>) =>
    orm.em.fork().execute('select login_succeeded(?, ?)', [keys.network, keys.subject]);

  return {
    tryPassword(tried) {
      const keys = keysOf(tried);
      return turnstile.pass(keys.network.toString('hex'), Date.now() + MAX_WAIT_MS, async () => {
        await refuseAfter(MAX_TRIES, keys.network);
        await refuseAfter(MAX_TRIES_FROM_ANYWHERE, keys.subject);
        const isRight = await tried.verify();
        if (isRight) await succeeded(keys);
        return isRight;
      });
    },
    forgive: async (tried) => {
      await succeeded(keysOf(tried));
    },
    countReset: async (email) => (await count(hash('resets', foldedEmail(email)), MAX_RESETS, RESETS_WINDOW)) === 0,
  };

  async function refuseAfter(limit: number, key: Buffer): Promise<void> {
    const wait = await count(key, limit, TRIES_WINDOW);
    if (wait > 0) throw new Refusal('too_many_requests', 'too many failed logins', { retryAfterSeconds: wait });
  }

  /** Counts one. Returns 0, or the seconds to wait if the window already had `limit`. */
  async function count(key: Buffer, limit: number, window: string): Promise<number> {
    const [row] = await orm.em
      .fork()
      .execute<{ wait: number }[]>('select login_try_counted(?, ?, ?::interval) as wait', [key, limit, window]);
    return row?.wait ?? 0;
  }
}

/** One spelling for all that PostgreSQL treats as the same administrator's. */
export function foldedEmail(email: string): string {
  return email.normalize('NFKC').toLowerCase();
}

function hash(...parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
