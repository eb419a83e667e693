import { describe, expect, test } from '@jest/globals';
import { BODY_LIMITS } from '../../src/api/limits.ts';
import type { Caller } from '../../src/console/api-client.ts';
import { createConsole } from '../../src/console/console.ts';
import { createSeal } from '../../src/console/session/cookie.ts';
import { formToken, freshFormToken, isFromOurPages, readFormToken } from '../../src/console/session/csrf.ts';
import { createRenewal } from '../../src/console/session/renewal.ts';
import { isOver, needsRenewal, startSession, type Tokens } from '../../src/console/session/session.ts';
import { CONSOLE_SETTINGS } from './support/settings.ts';

const MINUTE_MS = 60_000;
const NOW_MS = Date.parse('2026-01-31T09:00:00Z');
const TOKENS: Tokens = {
  accessToken: 'access',
  refreshToken: 'refresh',
  userId: 'adm_1',
  expiresIn: 900,
  companyId: 'cmp_1',
  role: 'OWNER',
  mustChangePassword: false,
  hasMfa: false,
  mustEnrolMfa: false,
};
const session = startSession(TOKENS, { id: 'session-one', email: 'olive@test.example', nowMs: NOW_MS });

describe('a session', () => {
  test.each([
    ['in use', 0, 29, false],
    ['idle for the whole time', 0, 31, true],
    ['in use for eleven hours', 11 * 60, 1, false],
    ['in use for more than twelve hours', 12 * 60, 1, true],
  ])('%s', (_what, usedForMinutes, idleMinutes, expected) => {
    const seenAtMs = NOW_MS + usedForMinutes * MINUTE_MS;
    expect(isOver({ ...session, seenAtMs }, 30 * MINUTE_MS, seenAtMs + idleMinutes * MINUTE_MS)).toBe(expected);
  });

  test('gets new tokens in the last minute of its access token', () => {
    expect(needsRenewal(session, NOW_MS + 13 * MINUTE_MS)).toBe(false);
    expect(needsRenewal(session, NOW_MS + 14 * MINUTE_MS + 1)).toBe(true);
  });

  test('is opened by every process with the secret, and by no other', async () => {
    const sealed = await createSeal('one secret of many bytes').seal(session);
    expect(await createSeal('one secret of many bytes').open(sealed)).toEqual(session);
    expect(await createSeal('another secret').open(sealed)).toBeNull();
    expect(await createSeal('one secret of many bytes').open('no.seal')).toBeNull();
  });
});

describe('a session of half an hour, in which something is done every twenty minutes', () => {
  async function statusesOf(path: string, typed?: Record<string, string>) {
    let nowMs = NOW_MS;
    const app = createConsole({
      dispatch: async ({ url }) => Response.json(url.includes('/v1/auth/') ? TOKENS : { data: [] }),
      secret: 'one secret of many bytes',
      baseUrl: 'http://console.example',
      idleTimeoutMs: 30 * MINUTE_MS,
      maxFormBytes: BODY_LIMITS.page.maxBytes,
      now: () => new Date(nowMs),
      settings: CONSOLE_SETTINGS,
    });
    let cookie = '';
    const ask = async (path: string, body?: Record<string, string>) => {
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
      const form = { method: 'POST', body: new URLSearchParams(body).toString() };
      const answer = await app.request(`http://console.example${path}`, {
        headers,
        ...(body === undefined ? {} : form),
      });
      const cookies = answer.headers.getSetCookie();
      expect(cookies.length).toBeLessThan(2);
      cookie = cookies[0]?.split(';')[0] ?? cookie;
      return { status: answer.status, text: await answer.text() };
    };
    await ask('/login', { email: 'olive@test.example', password: 'x' });
    const { text } = await ask('/receipts/new');
    const csrf = /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? '';
    const statuses: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      nowMs += 20 * MINUTE_MS;
      statuses.push((await ask(path, typed && { csrf, ...typed })).status);
    }
    return statuses;
  }

  test.each<[what: string, path: string, body: Record<string, string> | undefined, status: number]>([
    ['a page', '/receipts/new', undefined, 200],
    ['a form that is refused', '/receipts/new', { do: 'record', currency: 'USD', amount: 'x', reference: 'r' }, 422],
    ['an export', '/users/export.csv', undefined, 200],
  ])('does not end: %s', async (_what, path, body, status) => {
    expect(await statusesOf(path, body)).toEqual([status, status, status]);
  });
});

