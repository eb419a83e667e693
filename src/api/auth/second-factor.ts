import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Secret, TOTP } from 'otpauth';
import type { FieldCipher } from '../../db/core/field-cipher.ts';
import { inTenant } from '../../db/core/orm.ts';
import type { CredentialProof } from '../../db/identity/credential-proof.ts';
import {
  beginEnrolling,
  confirmEnrolling,
  type FactorCode,
  findNotedFactor,
  lockAdministrator,
  noteFactor,
  removeFactor,
  useCode,
} from '../../db/identity/factors.ts';
import type { AcceptedFactor, AdministratorIdentity, AdministratorName } from '../../db/identity/sessions.ts';
import { Refusal } from '../../domain/errors.ts';
import type { SessionId } from '../../domain/ids.ts';

/** The second factor of administrators: six digits of an authenticator app (RFC 6238), or a recovery code. */

/** Counted over all logins and operations of an administrator. A new login does not reset the count. */
export const MAX_FACTOR_TRIES = 5;
export const FACTOR_TRIES_WINDOW = '15 minutes';
/** How long a code that was accepted stands for later requests of the same session. */
const FACTOR_FRESH_MS = 10 * 60_000;
export const RECOVERY_CODES = 10;

const ISSUER = 'Escrow';
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
/** Clocks of phones differ: the code before and the code after count too. */
const STEPS_AROUND = 1;
const RECOVERY_BYTES = 10;
const RECOVERY_GROUP = /.{4}(?!$)/g;

/** Runs in the transaction of the change. */
type Recorded = (em: EntityManager) => Promise<void>;

export type SecondFactor = {
  /** A new secret, which counts once it is confirmed. Throws `wrong_state`. */
  readonly enrol: (
    administrator: AdministratorName & { readonly email: string },
    record: Recorded,
  ) => Promise<{ secret: string; otpauthUrl: string }>;
  /** Returns the recovery codes, which are stored as hashes only. Throws `wrong_state`, `invalid_credentials`, `too_many_requests`. */
  readonly confirm: (
    administrator: AdministratorName,
    code: string,
    record: Recorded,
  ) => Promise<{ recoveryCodes: string[] }>;
  /** Uses the code up. Throws `invalid_credentials` for a wrong or used one, `too_many_requests`. */
  readonly use: (administrator: AdministratorName, code: string) => Promise<void>;
  readonly disable: (administrator: AdministratorName, code: string, record: Recorded) => Promise<void>;
  /** What a session keeps of a code that was accepted now. */
  readonly accepted: (sessionId: SessionId, code: string) => AcceptedFactor;
  /**
   * Throws `mfa_required` unless the code is right, or was accepted in this session in the last ten minutes. Throws
   * `too_many_requests`.
   */
  readonly requireFresh: (
    administrator: AdministratorName,
    sessionId: SessionId,
    code: string | undefined,
  ) => Promise<void>;
};

/** Whether the administrator needs a second factor and has none. */
export function mustEnrol(
  { role, totpEnabled, isFactorRequired }: AdministratorIdentity,
  isProduction: boolean,
): boolean {
  return !totpEnabled && (isFactorRequired || (role === 'SUPER_ADMIN' && isProduction));
}

