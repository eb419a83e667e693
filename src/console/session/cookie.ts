import type { Context } from 'hono';
import { generateCookie, getCookie } from 'hono/cookie';
import type { ConsoleEnv } from '../page.ts';
import type { Seal } from './seal.ts';
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
