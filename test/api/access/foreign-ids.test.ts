import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare, sql } from '../../support/api.ts';
import { counted } from '../../support/counted.ts';
import { createRecorder } from '../../support/integration/recorder.ts';
import { integrate } from '../../support/integration/story.ts';
import { actOnPage } from '../../support/order-pages.ts';
import { ownService } from '../../support/own-service.ts';
import { PLATFORM, type TestService } from '../../support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

/**
 * Two companies run the first integration, which calls every operation. The second one sends each of its requests also with an id
 * of the first one's, of the same kind, in each field that takes an id.
 */

type Request = TestService['request'];
type Options = Parameters<Request>[2];
type Attack = { readonly what: string; readonly status: number; readonly body: unknown };

const ID = /\b[a-z]{2,4}_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const kindOf = (id: string) => id.slice(0, id.indexOf('_'));
/** Institutions are shared by all companies. */
const SHARED = ['fin'];

let service: TestService;
let receiver: WebhookReceiver;
/** What the first company has: its ids by kind. */
const firstIds = new Map<string, Set<string>>();
const attacks: Attack[] = [];

beforeAll(async () => {
  service = await ownService();
  receiver = await startWebhookReceiver();
  await live(async (method, path, options) => {
    const answer = await service.request(method, path, options);
    if (!isPlatforms(options)) learn([path, options?.body, answer.body]);
    return answer;
  });
  await live(async (method, path, options) => {
    const own: [string, Options] = [path, asSecond(options)];
    if (!isPlatforms(options)) await attack(method, ...own);
    return service.request(method, ...own);
  }, inSecond);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

test("no operation accepts another company's id, or shows what it names", () => {
  const refused = attacks.filter(({ status }) => status >= 400 && status < 500);
  const accepted = attacks.filter((one) => !refused.includes(one) && showsFirst(one.body));
  expect(accepted).toEqual([]);
  const changed = attacks.filter(({ status, what }) => status < 400 && !what.startsWith('GET'));
  expect(changed).toEqual([]);
  expect(attacks.filter(({ status }) => status >= 500)).toEqual([]);
  counted(`foreign ids: ${attacks.length} fields of requests, ${refused.length} of them refused`);
  expect(attacks.length).toBeGreaterThan(60);
});

async function live(request: Request, asOwn = (text: string) => text): Promise<void> {
  const record = await createRecorder({ ...service, request });
  await integrate(record, {
    platform: { ...PLATFORM, apiKey: service.platform.apiKey },
    messaging: service.sandbox.settings.messaging,
    codeFor: service.sandbox.codeFor,
    actOnPage: (page) => actOnPage(service, page),
    resetTokenFor: (email) => service.sandbox.resetTokenFor(asOwn(email)),
    payByCard: (checkoutId) => service.sandbox.settle(checkoutId, 'success'),
    webhookUrl: receiver.url,
    bankWaits: async () => void (await service.sandbox.control('POST', '/payouts', { outcome: 'manual' })),
    detailsWait: async (ledgerId) => {
      const later = "update bank_details set effective_at = now() + interval '1 day' where ledger_id = $1";
      await sql(service, later, [bare(ledgerId)]);
    },
    bankIsAway: (isAway) => service.sandbox.outage('payout', isAway ? 600 : 0),
  });
}

const isPlatforms = (options: Options) => options?.headers?.['x-api-key'] === service.platform.apiKey;

/** The second company has another name. */
const inSecond = (text: string) => text.replaceAll('green-market', 'red-market');

function asSecond(options: Options): Options {
  if (options?.body === undefined) return options;
  return { ...options, body: JSON.parse(inSecond(JSON.stringify(options.body))) };
}

function learn(values: readonly unknown[]): void {
  for (const [id] of JSON.stringify(values).matchAll(ID))
    if (!SHARED.includes(kindOf(id))) firstIds.set(kindOf(id), (firstIds.get(kindOf(id)) ?? new Set()).add(id));
}

const sent = new Set<string>();

/** Sends a request once for each id in it, with the id replaced. */
async function attack(method: string, path: string, options: Options): Promise<void> {
  const body = options?.body === undefined ? '' : JSON.stringify(options.body);
  const places = [...`${path}\n${body}`.matchAll(ID)];
  for (const [place, { 0: id, index }] of places.entries()) {
    const [foreign] = firstIds.get(kindOf(id)) ?? [];
    const name = `${method} ${path.replace(ID, '{id}')} ${place} ${kindOf(id)}`;
    if (foreign === undefined || sent.has(name)) continue;
    sent.add(name);
    const text = `${path}\n${body}`;
    const replaced = text.slice(0, index) + foreign + text.slice(index + id.length);
    const [foreignPath = '', foreignBody = ''] = replaced.split('\n');
    const answer = await service.request(method, foreignPath, {
      ...options,
      headers: { ...options?.headers, 'x-idempotency-key': crypto.randomUUID() },
      ...(foreignBody === '' ? {} : { body: JSON.parse(foreignBody) }),
    });
    attacks.push({ what: name, status: answer.status, body: answer.body });
  }
}

function showsFirst(body: unknown): boolean {
  return [...JSON.stringify(body ?? null).matchAll(ID)].some(([id]) => firstIds.get(kindOf(id))?.has(id) === true);
}
