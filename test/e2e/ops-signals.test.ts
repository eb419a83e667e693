import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ESCROW_COMMANDS, MESSAGE_TYPES, type MessageType } from '../../src/domain/escrow/commands.ts';
import { findTemporalProgram } from '../../src/sandbox/stack/temporal-program.ts';
import { ESCROW_MESSAGE_TEXTS, messageText } from '../../src/workflows/details/message-texts.ts';
import { newAdministrator } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { offerLink } from '../support/links.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { newCompany, newParties, newUser, type TestCompany } from '../support/service.ts';
import { testTemporal } from '../support/temporal.ts';

/**
 * Runs the commands of docs/operations/temporal.md unchanged in a shell, with the real `temporal` program. Only
 * the example ids are replaced by the ids of an existing escrow.
 */

const doc = readFileSync(new URL('../../docs/operations/temporal.md', import.meta.url), 'utf8');
const EXAMPLE = /\b(esc|adm|cmp|itm|mst|neg)_01900000-0000-7000-8000-000000000001/g;
const run = promisify(execFile);

/** The signals of the document's table, with their input. */
const ROWS = [...doc.matchAll(/^\| `([a-z-]+)` +\| `(\{.*?\})` +\| (.*?) +\|$/gm)].map(
  ([, name = '', sample = '', does = '']) => ({ name, sample, does }),
);
const SIGNALS = new Map(ROWS.map(({ name, sample }) => [name, sample]));
/** The commands of its shell blocks, each on one line. */
const COMMANDS = [...doc.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.replaceAll('\\\n', '').trim().split('\n'))
  .map((line) => line.replace(/\s+/g, ' '));

let service: OwnService;
let company: TestCompany;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  service = await ownService();
  company = await newCompany(service);
  const program = await findTemporalProgram({ env: process.env, progress: () => undefined });
  const { address, namespace } = testTemporal();
  env = {
    HOME: process.env.HOME,
    PATH: [dirname(program), process.env.PATH].join(delimiter),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
  };
});
afterAll(() => service.stop());

type Escrow = Awaited<ReturnType<typeof known>>;

/** An escrow of 250.00 in two milestones, or of one piece. */
async function begun(fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(company);
  return known((await company.post('/v1/escrow/initiate', escrow(fields))).body.id);
}

async function known(id: string) {
  const path = `/v1/escrow/${id}`;
  const read = async () => (await company.get(path)).body;
  const { items, milestones } = await read();
  const ids: Record<string, string> = {
    esc: id,
    cmp: company.id,
    adm: company.owner.id,
    itm: items[0].id,
    mst: milestones[0]?.id ?? '',
  };
  return {
    id,
    ids,
    read,
    post: (step: string, message: unknown) => company.post(`${path}/${step}`, message),
    timeline: async () => (await company.get(`${path}/timeline`)).body,
  };
}

/** Runs a line of the document in a shell, with the ids of `escrow`. */
async function shell(line: string, { ids }: Escrow): Promise<string> {
  const { stdout } = await run('sh', ['-c', line.replace(EXAMPLE, (_id, kind: string) => ids[kind] ?? '')], { env });
  return stdout;
}

const signal = (name: string, input: string, escrow: Escrow) =>
  shell(`temporal workflow signal --workflow-id escrow/${escrow.id} --name ${name} --input '${input}'`, escrow);

const inHalves = () => begun({ milestones: ['One', 'Two'].map((title) => ({ title, percentage: 50 })) });
const disputed = async () => {
  const escrow = await begun();
  await escrow.post('dispute', { actor: 'BUYER', reason: 'late' });
  return escrow;
};
const negotiated = async () => {
  const escrow = await begun();
  const plan = { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents: 20_000 };
  const { body } = await escrow.post('negotiate', { actor: 'BUYER', newSplitPlan: plan });
  escrow.ids.neg = body.negotiationId;
  return escrow;
};
const dueByItself = async () => {
  const escrow = await begun({ autoReleaseHours: 48 });
  await escrow.post('delivery-note', { items: [{ itemId: escrow.ids.itm, quantity: 2, price_per_item: 1 }] });
  return escrow;
};

const stopped = async () => {
  const escrow = await begun();
  await signal('stop-auto-release', SIGNALS.get('stop-auto-release') ?? '', escrow);
  await eventually(async () => (await escrow.timeline()).at(-1).event === 'AUTO_RELEASE_STOPPED');
  return escrow;
};

