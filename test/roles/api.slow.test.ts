import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refused } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { anyFreePort } from '../support/ports.ts';
import { type RoleProcess, startApiProcess } from '../support/role-process.ts';
import { newCompany, newParties, send, type TestCompany, untilAnswered } from '../support/service.ts';
import { startTemporalGate } from '../support/temporal-gate.ts';

let service: OwnService;
let company: TestCompany;
let parties: Awaited<ReturnType<typeof newParties>>;
let gate: Awaited<ReturnType<typeof startTemporalGate>>;
let port: number;
let api: RoleProcess;

beforeAll(async () => {
  service = await ownService();
  company = await newCompany(service);
  parties = await newParties(company);
  gate = await startTemporalGate();
  port = await anyFreePort();
  api = await startApiProcess(service, port, { TEMPORAL_ADDRESS: gate.address });
});
afterAll(async () => {
  await api.kill();
  await gate.stop();
  await service.stop();
});

const ask = (method: string, path: string, body?: unknown, key: string = randomUUID()) =>
  send(`http://127.0.0.1:${port}${path}`, method, {
    headers: { 'x-api-key': company.apiKey, 'x-company-id': company.id, 'x-idempotency-key': key },
    ...(body === undefined ? {} : { body }),
  });

/** The first answer with these checks. A check of the database that takes more than 2 s on a busy machine reports it down. */
const health = (path: string, checks: object) =>
  eventually(async () => {
    const answer = await ask('GET', path);
    return isDeepStrictEqual(answer.body.checks, checks) && answer;
  });

test('an API does not start without its namespace, and says so', async () => {
  const refusedApi = startApiProcess(service, await anyFreePort(), {
    TEMPORAL_NAMESPACE: 'a-namespace-that-is-missing',
  });
  await expect(refusedApi).rejects.toThrow('TEMPORAL_NAMESPACE: the namespace does not exist. Create it:');
});

describe('an API while Temporal is down', () => {
  beforeAll(() => gate.shut());
  afterAll(() => gate.open());

  test('/health/serving is 200 and degraded, and /health/ready is 503', async () => {
    const checks = { database: 'up', temporal: 'down' };
    const serving = await health('/health/serving', checks);
    expect(serving).toMatchObject({ status: 200, body: { status: 'degraded' } });
    expect(await health('/health/ready', checks)).toMatchObject({ status: 503, body: { status: 'unavailable' } });
  });

  test('reads and deposits work', async () => {
    expect(await ask('GET', `/v1/ledger/overview/${parties.buyer.ledgerId}`)).toMatchObject({ status: 200 });
    const deposit = { userId: parties.buyer.id, amount: 100, currency: 'USD' };
    const deposited = await untilAnswered((key) => ask('POST', '/v1/payments/deposit', deposit, key));
    expect(deposited).toMatchObject({ status: 201 });
  });

  test('commands are answered 503 with Retry-After', async () => {
    const answer = await ask('POST', '/v1/escrow/initiate', parties.escrow());
    expect(answer).toMatchObject(refused(503, 'dependency_unavailable'));
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('it serves commands again once Temporal is back', async () => {
  const serving = await health('/health/serving', { database: 'up', temporal: 'up' });
  expect(serving).toMatchObject({ status: 200, body: { status: 'ok' } });
  const order = parties.escrow();
  const begun = await untilAnswered((key) => ask('POST', '/v1/escrow/initiate', order, key));
  expect(begun).toMatchObject({ status: 201 });
});
