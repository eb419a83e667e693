import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProviders } from '../../../src/providers/index.ts';
import { refused, sql } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { paymentCode } from '../../support/payment-code.ts';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const PATH = '/v1/messaging/webhook';

describe('the messaging webhook', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await sharedService();
  });
  afterAll(() => service.stop());

  const challenge = (query: Record<string, string>) => service.request('GET', `${PATH}?${new URLSearchParams(query)}`);
  const sign = (body: string, secret = service.sandbox.settings.messaging.appSecret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const notify = (rawBody: string, headers: Record<string, string> = { 'x-hub-signature-256': sign(rawBody) }) =>
    service.request('POST', PATH, { rawBody, headers });
  const notification = (value: object) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', ...value } }] }],
    });
  const factsOf = async (messageId: string) =>
    (await sql(service, 'select kind from messaging_event where message_id = $1 order by kind', [messageId])).map(
      ({ kind }) => kind,
    );

  test('answers the challenge as plain text for the right verify token', async () => {
    const answer = await challenge({
      'hub.mode': 'subscribe',
      'hub.verify_token': service.sandbox.settings.messaging.verifyToken,
      'hub.challenge': '<b>1158201444</b>',
    });
    expect(answer).toMatchObject({ status: 200, body: '<b>1158201444</b>' });
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test.each<[string, (token: string) => Record<string, string>]>([
    ['another token', () => ({ 'hub.mode': 'subscribe', 'hub.verify_token': 'guessed', 'hub.challenge': '1' })],
    ['no token', () => ({ 'hub.mode': 'subscribe', 'hub.challenge': '1' })],
    ['another mode', (token) => ({ 'hub.mode': 'read', 'hub.verify_token': token, 'hub.challenge': '1' })],
    ['no challenge', (token) => ({ 'hub.mode': 'subscribe', 'hub.verify_token': token })],
    ['nothing', () => ({})],
  ])('refuses a challenge with %s', async (_, query) => {
    const answer = await challenge(query(service.sandbox.settings.messaging.verifyToken));
    expect(answer).toMatchObject(refused(403, 'forbidden'));
  });

  test('stores a repeated signed message once, without number and text', async () => {
    const id = `wamid.${randomUUID()}`;
    const message = { from: '263770000009', id, timestamp: '1', type: 'text', text: { body: 'Hello' } };
    const body = notification({ messages: [message, message] });
    for (let time = 1; time <= 3; time += 1)
      expect(await notify(body)).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await factsOf(id)).toEqual(['received']);
    const columns = await sql(service, `select * from messaging_event where message_id = $1`, [id]);
    expect(JSON.stringify(columns)).not.toMatch(/263770000009|Hello/);
  });

  test('accepts delivery reports in any order and skips unknown ones', async () => {
    const id = `wamid.${randomUUID()}`;
    const report = (status: unknown) => ({ id, status, timestamp: '1', recipient_id: '263770000009' });
    await notify(notification({ statuses: [report('read'), report('warning'), { id: 7 }, null, report('sent')] }));
    await notify(notification({ statuses: [report('delivered'), report('sent')] }));
    expect(await factsOf(id)).toEqual(['delivered', 'read', 'sent']);
  });

  test.each<[string, (body: string) => Record<string, string>]>([
    ['no signature', () => ({})],
    ['a signature by another secret', (body) => ({ 'x-hub-signature-256': sign(body, 'another') })],
    ['a signature of another body', () => ({ 'x-hub-signature-256': sign('{}') })],
    ['a short signature', (body) => ({ 'x-hub-signature-256': sign(body).slice(0, -2) })],
    ['a signature without its algorithm', (body) => ({ 'x-hub-signature-256': sign(body).slice(7) })],
    ['text instead of a signature', () => ({ 'x-hub-signature-256': 'sha256=no' })],
    ['no signature and another media type', () => ({ 'content-type': 'text/plain' })],
  ])('refuses %s, and records nothing', async (_, headers) => {
    const id = `wamid.${randomUUID()}`;
    const body = notification({ messages: [{ from: '263770000009', id, type: 'text' }] });
    expect(await notify(body, headers(body))).toMatchObject(refused(401, 'invalid_signature'));
    expect(await factsOf(id)).toEqual([]);
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['invalid JSON', 'garbage'],
    ['null', 'null'],
    ['a list', '[]'],
    ['an empty notification', '{"entry":[]}'],
    [
      'wrong shapes at every level',
      '{"entry":[null,{"changes":[7,{"field":"messages","value":null},{"field":"other"}]}]}',
    ],
    [
      'ids that are none',
      notification({
        messages: [
          { id: 'a\u0000b', from: '263770000009' },
          { id: '', from: '1' },
        ],
      }),
    ],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ])('accepts a signed body with %s', async (_, body) => {
    expect(await notify(body)).toMatchObject({ status: 200, body: { status: 'OK' } });
  });

  test('parses notifications of at most 64 KiB; a larger one is read and dropped', async () => {
    const report = (id: string, padding: number) =>
      JSON.stringify({
        entry: [{ changes: [{ field: 'messages', value: { statuses: [{ id, status: 'read' }] } }] }],
        padding: 'x'.repeat(padding),
      });
    const [small, large] = [`wamid.${randomUUID()}`, `wamid.${randomUUID()}`];
    expect(await notify(report(small, 60_000))).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect(await notify(report(large, 66_000))).toMatchObject({ status: 200, body: { status: 'OK' } });
    expect([await factsOf(small), await factsOf(large)]).toEqual([['read'], []]);
  });

  test('accepts bodies as large as the platform sends, and refuses larger ones, signed or not', async () => {
    expect(await notify(JSON.stringify({ entry: 'x'.repeat(3_000_000) }))).toMatchObject({ status: 200 });
    expect(await notify(JSON.stringify({ entry: 'x'.repeat(5_000_000) }))).toMatchObject(
      refused(413, 'payload_too_large'),
    );
  });

  test('the sandbox reports the delivery status of a sent message', async () => {
    const { messaging } = createProviders(service.sandbox.settings);
    const { messageId } = await messaging.sendOneTimePassword('+263771234567', paymentCode('123456'));
    await eventually(async () => (await factsOf(messageId)).length === 2);
    expect(await factsOf(messageId)).toEqual(['delivered', 'sent']);
    expect(await service.sandbox.control('POST', '/messages', { from: '+263771234567', text: 'Hi' })).toMatchObject({
      body: { status: 200 },
    });
  });
});
