import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Messaging } from '../../src/providers/messaging/port.ts';
import { createWhatsapp } from '../../src/providers/messaging/whatsapp.ts';
import { paymentCode } from '../support/payment-code.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const APP_SECRET = 'the app secret';

describe('the messaging app', () => {
  let server: ScriptedServer;
  let messaging: Messaging;
  beforeAll(async () => {
    server = await startScriptedServer();
    messaging = createWhatsapp({
      host: server.url,
      apiVersion: 'v23.0',
      phoneNumberId: '106540352242922',
      accessToken: 'token-1',
      appSecret: APP_SECRET,
      verifyToken: 'verify-1',
      template: { name: 'one_time_password', language: 'en' },
      bankDetailsTemplate: 'bank_details_changed',
    });
  });
  afterAll(() => server.stop());

  const TO = '+263771234567';
  const sent = { messaging_product: 'whatsapp', contacts: [], messages: [{ id: 'wamid.HBgL==' }] };

  test('sends code, merchant and amount by the template, and the code in the button too', async () => {
    server.answer(json(200, sent));
    expect(await messaging.sendOneTimePassword(TO, paymentCode('042137'))).toEqual({ messageId: 'wamid.HBgL==' });
    expect(server.requests).toHaveLength(1);
    const [{ method, url, headers, body } = { headers: {}, body: '' }] = server.requests;
    expect([method, url]).toEqual(['POST', '/v23.0/106540352242922/messages']);
    expect(headers).toMatchObject({ authorization: 'Bearer token-1', 'content-type': 'application/json' });
    expect(JSON.parse(body)).toEqual({
      messaging_product: 'whatsapp',
      to: '263771234567',
      type: 'template',
      template: {
        name: 'one_time_password',
        language: { code: 'en' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: '042137' },
              { type: 'text', text: 'Market' },
              { type: 'text', text: 'USD 250.00' },
            ],
          },
          { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '042137' }] },
        ],
      },
    });
  });

  test('tells a party about its order by the template of the kind, in its language, with the page in the button', async () => {
    server.answer(json(200, sent));
    const news = { merchant: 'Market', order: 'order-1', detail: 'USD 250.00', token: 'x'.repeat(32) };
    await messaging.sendOrderNews(TO, { kind: 'RELEASE_IN_48_HOURS', locale: 'pt', ...news });
    const { template } = JSON.parse(server.requests.at(-1)?.body ?? '{}');
    expect(template).toMatchObject({ name: 'order_release_in_48_hours', language: { code: 'pt_PT' } });
    const texts = template.components.map(({ parameters }: { parameters: { text: string }[] }) =>
      parameters.map(({ text }) => text),
    );
    expect(texts).toEqual([['Market', 'order-1', 'USD 250.00'], [news.token]]);
  });

  test('sends the code for an act on an order by its own template, in the language of the party', async () => {
    server.answer(json(200, sent));
    const names = { act: 'abrir um litígio', order: 'order-1', amount: '250,00 US$', merchant: 'Market' };
    await messaging.sendOrderCode(TO, { code: '042137', locale: 'pt', ...names });
    const { template } = JSON.parse(server.requests.at(-1)?.body ?? '{}');
    expect(template).toMatchObject({ name: 'order_code', language: { code: 'pt_PT' } });
    const texts = template.components.map(({ parameters }: { parameters: { text: string }[] }) =>
      parameters.map(({ text }) => text),
    );
    expect(texts).toEqual([['042137', 'abrir um litígio', 'order-1', '250,00 US$', 'Market'], ['042137']]);
  });

  test('removes the characters that the platform refuses from a merchant name', async () => {
    server.answer(json(200, sent));
    await messaging.sendOneTimePassword(TO, {
      ...paymentCode('042137'),
      merchant: `A\tB  C\n${'x'.repeat(300)}`,
    });
    const { template } = JSON.parse(server.requests[0]?.body ?? '{}');
    expect(template.components[0].parameters[1].text).toBe(`A B C ${'x'.repeat(94)}`);
  });

  test.each<[string, number, unknown, string]>([
    ['refused, with the platform’s code', 400, { error: { code: 131_026, message: TO } }, 'unreachable'],
    ['refused without one', 404, {}, 'unreachable'],
    ['refused for our credential', 401, {}, 'unreachable'],
    ['not answered', 500, {}, 'unknown'],
    ['answered without an id', 200, { messages: [] }, 'unknown'],
  ])(
    'a message that is %s is sent once, and its error does not contain the number',
    async (_, status, body, outcome) => {
      server.answer(json(status, body));
      const error: unknown = await messaging
        .sendOneTimePassword(TO, paymentCode('042137'))
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: 'ProviderError', provider: 'messaging', outcome });
      expect(String(error)).not.toMatch(/263771234567|042137/);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each(['263771234567', '+26377', '+263 77 1234567', '+263771234567&to=+1', ''])(
    'sends no message to %j',
    async (to) => {
      server.answer(json(200, sent));
      await expect(messaging.sendOneTimePassword(to, paymentCode('042137'))).rejects.toThrow('E.164');
      expect(server.requests).toEqual([]);
    },
  );

  const query = (text: string) => new URLSearchParams(text);
  test('knows its own verify token', () => {
    const ours = query('hub.mode=subscribe&hub.verify_token=verify-1&hub.challenge=99');
    expect(messaging.answerVerification(ours)).toBe('99');
    expect(messaging.answerVerification(query('hub.mode=subscribe&hub.verify_token=verify-2&hub.challenge=9'))).toBe(
      undefined,
    );
  });

  const signature = (body: Buffer, secret = APP_SECRET) => createHmac('sha256', secret).update(body).digest('hex');
  const bytes = Buffer.from([0x7b, 0xff, 0x00, 0x7d]); // bytes, not text: no decoder has touched them

  test.each<[string, string | undefined, boolean]>([
    ['its signature', `sha256=${signature(bytes)}`, true],
    ['its signature in capitals', `sha256=${signature(bytes).toUpperCase()}`, true],
    ['a signature by another secret', `sha256=${signature(bytes, 'another')}`, false],
    ['a signature of other bytes', `sha256=${signature(Buffer.from('{}'))}`, false],
    ['a truncated one', `sha256=${signature(bytes).slice(2)}`, false],
    ['two', `sha256=${signature(bytes)},sha256=${signature(bytes)}`, false],
    ['one of another algorithm', `sha1=${signature(bytes)}`, false],
    ['none', undefined, false],
  ])('a body with %s', (_, header, isSigned) => {
    expect(messaging.isSigned(bytes, header)).toBe(isSigned);
  });

  const notification = (...values: unknown[]) =>
    JSON.stringify({ entry: values.map((value) => ({ changes: [{ field: 'messages', value }] })) });

  test('reads messages and statuses from every entry and skips unknown ones', () => {
    const body = notification(
      { messages: [{ id: 'wamid.1', from: '263771234567', type: 'text', text: { body: 'Hi' } }, { id: 'wamid.x' }] },
      null,
      { messages: 'none', statuses: [{ id: 'wamid.2', status: 'delivered' }, 'odd'] },
      { messages: [{ id: 'wamid.3', from: '263771234567', type: 'image' }] },
    );
    expect(messaging.readNotification(body)).toEqual({
      messages: [
        { messageId: 'wamid.1', from: TO, text: 'Hi' },
        { messageId: 'wamid.3', from: TO, text: '' },
      ],
      statuses: [{ messageId: 'wamid.2', status: 'delivered' }],
    });
  });

  test('reads a bounded number of them', () => {
    const statuses = Array.from({ length: 5_000 }, (_, n) => ({ id: `wamid.${n}`, status: 'sent' }));
    expect(messaging.readNotification(notification({ statuses })).statuses).toHaveLength(1_000);
  });

  test.each(['', 'x', '[]', '{"entry":{}}', '{"entry":[{"changes":[{"field":"account_update","value":{}}]}]}'])(
    'reads nothing in %j',
    (body) => {
      expect(messaging.readNotification(body)).toEqual({ messages: [], statuses: [] });
    },
  );
});
