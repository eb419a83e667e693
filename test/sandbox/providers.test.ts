import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createProviders, type Providers } from '../../src/providers/index.ts';
import { generateWebhookSecret, webhookHeaders } from '../../src/providers/webhooks.ts';
import { eventually } from '../support/eventually.ts';
import { paymentCode } from '../support/payment-code.ts';
import { type OwnSandbox, startTestSandbox } from '../support/sandbox.ts';
import { json, type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

let reference = 0;
const order = (fields: object = {}) => ({
  merchantReference: `order${String(++reference).padStart(8, '0')}`,
  amountCents: 25_000n,
  currency: 'USD' as const,
  ...fields,
});

describe('the sandbox, through the real adapters', () => {
  let sandbox: OwnSandbox;
  let service: ScriptedServer;
  let providers: Providers;
  beforeAll(async () => {
    [sandbox, service] = await Promise.all([startTestSandbox(), startScriptedServer()]);
    sandbox.callBack(service.url);
    providers = createProviders(sandbox.settings);
  });
  afterAll(async () => {
    await sandbox.stop();
    await service.stop();
  });

  test('as receiver of webhooks, lists the deliveries newest first and shows whether each is signed with a known secret', async () => {
    const url = `${sandbox.url}/webhooks/shop`;
    const known = generateWebhookSecret();
    const control = (path: string, body: object) =>
      fetch(`${sandbox.url}/_control/webhooks/${path}`, { method: 'POST', body: JSON.stringify(body) });
    const send = async (secret: string, id: string) => {
      const body = JSON.stringify({ id, type: 'escrow.released' });
      const headers = webhookHeaders([secret], { id, body, now: new Date() });
      return (await fetch(url, { method: 'POST', headers, body })).status;
    };
    await control('secrets', { secret: known });
    expect(await send(known, 'evt_1')).toBe(200);
    await control('answers', { name: 'shop', status: 503 });
    expect(await send(generateWebhookSecret(), 'evt_2')).toBe(503);
    const shown = await (await fetch(`${sandbox.url}/_control/webhooks?name=shop`)).json();
    expect(shown).toMatchObject([
      { id: 'evt_2', isVerified: false },
      { id: 'evt_1', isVerified: true, body: { type: 'escrow.released' } },
    ]);
    expect(await (await fetch(`${sandbox.url}/_control/webhooks?name=other`)).json()).toEqual([]);
  });

  describe('as card gateway', () => {
    test.each(['success', 'declined', 'pending'] as const)(
      'a checkout is open until it ends as %s',
      async (outcome) => {
        const asked = order({ currency: 'ZIG' });
        const { checkoutId } = await providers.gateways.named('oppwa').createCheckout(asked);
        expect(await providers.gateways.named('oppwa').checkoutStatus(checkoutId)).toEqual({ kind: 'open' });
        await sandbox.settle(checkoutId, outcome);
        expect(await providers.gateways.named('oppwa').checkoutStatus(checkoutId)).toEqual(
          {
            success: {
              kind: 'succeeded',
              paymentId: expect.any(String),
              amountCents: 25_000n,
              currency: 'ZIG',
              merchantReference: asked.merchantReference,
            },
            declined: { kind: 'declined', resultCode: '800.100.151' },
            pending: { kind: 'pending', resultCode: '000.200.000' },
          }[outcome],
        );
        expect(await sandbox.statusCalls(checkoutId)).toBe(2);
      },
    );

    test('a pending checkout may still succeed, and an unknown one is gone', async () => {
      const { checkoutId } = await providers.gateways.named('oppwa').createCheckout(order());
      await sandbox.settle(checkoutId, 'pending');
      await sandbox.settle(checkoutId, 'success');
      expect(await providers.gateways.named('oppwa').checkoutStatus(checkoutId)).toMatchObject({ kind: 'succeeded' });
      expect(await providers.gateways.named('oppwa').checkoutStatus('A'.repeat(32))).toEqual({ kind: 'gone' });
    });

    test('the script matches its hash, may be read by any page, and makes a form that leads back', async () => {
      const { checkoutId, scriptUrl, integrity } = await providers.gateways.named('oppwa').createCheckout(order());
      const response = await fetch(scriptUrl);
      const script = await response.text();
      expect(integrity).toBe(`sha384-${createHash('sha384').update(script).digest('base64')}`);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);

      const form = runWidget(script, scriptUrl, 'https://shop.example/back?link=abc');
      expect(form.action).toBe(`${sandbox.url}/v1/checkouts/${checkoutId}/payment`);
      expect(form.children).toMatchObject([
        { name: 'shopperResultUrl', value: 'https://shop.example/back?link=abc' },
        { textContent: 'Sandbox: choose the result. No card is charged.' },
        { name: 'outcome', value: 'success', textContent: 'Pay 250.00 USD' },
        { name: 'outcome', value: 'declined' },
        { name: 'outcome', value: 'pending' },
      ]);

      const submitted = await fetch(form.action, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ shopperResultUrl: 'https://shop.example/back?link=abc', outcome: 'success' }),
      });
      expect(submitted.status).toBe(303);
      const back = new URL(submitted.headers.get('location') ?? '');
      expect(back.origin + back.pathname).toBe('https://shop.example/back');
      expect(Object.fromEntries(back.searchParams)).toEqual({
        link: 'abc',
        id: checkoutId,
        resourcePath: `/v1/checkouts/${checkoutId}/payment`,
      });
      expect(providers.gateways.named('oppwa').checkoutIdOf(back.searchParams.get('resourcePath') ?? '')).toBe(
        checkoutId,
      );
      expect(await providers.gateways.named('oppwa').checkoutStatus(checkoutId)).toMatchObject({ kind: 'succeeded' });
    });

    test('sends an encrypted notification and repeats it until it is accepted', async () => {
      const { checkoutId } = await providers.gateways.named('oppwa').createCheckout(order());
      // Notifications about checkouts of other tests may still arrive.
      const ours = () => notifications().filter((notification) => reportIn(notification)?.checkoutId === checkoutId);
      service.answer((response, attempt) => json(ours().length === 1 ? 500 : 200, {})(response, attempt));
      await sandbox.settle(checkoutId, 'success');
      await eventually(() => ours().length === 2);
      for (const { method, body } of ours()) {
        expect(method).toBe('POST');
        expect(body).not.toContain(checkoutId);
      }
    });

    const notifications = () => service.requests.filter(({ url }) => url === '/v1/payments/eft-pay/webhook');
    const reportIn = ({ headers, body }: ScriptedServer['requests'][number]) =>
      providers.gateways.named('oppwa').checkoutReportOf({
        headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
        body,
      });

    test.each<[string, Record<string, string>, string, number]>([
      ['another token', { authorization: 'Bearer no' }, '', 401],
      ['no entity', {}, 'amount=1.00&currency=USD', 401],
      ['an amount without cents', {}, 'amount=1&currency=USD&paymentType=DB&integrity=true', 400],
      ['no amount', {}, 'amount=0.00&currency=USD&paymentType=DB&integrity=true', 400],
      ['our own name of a currency', {}, 'amount=1.00&currency=ZIG&paymentType=DB&integrity=true', 400],
    ])('refuses a checkout with %s', async (name, headers, form, status) => {
      const { entityId, accessToken } = sandbox.settings.gateways.settings.oppwa;
      const body = new URLSearchParams(`${form}&merchantTransactionId=abcd1234`);
      if (name !== 'no entity') body.set('entityId', entityId);
      const response = await fetch(`${sandbox.url}/v1/checkouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, ...headers },
        body,
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({ result: { code: expect.stringMatching(/^[28]00\./) } });
    });
  });

  describe('as messaging app', () => {
    test('keeps the messages sent to each number', async () => {
      await providers.messaging.sendOneTimePassword('+263770000011', paymentCode('111111'));
      await providers.messaging.sendOneTimePassword('+263770000012', paymentCode('222222'));
      await providers.messaging.sendOneTimePassword('+263770000011', paymentCode('333333'));
      expect(await sandbox.messagesTo('+263770000011')).toMatchObject([
        { to: '+263770000011', code: '111111', at: expect.stringMatching(/Z$/) },
        { code: '333333' },
      ]);
      expect(await sandbox.codeFor('+263770000012')).toBe('222222');
      const { body: unencoded } = await sandbox.control('GET', '/messages?to=+263770000012'); // the + becomes a space
      expect(unencoded).toHaveLength(1);
    });

    test('signs its notifications', async () => {
      service.answer(json(200, {}));
      await sandbox.control('POST', '/messages', { from: '+263770000013', text: 'Where is it?' });
      // The delivery reports of earlier messages go to the same address.
      const sent = service.requests.find(({ url, body }) => url === '/v1/messaging/webhook' && body.includes('Where'));
      const body = sent?.body ?? '';
      const signature = String(sent?.headers['x-hub-signature-256']);
      expect(providers.messaging.isSigned(Buffer.from(body), signature)).toBe(true);
      expect(providers.messaging.readNotification(body).messages).toMatchObject([
        { from: '+263770000013', text: 'Where is it?' },
      ]);
    });
  });

  describe('as mobile money operator', () => {
    const charge = (phone: string, name: string, fields: object = {}) =>
      providers.operators
        .named('http')
        .charge({ reference: name, phone, amountCents: 100n, currency: 'USD', ...fields });
    const ends = (name: string, status: string) =>
      eventually(async () => (await providers.operators.named('http').status(name)) === status);

    test('a buyer approves after a moment, declines, or does not answer, as configured', async () => {
      expect(await charge('+263770000021', 'c-1')).toBe('pending');
      await sandbox.mobileMoney('+263770000022', 'decline');
      await sandbox.mobileMoney('+263770000023', 'silent');
      await Promise.all([charge('+263770000022', 'c-2'), charge('+263770000023', 'c-3')]);
      await Promise.all([ends('c-1', 'approved'), ends('c-2', 'declined')]);
      expect(await providers.operators.named('http').status('c-3')).toBe('pending');
      await sandbox.mobileMoney('+263770000023', 'approve');
      await ends('c-3', 'approved');
    });

    test('two numbers have a fixed answer, which a tester can change', async () => {
      await Promise.all([charge('+263770000001', 'f-1'), charge('+263770000002', 'f-2')]);
      await ends('f-1', 'declined');
      expect(await providers.operators.named('http').status('f-2')).toBe('pending');
      await sandbox.mobileMoney('+263770000002', 'approve');
      await ends('f-2', 'approved');
    });

    test('an answer is final, and a repeated reference is the same charge', async () => {
      await charge('+263770000024', 'c-4');
      await ends('c-4', 'approved');
      await sandbox.mobileMoney('+263770000024', 'decline');
      expect(await charge('+263770000024', 'c-4')).toBe('approved');
      await expect(charge('+263770000024', 'c-4', { amountCents: 200n })).rejects.toMatchObject({
        outcome: 'unreachable',
      });
      expect(await providers.operators.named('http').status('c-never')).toBe('unknown');
    });
  });

  describe('when it is configured to fail', () => {
    test('one provider fails during its outage, and the others answer', async () => {
      const { checkoutId } = await providers.gateways.named('oppwa').createCheckout(order());
      await sandbox.outage('gateway', 60);
      await expect(providers.gateways.named('oppwa').checkoutStatus(checkoutId)).rejects.toMatchObject({
        outcome: 'unreachable',
      });
      await expect(providers.gateways.named('oppwa').createCheckout(order())).rejects.toMatchObject({
        outcome: 'unknown',
      });
      await providers.messaging.sendOneTimePassword('+263770000031', paymentCode('111111'));
      await sandbox.settle(checkoutId, 'success'); // a buyer may still have paid
      await sandbox.outage('gateway', 0);
      expect(await providers.gateways.named('oppwa').checkoutStatus(checkoutId)).toMatchObject({ kind: 'succeeded' });
    });

    test('a slow provider answers after its delay', async () => {
      await sandbox.outage('messaging', 60, 300);
      const startedAt = performance.now();
      await providers.messaging.sendOneTimePassword('+263770000032', paymentCode('111111'));
      expect(performance.now() - startedAt).toBeGreaterThan(250);
      await sandbox.outage('messaging', 0);
    });

    test.each<[string, unknown]>([
      ['/outage', { provider: 'nobody', seconds: 1 }],
      ['/outage', { provider: 'gateway', seconds: -1 }],
      ['/mobile-money', { phone: 'everyone', outcome: 'approve' }],
      ['/mobile-money', undefined],
      [`/checkouts/${'A'.repeat(32)}`, { outcome: 'stolen' }],
    ])('%s refuses %j with a reason', async (path, body) => {
      expect(await sandbox.control('POST', path, body)).toMatchObject({
        status: 400,
        body: { error: expect.stringMatching(/./) },
      });
    });

    test('an unknown checkout is not found', async () => {
      const path = `/checkouts/${'A'.repeat(32)}`;
      expect(await sandbox.control('POST', path, { outcome: 'success' })).toMatchObject({ status: 404 });
    });
  });
});

type FakeElement = { name?: string; value?: string; textContent?: string; classList: { add(): void } };
type FakeForm = FakeElement & { action: string; children: FakeElement[] };

/** Runs the script on a page with one form, and returns the resulting form. */
function runWidget(script: string, src: string, action: string): FakeForm {
  const classList = { add: () => undefined };
  const form: FakeForm & { replaceChildren(...children: FakeElement[]): void } = {
    action,
    children: [],
    classList,
    replaceChildren(...children) {
      this.children = children;
    },
  };
  const document = {
    currentScript: { src },
    readyState: 'complete',
    querySelectorAll: (selector: string) => (selector === 'form.paymentWidgets' ? [form] : []),
    createElement: (): FakeElement => ({ classList }),
  };
  vm.runInNewContext(script, { document, URL });
  return form;
}
