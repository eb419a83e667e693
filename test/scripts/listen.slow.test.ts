import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type Gate, startGate } from '../support/gate.ts';
import { newCompany, newUser, type TestCompany, type TestService } from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { startWebhookReceiver, verifySignature, type WebhookReceiver } from '../support/webhook-receiver.ts';

/** `npm run listen`, as a developer runs it: a separate process, and a receiver on the same machine. */

let service: TestService;
let company: TestCompany;
let gate: Gate;
let receiver: WebhookReceiver;
let listener: ChildProcess | undefined;
let printed = '';

beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
  gate = await startGate(service.url);
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  const ended = new Promise((resolve) => listener?.once('exit', resolve));
  if (listener?.exitCode === null && listener.kill('SIGTERM')) await ended;
});
afterAll(async () => {
  await receiver.stop();
  await gate.stop();
  await service.stop();
});

function listen(...args: string[]): ChildProcess {
  printed = '';
  const child = spawn(process.execPath, ['src/scripts/listen.ts', '--forward-to', receiver.url, ...args], {
    env: { PATH: process.env.PATH, ESCROW_URL: gate.through(service.url), ESCROW_COMPANY_ID: company.id },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk));
  listener = child;
  return child;
}

describe('npm run listen', () => {
  test('forwards events as signed webhooks, prints them, and misses none while the connection is lost', async () => {
    listen('--api-key', company.apiKey, '--types', 'user.created');
    const secret = await eventually(() => /Signed with (whsec_\S+)/.exec(printed)?.[1]);
    const first = await newUser(company);
    await eventually(() => receiver.received.length === 1);
    gate.shut();
    await eventually(() => printed.includes('Reconnecting.'));
    const second = await newUser(company);
    gate.open();
    await eventually(() => receiver.received.length === 2);

    const { body: feed } = await company.get('/v1/events?type=user.created');
    expect(receiver.received.map(({ body }) => body.object.id)).toEqual([first.id, second.id]);
    for (const [index, one] of receiver.received.entries()) {
      expect(verifySignature(secret, one)).toEqual(one.body);
      const { createdAt: timestamp, ...event } = feed.data[index];
      expect(one.body).toEqual({ ...event, timestamp });
      await eventually(() => printed.includes(`user.created  ${one.id}  → 200`));
    }
  });

  test('ends with the reason if the service refuses the key', async () => {
    const child = listen('--api-key', `${company.apiKey.slice(0, -4)}0000`);
    await eventually(() => child.exitCode !== null);
    expect(child.exitCode).toBe(1);
    await eventually(() => printed.includes('the service answered 401')); // it comes through a pipe
  });
});
