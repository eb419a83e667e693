import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BODY_LIMITS } from '../../src/api/limits.ts';
import { createConsole } from '../../src/console/console.ts';
import { bare, sql } from '../support/api.ts';
import { newCompany, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { CONSOLE_SETTINGS } from './support/settings.ts';

/** An export of thousands of rows from the real API: streamed, with a bounded number of rows in memory, and longer than a token lives. */

const ROWS = 5_000;
const ROWS_PER_REQUEST = 100;
/** Rows that were asked of the API and not yet read by the browser: the page that is sent, and the next one. */
const MAX_ROWS_AHEAD = 3 * ROWS_PER_REQUEST;
const TOKEN_MS = 15 * 60_000;

let service: TestService;
let company: TestCompany;

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  await sql(
    service,
    `insert into audit_log (company_id, actor_kind, actor_id, actor_role, operation, resource, status, ip, request_id)
     select $1, 'administrator', $2, 'OWNER', 'POST /v1/payments/deposit', 'row ' || n, 201, '192.0.2.1', 'request ' || n
     from generate_series(1, ${ROWS}) n`,
    [bare(company.id), bare(company.owner.id)],
  );
});
afterAll(() => service?.stop());

/** The console in front of the real API, with a clock that the test moves. */
async function openConsole() {
  const asked: string[] = [];
  let aheadMs = 0;
  const app = createConsole({
    dispatch: async (request) => {
      const { pathname, search } = new URL(request.url);
      asked.push(pathname);
      const headers = new Headers(request.headers);
      headers.delete('content-length'); // fetch computes it
      const body = request.method === 'GET' ? {} : { body: await request.text() };
      return fetch(`${service.url}${pathname}${search}`, { method: request.method, headers, ...body });
    },
    secret: 'a secret of the tests, long enough to sign tokens with',
    baseUrl: 'http://console.example',
    idleTimeoutMs: 30 * 60_000,
    maxFormBytes: BODY_LIMITS.page.maxBytes,
    now: () => new Date(Date.now() + aheadMs),
    settings: CONSOLE_SETTINGS,
  });
  const login = await app.request('http://console.example/login', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ email: company.owner.email, password: company.owner.password }).toString(),
  });
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    get: (path: string) => app.request(`http://console.example${path}`, { headers: { cookie } }),
    count: (path: string) => asked.filter((one) => one === path).length,
    passTime: (ms: number) => {
      aheadMs += ms;
    },
  };
}

describe('an export of the audit log', () => {
  test('has every row once, newest first, begins before the last row is read, and reads little ahead', async () => {
    const visitor = await openConsole();
    const answer = await visitor.get('/audit/export.csv?operation=POST%20/v1/payments/deposit');
    expect(answer.status).toBe(200);
    let text = '';
    let read = 0;
    const lead: number[] = [];
    /** After so many rows the access token ends. */
    const tokenEnds = [1, 1_500, 3_000];
    const decoder = new TextDecoder();
    for await (const part of answer.body ?? []) {
      text += decoder.decode(part, { stream: true });
      read = Math.max(read, text.split('\r\n').length - 2);
      lead.push(visitor.count('/v1/core/audit-log') * ROWS_PER_REQUEST - read);
      if (read >= (tokenEnds[0] ?? Number.POSITIVE_INFINITY)) {
        tokenEnds.shift();
        visitor.passTime(TOKEN_MS);
      }
    }
    expect(lead.length).toBeGreaterThan(ROWS / ROWS_PER_REQUEST / 2);
    expect(Math.max(...lead)).toBeLessThanOrEqual(MAX_ROWS_AHEAD);
    const resources = [...text.matchAll(/,row (\d+),/g)].map(([, number]) => Number(number));
    expect(resources).toEqual(Array.from({ length: ROWS }, (_, index) => ROWS - index));
    expect(visitor.count('/v1/auth/refresh')).toBe(3);
  });

  test('that the browser stops is not read on', async () => {
    const visitor = await openConsole();
    const reader = (await visitor.get('/audit/export.csv')).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const before = visitor.count('/v1/core/audit-log');
    await visitor.get('/audit');
    expect(before).toBeLessThanOrEqual(MAX_ROWS_AHEAD / ROWS_PER_REQUEST);
    expect(visitor.count('/v1/core/audit-log')).toBe(before + 1);
  });
});