/** An escrow that accepts the signal, and the result. Any other signal is accepted by an escrow that has just begun. */
const EFFECTS: { readonly [Type in MessageType]?: readonly [given: () => Promise<Escrow>, then: object] } = {
  'admin-resolve': [disputed, { status: 'RESOLVED', releasedAmount: '20000', refundedAmount: '4750' }],
  cancel: [disputed, { status: 'CANCELLED', refundedAmount: '25000' }],
  release: [begun, { status: 'COMPLETED', releasedAmount: '24750' }],
  'release-milestone': [inHalves, { status: 'ACTIVE', releasedAmount: '12375' }],
  'add-evidence': [disputed, { status: 'DISPUTED' }],
  negotiate: [begun, { openNegotiation: { proposedBy: 'BUYER' } }],
  'adjust-milestone': [inHalves, { status: 'ACTIVE' }],
  'accept-negotiation': [negotiated, { splitPlan: { seller_payout_cents: '20000' } }],
  'reject-negotiation': [negotiated, { splitPlan: { seller_payout_cents: '24750' } }],
  'extend-auto-release': [dueByItself, { status: 'DELIVERY_NOTED' }],
  'resume-auto-release': [stopped, { status: 'ACTIVE' }],
};

type Definition = { readonly name: string; readonly description: string };

describe('the signals of docs/operations/temporal.md', () => {
  test('are exactly the signals of the workflows, with the messages that the Temporal UI offers to copy', async () => {
    expect(Object.fromEntries(ROWS.map(({ name, ...text }) => [name, text]))).toEqual(ESCROW_MESSAGE_TEXTS);
    const { id } = await begun();
    const { definition } = await service.temporal.workflow
      .getHandle(`escrow/${id}`)
      .query<{ definition: Record<'signalDefinitions' | 'updateDefinitions', Definition[]> }>(
        '__temporal_workflow_metadata',
      );
    for (const definitions of [definition.signalDefinitions, definition.updateDefinitions])
      expect(definitions).toEqual(
        expect.arrayContaining(
          MESSAGE_TYPES.map((name) => ({ name, description: messageText(ESCROW_MESSAGE_TEXTS[name]) })),
        ),
      );
  });

  test.each(MESSAGE_TYPES)('%s is carried out when it is sent with the documented command', async (name) => {
    const { event, to } = ESCROW_COMMANDS[name];
    const [given, then] = EFFECTS[name] ?? [begun, { status: to ?? 'ACTIVE' }];
    const escrow = await given();
    await signal(name, SIGNALS.get(name) ?? '', escrow);
    await eventually(async () => (await escrow.timeline()).at(-1).event === event);
    expect(await escrow.read()).toMatchObject(then);
  });

  test('the documented command that decides a dispute works', async () => {
    const escrow = await disputed();
    await shell(COMMANDS.find((line) => line.includes('--name admin-resolve')) ?? '', escrow);
    await eventually(async () => (await escrow.read()).status === 'RESOLVED');
    expect(await escrow.read()).toMatchObject({ heldAmount: '0', releasedAmount: '20000', refundedAmount: '4750' });
    expect((await escrow.timeline()).at(-1)).toMatchObject({ actor: 'ADMIN', details: { adminId: company.owner.id } });
  });
});