describe('the renewal of tokens', () => {
  const callerThat = (answer: () => Response): { caller: Caller; keys: string[] } => {
    const keys: string[] = [];
    const dispatch = async (request: Request) => {
      keys.push(request.headers.get('x-idempotency-key') ?? '');
      return answer();
    };
    return { caller: { dispatch, env: {}, requestId: 'one', forwardedFor: undefined, userAgent: undefined }, keys };
  };

  test('is one exchange for all requests at the same moment, and other processes use the same key', async () => {
    const { caller, keys } = callerThat(() => Response.json({ ...TOKENS, accessToken: 'next', refreshToken: 'next' }));
    const renew = createRenewal();
    const renewed = await Promise.all([1, 2, 3].map(() => renew(caller, session, NOW_MS)));
    expect(renewed.map((one) => one?.accessToken)).toEqual(['next', 'next', 'next']);
    expect(keys).toHaveLength(1);
    await createRenewal()(caller, session, NOW_MS);
    expect(new Set(keys).size).toBe(1);
  });

  test('ends the session if the token is refused, and passes an outage on', async () => {
    const refused = callerThat(() => Response.json({ code: 'invalid_refresh_token' }, { status: 401 }));
    expect(await createRenewal()(refused.caller, session, NOW_MS)).toBeNull();
    const down = callerThat(() => Response.json({ code: 'dependency_unavailable' }, { status: 503 }));
    await expect(createRenewal()(down.caller, session, NOW_MS)).rejects.toMatchObject({ status: 503 });
  });
});

describe('the token of a form', () => {
  test('holds a key of its own and the company of its page, and is valid in its session only', () => {
    const [one, other] = [freshFormToken(session, 'fr'), freshFormToken(session, 'fr')];
    const read = readFormToken(session, one);
    expect(read).toMatchObject({ companyId: session.companyId, language: 'fr', isGenuine: true });
    expect(read?.idempotencyKey).not.toBe(readFormToken(session, other)?.idempotencyKey);
    const otherDigit = one.startsWith('a') ? 'b' : 'a';
    expect(readFormToken(session, one.replace(/^./, otherDigit))).toMatchObject({ isGenuine: false });
    expect(readFormToken(session, one.replace(session.companyId, 'cmp_2'))).toMatchObject({ isGenuine: false });
    expect(readFormToken(session, one.replace('.fr.', '.pt.'))).toMatchObject({ isGenuine: false });
    for (const text of [null, '', 'x', one.replace(/^./, 'x'), one.replace('.fr.', '.de.')])
      expect(readFormToken(session, text)).toBeNull();
  });

  test('of another session keeps key and language, so that a form that is sent after a login is the same form', () => {
    const one = freshFormToken(session, 'pt');
    const key = readFormToken(session, one)?.idempotencyKey;
    const later = { ...session, id: 'session-two' };
    const read = readFormToken(later, one);
    expect(read).toMatchObject({ idempotencyKey: key, language: 'pt', isGenuine: false });
    expect(readFormToken(later, read && formToken(later, read))).toMatchObject({
      idempotencyKey: key,
      isGenuine: true,
    });
  });

  test.each([
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ origin: 'https://escrow.example', host: 'escrow.example' }, true],
    [{ origin: 'https://evil.example', host: 'escrow.example' }, false],
    [{ origin: 'null', host: 'escrow.example' }, false],
    [{}, true],
  ])('%j', (headers: Record<string, string>, expected) => {
    expect(isFromOurPages({ header: (name) => headers[name] })).toBe(expected);
  });
});
