import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { type AdministratorId, parseId, type SessionId } from '../../domain/ids.ts';

export const ACCESS_TOKEN_SECONDS = 900;
export const REFRESH_TOKEN_SECONDS = 7 * 86_400;
const RESET_TOKEN_SECONDS = 30 * 60;
/** For opening the authenticator app. */
const FIRST_STEP_SECONDS = 10 * 60;
const SECOND_STEP = 'second-step';

const ISSUER = 'escrow-payments-service';

/** The claims of an access token. They identify the administrator; the role is read from the database at every request. */
export type AccessClaims = {
  readonly administratorId: AdministratorId;
  readonly tokenVersion: number;
  readonly sessionId: SessionId;
};

/** The claims of a token that a right password alone gets. It opens nothing but the second step of the login. */
type FirstStepClaims = Omit<AccessClaims, 'sessionId'>;

export type Tokens = {
  readonly signAccessToken: (claims: AccessClaims) => Promise<string>;
  /** `undefined` for a token that is malformed, forged or expired. */
  readonly verifyAccessToken: (token: string) => Promise<AccessClaims | undefined>;
  readonly signFirstStep: (claims: FirstStepClaims) => Promise<string>;
  readonly verifyFirstStep: (token: string) => Promise<FirstStepClaims | undefined>;
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
  /**
   * A token with which the administrator may choose a password without the current one. It is bound to that password, so it works
   * once, and no row is needed that somebody could add.
   */
  readonly newResetToken: (administrator: Resettable) => string;
  /** The administrator whom the token names; `undefined` if it has expired. Whether it is genuine, `isResetTokenOf` says. */
  readonly resetTokenFor: (token: string) => AdministratorId | undefined;
  readonly isResetTokenOf: (administrator: Resettable, token: string) => boolean;
};

type Resettable = { readonly id: AdministratorId; readonly passwordHash: string };

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
  const signJwt = ({ administratorId, tokenVersion }: FirstStepClaims, seconds: number, more: JWTPayload) =>
    new SignJWT({ ver: tokenVersion, ...more })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer(ISSUER)
      .setSubject(administratorId)
      .setIssuedAt()
      .setExpirationTime(`${seconds} seconds`)
      .sign(key);
  const verifyJwt = async (token: string, audience?: string) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer: ISSUER,
        algorithms: ['HS256'],
        ...(audience === undefined ? {} : { audience }),
      });
      if (payload.sub === undefined || typeof payload.ver !== 'number') return undefined;
      const administratorId = payload.sub as AdministratorId; // the signature is ours
      return { payload, claims: { administratorId, tokenVersion: payload.ver } };
    } catch {
      return undefined;
    }
  };
  const resetToken = ({ id, passwordHash }: Resettable, expiresAt: string) => {
    const signature = createHmac('sha256', `password-reset:${secret}`)
      .update(JSON.stringify([id, passwordHash, expiresAt]))
      .digest('base64url');
    return `${id}.${expiresAt}.${signature}`;
  };
  return {
    newResetToken: (administrator) =>
      resetToken(administrator, String(Math.floor(Date.now() / 1_000) + RESET_TOKEN_SECONDS)),
    resetTokenFor(token) {
      const [id = '', expiresAt] = token.split('.');
      return Number(expiresAt) * 1_000 > Date.now() ? parseId('administrator', id) : undefined;
    },
    isResetTokenOf: (administrator, token) => isSame(token, resetToken(administrator, token.split('.')[1] ?? '')),
    signAccessToken: ({ sessionId, ...claims }) => signJwt(claims, ACCESS_TOKEN_SECONDS, { sid: sessionId }),
    async verifyAccessToken(token) {
      const verified = await verifyJwt(token);
      if (typeof verified?.payload.sid !== 'string') return undefined;
      return { ...verified.claims, sessionId: verified.payload.sid as SessionId }; // the signature is ours
    },
    signFirstStep: (claims) => signJwt(claims, FIRST_STEP_SECONDS, { aud: SECOND_STEP }),
    verifyFirstStep: async (token) => (await verifyJwt(token, SECOND_STEP))?.claims,
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
      return isSame(signature, signatureOf(administratorId, random).toString('base64url'));
    },
  };
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
