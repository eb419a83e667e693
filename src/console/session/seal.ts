import { hkdfSync } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import type { Session } from './session.ts';

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
