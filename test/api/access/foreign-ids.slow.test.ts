import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare, sql } from '../../support/api.ts';
import { KINDS } from '../../support/catalogue.ts';
import { counted } from '../../support/counted.ts';
import { type Call, type IdField, operationOf, operationsOf, valueIn, withValue } from '../../support/id-fields.ts';
import { createRecorder } from '../../support/integration/recorder.ts';
import { integrate } from '../../support/integration/story.ts';
import { actOnPage } from '../../support/order-pages.ts';
import { ownService } from '../../support/own-service.ts';
import { PLATFORM, type TestService } from '../../support/service.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

/**
 * Two companies run the first integration. Before each request, the second one sends it with an id of the first one, and with one of
 * the platform's company, in each field that takes an id, also in a field that the request leaves out. The API's description says which
 * fields these are.
 */

type Request = TestService['request'];
type Options = Parameters<Request>[2];
type Attack = { readonly field: string; readonly status: number; readonly body: unknown };

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const PUBLIC_ID = new RegExp(`\\b([a-z]{2,4})_(${UUID.source})\\b`, 'g');
/** Institutions are shared by all companies. */
const SHARED = 'inst';
/** The service looks this id up for another kind than the integration's. */
const CHANGED: Readonly<Record<string, object>> = { 'matchBankEntry body id': { kind: 'PAYOUT' } };
/** Refusals with another status than 404 and 422. */
const OTHERWISE: Readonly<Record<string, number>> = {
  'refreshSession body userId': 401,
  'assignDispute body knownAdminId': 409,
  'rollApiKey body id': 403,
  'matchBankEntry body id': 409,
  'listEvents query after': 400,
  'streamEvents query after': 400,
};
/** The platform's staff act for any company. */
const STAFFED = ['assignDispute body adminId'];
/** order-pages.slow.test.ts asks for a file of another order. */
const TRIED_ELSEWHERE = ['getEscrowFile'];

let service: TestService;
let receiver: WebhookReceiver;
let operations: ReturnType<typeof operationsOf>;
/** The first company's ids by kind, and the last one that it sent in each field. */
const firstIds = new Map<string, string[]>();
const firstSent = new Map<string, string>();
/** An id of the platform's company, by kind. */
let platformIds: ReadonlyMap<string, string>;
const attacks = new Map<string, Attack>();
/** What only the platform asks for in the integration. */
const platformOnly = new Set<string>();

beforeAll(async () => {
  service = await ownService();
  receiver = await startWebhookReceiver();
  operations = operationsOf((await service.request('GET', '/openapi.json')).body);
  await live(async (method, path, options) => {
    const answer = await service.request(method, path, options);
    if (!isPlatforms(options)) learn({ method, path, options }, answer.body);
    return answer;
  });
  platformIds = await idsOf(service.platform.companyId);
  await live(async (method, path, options) => {
    const call = { method, path, options: asSecond(options) };
    if (!isPlatforms(options)) await attack(call);
    else platformOnly.add(operationOf(operations, call)?.id ?? '');
    return service.request(method, path, call.options);
  }, inSecond);
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});

test("no operation accepts another company's id, or shows what it names", () => {
  const isRefused = ({ status, field }: Attack) =>
    field in OTHERWISE ? status === OTHERWISE[field] : status === 404 || status === 422;
  const isEmptyList = ({ status, field, body }: Attack) =>
    status === 200 && field.includes(' query ') && !showsFirst(body);
  const tried = [...attacks.values()];
  expect(tried.filter((one) => !isRefused(one) && !isEmptyList(one))).toEqual([]);
  counted(`foreign ids: ${tried.length} fields of requests, ${tried.filter(isRefused).length} of them refused`);
});

test('every field of the description was tried, but those of the platform', () => {
  const missed = operations
    .filter(({ id }) => !platformOnly.has(id) && !TRIED_ELSEWHERE.includes(id))
    .flatMap(({ id, fields }) => fields.filter(({ kind }) => kind !== SHARED).map((field) => nameOf(id, field)))
    .filter((name) => !attacks.has(name));
  expect(missed).toEqual([]);
  expect([...attacks.keys()].filter((name) => name.endsWith(OF_PLATFORM)).length).toBeGreaterThan(15);
  expect(platformOnly.size).toBeLessThan(12);
});