/** The codes of the table under "When a signal is refused". */
const CODES = [...(doc.split('### When a signal is refused')[1]?.split('\n### ')[0] ?? '').matchAll(/^\| (`.*?) +\|/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code))
  .filter((code, index, all) => all.indexOf(code) === index);

const plan = (cents: number) =>
  `"newSplitPlan":{"system_fee_cents":0,"service_fee_cents":0,"seller_payout_cents":${cents}}`;
const item = (itemId: string, quantity: number, price: number) =>
  `{"items":[{"itemId":"${itemId}","quantity":${quantity},"price_per_item":${price}}]}`;
const ITEM = 'itm_01900000-0000-7000-8000-000000000001';
const withBlacklistedSeller = async () => {
  const escrow = await begun();
  await service.request('POST', `/v1/identity/admin/users/${(await escrow.read()).seller.id}/status`, {
    headers: { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id },
    body: { status: 'BLACKLISTED' },
  });
  return escrow;
};
/** Its payment by card was charged back while the money was held. */
const chargedBack = async () => {
  const link = await offerLink(service, company, { sellerId: (await newUser(company)).id });
  const { body } = await link.say('eft-pay/initiate');
  await service.sandbox.settle(body.checkoutId, 'success');
  await eventually(async () => (await link.verify(body.checkoutId)).body.status === 'ACCEPTED');
  await service.sandbox.change(body.checkoutId, 'CB');
  const escrow = await known(link.escrowId);
  await eventually(async () => BigInt((await escrow.read()).chargedBackAmount) > 0n);
  return escrow;
};
const USED = crypto.randomUUID();
/** Beside an escrow that has had a command with the id USED. */
const besideAnother = async () => {
  const other = await begun();
  await signal('release', `{"commandId":"${USED}"}`, other);
  await eventually(async () => (await other.read()).status === 'COMPLETED');
  return begun();
};
const managed = async () => {
  const escrow = await disputed();
  escrow.ids.adm = (await newAdministrator(service, company, 'manager')).id;
  return escrow;
};
/** The situation, the signal, and the code of the refusal. */
const REFUSED: readonly (readonly [string, () => Promise<Escrow>, string, string, string])[] = [
  ['at the wrong time', begun, 'admin-resolve', SIGNALS.get('admin-resolve') ?? '', 'wrong_state'],
  ['by nobody in particular', disputed, 'cancel', '{"actor":"ADMIN"}', 'validation_failed'],
  ['by nobody', disputed, 'admin-resolve', `{"adminId":"${crypto.randomUUID()}",${plan(20_000)}}`, 'unknown_admin'],
  ['by a MANAGER', managed, 'admin-resolve', SIGNALS.get('admin-resolve') ?? '', 'forbidden'],
  ['over more than is held', begun, 'negotiate', `{"actor":"BUYER",${plan(25_001)}}`, 'split_exceeds_held'],
  ['by a name that is none', begun, 'resolve', '{}', 'not_found'],
  ['too late', begun, 'release', '{"sentAt":"2026-01-01T00:00:00Z"}', 'message_expired'],
  [
    'by the party that proposed',
    negotiated,
    'accept-negotiation',
    (SIGNALS.get('accept-negotiation') ?? '').replace('SELLER', 'BUYER'),
    'own_proposal',
  ],
  ['beside an open proposal', negotiated, 'negotiate', SIGNALS.get('negotiate') ?? '', 'negotiation_pending'],
  ['with an item of another order', begun, 'delivery-note', item(`itm_${crypto.randomUUID()}`, 1, 1), 'unknown_item'],
  ['with more than was ordered', begun, 'delivery-note', item(ITEM, 3, 12_500), 'quantity_exceeds_order'],
  ['at another price', begun, 'goods-received', item(ITEM, 2, 12_499), 'price_mismatch'],
  ['of a payment that was charged back', chargedBack, 'release', '{}', 'payment_charged_back'],
  ['with the id of another command', besideAnother, 'release', `{"commandId":"${USED}"}`, 'idempotency_key_reused'],
  ['to a blacklisted seller', withBlacklistedSeller, 'release', '{}', 'user_blacklisted'],
];

describe('a signal that is refused', () => {
  test('has one of the documented codes, and each of them occurs in this test', () => {
    expect(CODES.toSorted()).toEqual(REFUSED.map(([, , , , code]) => code).toSorted());
  });

  test.each(REFUSED)(
    '%s changes nothing, and the Temporal UI shows the reason',
    async (_why, given, name, input, code) => {
      const escrow = await given();
      const before = await escrow.read();
      await signal(name, input, escrow);
      const complaint = new RegExp(`Refused the signal \`${name}\` at [^ ]+: ${code}, \\w+`);
      const workflow = service.temporal.workflow.getHandle(`escrow/${escrow.id}`);
      await eventually(async () => {
        const shown = await workflow.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
        return complaint.test(shown.currentDetails ?? '');
      });
      expect(await escrow.read()).toEqual(before);
    },
  );
});

describe('finding and reading workflows by docs/operations/temporal.md', () => {
  test('every command of the page is run by a test', () => {
    const isRun =
      /^(temporal workflow (list|metadata|query|show|count|update execute|signal) |npm run rebuild-workflows$)/;
    expect(COMMANDS.filter((line) => !isRun.test(line))).toEqual([]);
  });

  test('`npm run rebuild-workflows` runs as documented, and creates schedules that Temporal lost', async () => {
    const { address, namespace } = testTemporal();
    const schedule = service.temporal.schedule.getHandle(`audit/${service.taskQueue}`);
    await schedule.delete();
    const { stdout } = await run('sh', ['-c', COMMANDS.find((line) => line === 'npm run rebuild-workflows') ?? ''], {
      env: {
        ...env,
        NODE_OPTIONS: '',
        DATABASE_URL: service.database.workerUrl,
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
        TEMPORAL_TASK_QUEUE: service.taskQueue,
      },
    });
    expect(stdout).toMatch(/runs were checked\. Healed: \d+ missing, /);
    expect((await schedule.describe()).spec.intervals).toHaveLength(1);
  });

  test('lists find the escrow', async () => {
    const escrow = await disputed();
    const lists = COMMANDS.filter((line) => line.startsWith('temporal workflow list'));
    expect(lists).not.toHaveLength(0);
    for (const line of lists) await eventually(async () => (await shell(line, escrow)).includes(escrow.id));
  });

  test.each(COMMANDS.filter((line) => /^temporal workflow (metadata|query|show|count|update)/.test(line)))(
    '%s',
    async (line) => {
      expect(await shell(line, await begun())).toMatch(
        /INITIATED|ACTIVE|FUNDS_RELEASED|waitingFor|WorkflowExecutionStarted|Total: \d/,
      );
    },
  );
});
