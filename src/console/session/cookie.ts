import { hkdfSync } from 'node:crypto';
import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { ConsoleEnv } from '../page.ts';
import type { Session } from './session.ts';

/** The one cookie of the console. Scripts cannot read it, and other sites' requests do not carry it. */

export type SessionCookie = {
  readonly read: (c: Context<ConsoleEnv>) => Promise<Session | null>;
  readonly write: (c: Context<ConsoleEnv>, session: Session) => Promise<void>;
  readonly clear: (c: Context<ConsoleEnv>) => void;
};

const NAME = 'escrow-console';

/** `isSecure`: the service is reached over TLS. A Secure cookie over plain HTTP would never come back, except from localhost. */
export function createSessionCookie(seal: Seal, isSecure: boolean): SessionCookie {
  const name = isSecure ? `__Host-${NAME}` : NAME;
  const attributes = { path: '/', httpOnly: true, sameSite: 'Strict', secure: isSecure } as const;
  // Replaces what was written before into the same answer: two sealed sessions can be more than a proxy takes in headers.
  const send = (c: Context<ConsoleEnv>, value: string, expiry: { readonly maxAge?: number } = {}) =>
    c.header('Set-Cookie', generateCookie(name, value, { ...attributes, ...expiry }));
  return {
    async read(c) {
      const sealed = getCookie(c, name);
      return sealed === undefined ? null : seal.open(sealed);
    },
    async write(c, session) {
      send(c, await seal.seal(session));
    },
    clear(c) {
      send(c, '', { maxAge: 0 });
    },
  };
}

/** Encrypts and authenticates sessions for the cookie (JWE, A256GCM). Scripts, users and proxies cannot read the tokens in it. */
export type Seal = {
  readonly seal: (session: Session) => Promise<string>;
  /** Null for a value that this service did not seal. */
  readonly open: (sealed: string) => Promise<Session | null>;
};

const KEY_BYTES = 32;
const AUDIENCE = 'escrow-console';

/** The key is derived from `secret`, so that every API process opens the cookies of the others. */
export function createSeal(secret: string): Seal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'escrow-console-session', KEY_BYTES));
  return {
    seal: (session) =>
      new EncryptJWT({ session }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }).setAudience(AUDIENCE).encrypt(key),
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt<{ session: Session }>(sealed, key, {
          audience: AUDIENCE,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM'],
        });
        return payload.session;
      } catch {
        return null;
      }
    },
  };
}