test("afterwards no row names another company's row", async () => {
  const names = Object.values(KINDS).flat();
  const statements = names.map((name) => `select '${name}' as table, to_jsonb(t) as row from ${name} t`);
  const found = await sql(service, statements.join(' union all '));
  const rows = found as { table: string; row: Record<string, unknown> }[]; // as the statement says
  const companyOf = (row: Record<string, unknown>) => row.company_id ?? row.by_company;
  const platform = bare(service.platform.companyId);
  const owners = new Map(rows.map(({ row }) => [row.id, companyOf(row)]));
  const named = rows
    .filter(({ row }) => ![undefined, null, platform].includes(companyOf(row) as string))
    .flatMap(({ table, row }) =>
      Object.entries(row).flatMap(([column, value]) =>
        [...(JSON.stringify(value)?.matchAll(UUID) ?? [])].map(([id]) => ({ in: `${table}.${column}`, id, row })),
      ),
    );
  const foreign = named.filter(
    ({ id, row, ...one }) =>
      ![undefined, null, companyOf(row)].includes(owners.get(id)) && !isAllowed(one.in, owners.get(id)),
  );
  expect(foreign).toEqual([]);
  expect(named.length).toBeGreaterThan(500);

  /** A refused request is logged with the id that the caller sent. Copies and facts name the platform's half of a fee. */
  function isAllowed(column: string, owner: unknown): boolean {
    return column === 'audit_log.resource' || owner === platform;
  }
});

/** Runs the first integration with these requests. */
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

/** Remembers the first company's ids. */
function learn(call: Call, answer: unknown): void {
  for (const [id, kind = ''] of JSON.stringify([call.path, call.options?.body, answer]).matchAll(PUBLIC_ID))
    firstIds.set(kind, [...(firstIds.get(kind) ?? []), id]);
  const operation = operationOf(operations, call);
  if (operation === undefined) return;
  for (const field of operation.fields) {
    const sent = valueIn(operation, call, field);
    if (typeof sent === 'string') firstSent.set(nameOf(operation.id, field), sent);
  }
}

async function idsOf(companyId: string): Promise<ReadonlyMap<string, string>> {
  const tables = { administrator: 'adm', api_key: 'key', account: 'acc', ledger: 'ldg', company: 'cmp' };
  const ids = new Map<string, string>();
  for (const [table, kind] of Object.entries(tables)) {
    const column = table === 'company' ? 'id' : 'company_id';
    const [row] = await sql(service, `select id from ${table} where ${column} = $1 limit 1`, [bare(companyId)]);
    ids.set(kind, `${kind}_${row?.id}`);
  }
  return ids;
}

/**
 * Sends the request twice for each field: with the id that the first company sent there, or else one of the same kind, and with one
 * of the platform's.
 */
async function attack(call: Call): Promise<void> {
  const operation = operationOf(operations, call);
  if (operation === undefined) return;
  for (const field of operation.fields) {
    const name = nameOf(operation.id, field);
    const foreign = firstSent.get(name) ?? firstIds.get(field.kind)?.[0];
    if (field.kind === SHARED || foreign === undefined || attacks.has(name)) continue;
    const send = async (id: string) => {
      const { method, path, options } = withValue(operation, call, field, id);
      const headers = { ...options?.headers, 'x-idempotency-key': crypto.randomUUID() };
      const changed = name in CHANGED ? { body: { ...Object(options?.body), ...CHANGED[name] } } : {};
      const { status, body } = await service.request(method, path, { ...options, headers, ...changed });
      return { field: name, status, body };
    };
    attacks.set(name, await send(foreign));
    const platforms = platformIds.get(field.kind);
    if (platforms !== undefined && !STAFFED.includes(name)) attacks.set(name + OF_PLATFORM, await send(platforms));
  }
}

const OF_PLATFORM = ', of the platform';
const nameOf = (operationId: string, { in: place, at }: IdField) => `${operationId} ${place} ${at.join('.')}`;

function showsFirst(body: unknown): boolean {
  return [...JSON.stringify(body ?? null).matchAll(PUBLIC_ID)].some(
    ([id, kind = '']) => kind !== SHARED && firstIds.get(kind)?.includes(id),
  );
}