export function createSecondFactor(dependencies: {
  readonly orm: MikroORM;
  readonly credentials: CredentialProof;
  readonly cipher: FieldCipher;
  /** Signs what a session keeps. */
  readonly secret: string;
}): SecondFactor {
  const { orm, credentials, cipher, secret: key } = dependencies;
  const keys = { credentials, cipher };

  const accepted = (sessionId: SessionId, code: string, at = new Date()): AcceptedFactor => {
    const kept = JSON.stringify([sessionId, plain(code), at.toISOString()]);
    return { at, proof: createHmac('sha256', `second-factor:${key}`).update(kept).digest('base64url') };
  };
  const inOwn = <T>({ companyId }: AdministratorName, work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(orm, companyId, work);

  /**
   * Runs one try in one transaction, behind the administrator's row: parallel guesses count, and requests with the same right code
   * find what the first of them wrote. `verify` returns null for a wrong code, which is committed as a try.
   */
  async function tried<T>(
    administrator: AdministratorName,
    verify: (em: EntityManager) => Promise<T | null>,
  ): Promise<T | null> {
    const tries = createHash('sha256')
      .update(JSON.stringify(['second factor', administrator.id]))
      .digest();
    const { wait, result } = await inOwn(administrator, async (em) => {
      await lockAdministrator(em, credentials, administrator);
      const [row] = await em.execute<{ tries: number }[]>('select login_tries(?) as tries', [tries]);
      const isLocked = (row?.tries ?? 0) >= MAX_FACTOR_TRIES;
      const result = isLocked ? null : await verify(em);
      if (result !== null) return { wait: 0, result };
      const [count] = await em.execute<{ wait: number }[]>('select login_try_counted(?, ?, ?::interval) as wait', [
        tries,
        MAX_FACTOR_TRIES,
        FACTOR_TRIES_WINDOW,
      ]);
      return { wait: count?.wait ?? 0, result };
    });
    if (wait > 0) throw new Refusal('too_many_requests', 'too many wrong codes', { retryAfterSeconds: wait });
    if (result !== null) await orm.em.fork().execute('select login_succeeded(?, ?)', [tries, tries]);
    return result;
  }

  const use = async (administrator: AdministratorName, code: string) => {
    const isRight = await tried(administrator, async (em) =>
      (await useCode(em, keys, administrator, codeOf(code))) ? true : null,
    );
    if (isRight === null) throw new Refusal('invalid_credentials', 'the code is wrong or was used');
  };

  return {
    accepted,
    use,
    async enrol(administrator, record) {
      const secret = new Secret({ size: SECRET_BYTES });
      await inOwn(administrator, async (em) => {
        await beginEnrolling(em, keys, administrator, secret.base32);
        await record(em);
      });
      const totp = new TOTP({ issuer: ISSUER, label: administrator.email, secret });
      return { secret: secret.base32, otpauthUrl: totp.toString() };
    },
    async confirm(administrator, code, record) {
      const confirmed = await tried(administrator, async (em) => {
        const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
        const hashes = recoveryCodes.map(hashOf);
        const step = (secret: string) => stepOf(secret, plain(code));
        if (!(await confirmEnrolling(em, keys, administrator, step, hashes))) return null;
        await record(em);
        return { recoveryCodes };
      });
      if (confirmed === null) throw new Refusal('invalid_credentials', 'the code is wrong');
      return confirmed;
    },
    async disable(administrator, code, record) {
      await use(administrator, code);
      await inOwn(administrator, async (em) => {
        await removeFactor(em, credentials, administrator);
        await record(em);
      });
    },
    async requireFresh(administrator, sessionId, code) {
      if (code === undefined) throw new Refusal('mfa_required', 'send a code of your second factor in x-mfa-code');
      const isFresh = async (em: EntityManager) => {
        const noted = await findNotedFactor(em, administrator, sessionId);
        const isNoted = noted !== null && isSame(noted.proof, accepted(sessionId, code, noted.at).proof);
        return isNoted && Date.now() - noted.at.getTime() < FACTOR_FRESH_MS;
      };
      if (await inOwn(administrator, isFresh)) return;
      const isRight = await tried(administrator, async (em) => {
        if (await isFresh(em)) return true;
        if (!(await useCode(em, keys, administrator, codeOf(code)))) return null;
        await noteFactor(em, administrator, sessionId, accepted(sessionId, code));
        return true;
      });
      if (isRight === null) throw new Refusal('mfa_required', 'the code in x-mfa-code is wrong, used or too old');
    },
  };
}

/** The time step of the code if it is one of the secret's codes now. */
function stepOf(secret: string, code: string): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const now = Date.now();
  const delta = totp.validate({ token: code, window: STEPS_AROUND, timestamp: now });
  return delta === null ? null : Math.floor(now / 1_000 / STEP_SECONDS) + delta;
}

function codeOf(text: string): FactorCode {
  const code = plain(text);
  return /^\d{6}$/.test(code)
    ? { kind: 'totp', stepOf: (secret) => stepOf(secret, code) }
    : { kind: 'recovery_code', hash: hashOf(code) };
}

/** As people copy it: without spaces and dashes, in any case. */
function plain(code: string): string {
  return code.replace(/[\s-]/g, '').toLowerCase();
}

function newRecoveryCode(): string {
  return new Secret({ buffer: new Uint8Array(randomBytes(RECOVERY_BYTES)).buffer }).base32
    .toLowerCase()
    .replace(RECOVERY_GROUP, '$&-');
}

/** A fast hash is enough: a code has 80 random bits. */
function hashOf(code: string): string {
  return createHash('sha256').update(plain(code)).digest('hex');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
