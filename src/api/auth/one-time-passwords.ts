import { createHmac, randomInt } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { Refusal } from '../../domain/errors.ts';
import type { Messaging } from '../../providers/messaging/port.ts';

/**
 * One-time passwords by messaging app: 6 digits, 300 s, five tries. Numbers and codes are kept as keyed hashes; tries are
 * counted in the database, so that replicas agree.
 */

export const OTP_LIFETIME_SECONDS = 300;
const CODE_DIGITS = 6;

export type OneTimePasswords = {
  /**
   * Sends a password where the number is the buyer's of a live link; what is answered does not tell. Throws
   * `too_many_requests`: one a minute, five an hour, whoever's number it is.
   */
  readonly request: (mobileNumber: string) => Promise<void>;
  /** Uses the number's latest password up. Throws `otp_invalid`, `otp_expired`, `otp_locked`. */
  readonly consume: (mobileNumber: string, code: string) => Promise<void>;
};

export function createOneTimePasswords(dependencies: {
  readonly orm: MikroORM;
  readonly messaging: Messaging;
  readonly secret: string;
  readonly log: Logger;
}): OneTimePasswords {
  const { orm, messaging, secret, log } = dependencies;
  const hash = (purpose: string, text: string) =>
    createHmac('sha256', `one-time-password:${secret}`).update(`${purpose}:${text}`).digest();
  const numberHash = (mobileNumber: string) => hash('number', mobileNumber);
  // Bound to its number: the same six digits of two people have different hashes.
  const codeHash = (mobileNumber: string, code: string) => hash('code', `${mobileNumber}:${code}`);

  return {
    async request(mobileNumber) {
      const em = orm.em.fork();
      const [begun] = await em.execute<{ id: string | null }[]>('select otp_begin(?, ?::interval) as id', [
        numberHash(mobileNumber),
        `${OTP_LIFETIME_SECONDS} seconds`,
      ]);
      if (begun === undefined || begun.id === null)
        throw new Refusal('too_many_requests', 'a password can be sent once a minute and five times an hour');
      const [wanted] = await em.execute<{ yes: boolean }[]>('select otp_is_wanted(?) as yes', [mobileNumber]);
      if (wanted?.yes !== true) return;
      const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
      await em.execute('select otp_set(?, ?)', [begun.id, codeHash(mobileNumber, code)]);
      // Not awaited: an answer that takes longer for known numbers would tell them from others.
      messaging
        .sendOneTimePassword(mobileNumber, code)
        .catch((error: unknown) => log.error({ err: error }, 'a one-time password could not be sent'));
    },

    async consume(mobileNumber, code) {
      const [row] = await orm.em
        .fork()
        .execute<{ outcome: string }[]>('select otp_consume(?, ?) as outcome', [
          numberHash(mobileNumber),
          codeHash(mobileNumber, code),
        ]);
      if (row?.outcome === 'consumed') return;
      throw new Refusal(
        row?.outcome === 'locked' ? 'otp_locked' : row?.outcome === 'expired' ? 'otp_expired' : 'otp_invalid',
      );
    },
  };
}
