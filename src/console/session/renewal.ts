import { createHash } from 'node:crypto';
import { ApiProblem, type Caller, createApiClient } from '../api-client.ts';
import { type Session, withTokens } from './session.ts';

/** Exchanges the tokens of a session for new ones, at most once at a time for each session. */

/** Null: the session has ended. Throws ApiProblem if the service cannot say. */
type Renewal = (caller: Caller, session: Session, nowMs: number) => Promise<Session | null>;

/**
 * A refresh token can be used once, and a browser sends several requests with the same cookie. Requests to this process share
 * one exchange. Other processes repeat it with the same idempotency key and get the same tokens, and so does a browser that
 * never received the new cookie.
 */
export function createRenewal(): Renewal {
  const underWay = new Map<string, Promise<Session | null>>();
  return (caller, session, nowMs) => {
    const key = `${session.id}.${session.refreshToken}`;
    const running = underWay.get(key);
    if (running !== undefined) return running;
    const renewal = exchange(caller, session, nowMs).finally(() => underWay.delete(key));
    underWay.set(key, renewal);
    return renewal;
  };
}

async function exchange(caller: Caller, session: Session, nowMs: number): Promise<Session | null> {
  try {
    const tokens = await createApiClient(caller, null).post('/v1/auth/refresh', {
      body: { refreshToken: session.refreshToken, userId: session.administratorId },
      idempotencyKey: createHash('sha256').update(`refresh.${session.id}`).digest('hex'),
    });
    return withTokens(session, tokens, nowMs);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return null;
    throw error;
  }
}
