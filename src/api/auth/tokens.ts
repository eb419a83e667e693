import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { AdministratorId } from '../../domain/ids.ts';

export const ACCESS_TOKEN_SECONDS = 900;
export const REFRESH_TOKEN_SECONDS = 7 * 86_400;

const ISSUER = 'escrow-payments-service';

/** The claims of an access token. They identify the administrator; the role is read from the database at every request. */
export type AccessClaims = { readonly administratorId: AdministratorId; readonly tokenVersion: number };

export type Tokens = {
  readonly signAccessToken: (claims: AccessClaims) => Promise<string>;
  /** `undefined` for a token that is malformed, forged or expired. */
  readonly verifyAccessToken: (token: string) => Promise<AccessClaims | undefined>;
  /** An opaque refresh token of 256 bits and its signature. Only its hash is stored. */
  readonly newRefreshToken: (administratorId: AdministratorId) => string;
  /**
   * The refresh token that follows `token` if it is exchanged with this idempotency key: the same for every repetition, and
   * unknown to anybody who knows only one of the two.
   */
  readonly nextRefreshToken: (administratorId: AdministratorId, token: string, idempotencyKey: string) => string;
  /**
   * Whether this service made the refresh token for the administrator. Without the signature, anybody who can add a row to the
   * table of refresh tokens could log in.
   */
  readonly isRefreshTokenOf: (administratorId: AdministratorId, token: string) => boolean;
};

/** Signs and verifies access tokens (HS256) and refresh tokens (HMAC-SHA256) with `secret`, of at least 32 bytes. */
export function createTokens(secret: string): Tokens {
  const key = new TextEncoder().encode(secret);
  const signatureOf = (administratorId: AdministratorId, random: string) =>
    createHmac('sha256', `refresh-token:${secret}`)
      .update(JSON.stringify([administratorId, random]))
      .digest();
  const signed = (administratorId: AdministratorId, bytes: Buffer) => {
    const random = bytes.toString('base64url');
    return `${random}.${signatureOf(administratorId, random).toString('base64url')}`;
  };
  return {
    signAccessToken: ({ administratorId, tokenVersion }) =>
      new SignJWT({ ver: tokenVersion })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(ISSUER)
        .setSubject(administratorId)
        .setIssuedAt()
        .setExpirationTime(`${ACCESS_TOKEN_SECONDS} seconds`)
        .sign(key),
    async verifyAccessToken(token) {
      try {
        const { payload } = await jwtVerify<{ ver: number }>(token, key, { issuer: ISSUER, algorithms: ['HS256'] });
        if (payload.sub === undefined || typeof payload.ver !== 'number') return undefined;
        return { administratorId: payload.sub as AdministratorId, tokenVersion: payload.ver }; // the signature is ours
      } catch {
        return undefined;
      }
    },
    newRefreshToken: (administratorId) => signed(administratorId, randomBytes(32)),
    nextRefreshToken: (administratorId, token, idempotencyKey) =>
      signed(
        administratorId,
        createHmac('sha256', `next-refresh-token:${secret}`)
          .update(JSON.stringify([token, idempotencyKey]))
          .digest(),
      ),
    isRefreshTokenOf(administratorId, token) {
      const [random = '', signature = ''] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = signatureOf(administratorId, random);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
