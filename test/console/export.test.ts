import { describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { BODY_LIMITS } from '../../src/api/limits.ts';
import { createConsole } from '../../src/console/console.ts';
import type { ConsoleEnv } from '../../src/console/page.ts';
import { CONSOLE_SETTINGS } from './support/settings.ts';

/** Exports that take longer than an access token lives. The API is a fake that moves the clock with every page of rows. */

const MINUTE_MS = 60_000;
const PAGES = 12;
const ROWS_PER_PAGE = 100;
const TOKEN_MINUTES = 15;

type Fake = {
  readonly app: Hono<ConsoleEnv>;
  /** Refresh tokens in the order in which they were presented. */
  readonly presented: string[];
  readonly refused: string[];
  /** What was logged as an error. */
  readonly failures: object[];
};

type FakeOptions = {
  readonly isRevoked?: () => boolean;
  readonly pages?: number;
  /** The body of every page, if it is not a page of its own. */
  readonly samePage?: string;
};

/** `minutesPerPage`: how long the API takes for one page of the list. */
function fakeApi(minutesPerPage: number, { isRevoked = () => false, pages = PAGES, samePage }: FakeOptions = {}): Fake {
  let nowMs = Date.parse('2026-01-31T09:00:00Z');
  const expiries = new Map<string, number>();
  const presented: string[] = [];
  const refused: string[] = [];
  const tokens = (refreshToken: string) => {
    const accessToken = `access-${expiries.size}`;
    expiries.set(accessToken, nowMs + TOKEN_MINUTES * MINUTE_MS);
    return {
      accessToken,
      refreshToken,
      userId: 'adm_1',
      expiresIn: TOKEN_MINUTES * 60,
      companyId: 'cmp_1',
      role: 'OWNER',
      mustChangePassword: false,
    };
  };
  const dispatch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.pathname === '/v1/auth/login') return Response.json(tokens('refresh-0'));
    if (url.pathname === '/v1/auth/refresh') {
      const { refreshToken } = (await request.json()) as { refreshToken: string }; // as the console sends it
      presented.push(refreshToken);
      if (isRevoked()) return Response.json({ code: 'invalid_refresh_token' }, { status: 401 });
      return Response.json(tokens(`refresh-${presented.length}`));
    }
    if (url.pathname === '/v1/core/companies/me') return Response.json({ time_zone: 'UTC' });
    if (url.pathname === '/v1/sandbox/clock') return Response.json({ hoursAhead: 0 });
    const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    if ((expiries.get(token) ?? 0) <= nowMs) {
      refused.push(token);
      return Response.json({ code: 'unauthenticated' }, { status: 401 });
    }
    const page = Number(url.searchParams.get('cursor') ?? 0);
    nowMs += minutesPerPage * MINUTE_MS;
    const data = (first: number) => Array.from({ length: ROWS_PER_PAGE }, (_, at) => ({ id: `row-${first + at}` }));
    const next = `<http://api/?cursor=${page + 1}>; rel="next"`;
    return new Response(samePage ?? JSON.stringify({ data: data(page * ROWS_PER_PAGE) }), {
      headers: { 'content-type': 'application/json', ...(page + 1 < pages ? { link: next } : {}) },
    });
  };
  const app = createConsole({
    dispatch,
    secret: 'a secret of the tests, long enough to sign tokens with',
    baseUrl: 'http://console.example',
    idleTimeoutMs: 30 * MINUTE_MS,
    maxFormBytes: BODY_LIMITS.page.maxBytes,
    now: () => new Date(nowMs),
    settings: CONSOLE_SETTINGS,
  });
  const failures: object[] = [];
  const host = new Hono<ConsoleEnv>(); // as the API process, which gives the console its log
  host.use((c, next) => {
    c.set('log', { warn: () => undefined, error: (fields) => failures.push(fields) });
    return next();
  });
  host.route('/', app);
  return { app: host, presented, refused, failures };
}

async function logIn({ app }: Fake): Promise<string> {
  const answer = await app.request('http://console.example/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'email=olive%40test.example&password=secret',
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const exportOf = async (fake: Fake) =>
  fake.app.request('http://console.example/withdrawals/export.csv', { headers: { cookie: await logIn(fake) } });

describe('an export', () => {
  test.each([
    ['shorter than an access token lives', 1, 0],
    ['of an hour', 5, 3],
    ['of three hours', 15, 11],
  ])('%s has every row, with %i minutes for a page', async (_how, minutesPerPage, renewals) => {
    const fake = fakeApi(minutesPerPage);
    const lines = (await (await exportOf(fake)).text()).trim().split(/\r?\n/);
    expect(lines).toHaveLength(1 + PAGES * ROWS_PER_PAGE);
    expect(lines.at(-1)).toBe(`row-${PAGES * ROWS_PER_PAGE - 1}`);
    expect(fake.refused).toEqual([]);
    // Each renewal presents the token of the one before, so that no token is presented twice.
    expect(fake.presented).toEqual(Array.from({ length: renewals }, (_, index) => `refresh-${index}`));
  });

  test('ends with an error after a logout, and not with a file that looks complete', async () => {
    const fake = fakeApi(5, { isRevoked: () => true });
    await expect((await exportOf(fake)).text()).rejects.toThrow();
    expect(fake.failures).toHaveLength(1);
  });

  test('of more rows than it can have breaks off, and is not a file that looks complete', async () => {
    const samePage = JSON.stringify({
      data: Array.from({ length: CONSOLE_SETTINGS.maxExportedRows / 2 }, () => ({ id: 'row' })),
    });
    const answer = await exportOf(fakeApi(0, { samePage, pages: 3 }));
    await expect(answer.text()).rejects.toThrow();
  });

  test('ends 12 hours after the login', async () => {
    const fake = fakeApi(120);
    await expect((await exportOf(fake)).text()).rejects.toThrow();
    expect(fake.presented).toHaveLength(6);
  });
});
