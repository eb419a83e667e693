import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import {
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../support/service.ts';
import { sharedService } from '../support/shared-services.ts';
import { storyOf } from '../support/story.ts';

/** The operators' work in the Temporal UI or its command line, which offer only signals and queries. */

const NOBODY = 'adm_01900000-0000-7000-8000-000000000000';

let service: TestService & WithTemporal;
let company: TestCompany;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
});
afterAll(() => service.stop());

describe('an escrow, driven by signals and watched by queries', () => {
  test('goes from dispatch to a resolved dispute, as by updates', async () => {
    const { escrow, items, seller, buyer } = await begin();

    await escrow.signal('delivery-note', { items });
    await escrow.is({ status: 'DELIVERY_NOTED' });
    await escrow.signal('goods-received', { items });
    await escrow.is({ status: 'GOODS_RECEIVED' });
    const plan = { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents: 20_000 };
    await escrow.signal('negotiate', { actor: 'BUYER', newSplitPlan: plan });
    const { negotiations } = await escrow.is({ negotiations: [{ status: 'PENDING', proposer: 'BUYER' }] });
    const { negotiationId } = negotiations[0];
    await escrow.signal('reject-negotiation', { actor: 'SELLER', negotiationId: `neg_${negotiationId}` });
    await escrow.is({ negotiations: [{ status: 'REJECTED' }] });
    await escrow.signal('dispute', { actor: 'BUYER' });
    await escrow.is({ status: 'DISPUTED', dispute: { openedBy: 'BUYER' } });
    await escrow.signal('add-evidence', { actor: 'SELLER' });
    await escrow.signal('admin-resolve', { adminId: company.owner.id, newSplitPlan: plan });
    const final = await escrow.is({ status: 'RESOLVED' });

    expect(final).toMatchObject({ heldCents: '0', releasedCents: '20000', feesCents: '250', refundedCents: '4750' });
    const timeline = [
      ['INITIATED', 'COMPANY'],
      ['DELIVERY_NOTED', 'SELLER'],
      ['GOODS_RECEIVED', 'BUYER'],
      ['NEGOTIATION_PROPOSED', 'BUYER'],
      ['NEGOTIATION_REJECTED', 'SELLER'],
      ['DISPUTED', 'BUYER'],
      ['EVIDENCE_ADDED', 'SELLER'],
      ['RESOLVED', 'ADMIN'],
    ];
    expect((await escrow.query('timeline')).map(({ event, actor }) => [event, actor])).toEqual(timeline);
    const { body } = await company.get(`/v1/escrow/${escrow.id}/timeline`);
    expect(body.map(({ event, actor }: { event: string; actor: string }) => [event, actor])).toEqual(timeline);
    expect(await balanceOf(seller.usdAccountId)).toEqual(['20000', '0']);
    expect(await balanceOf(buyer.usdAccountId)).toEqual(['79750', '0']);
    expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ body: { ok: true } });
  });

  test('with the same commandId twice is done once', async () => {
    const { escrow, items } = await begin();
    const commandId = '01900000-0000-7000-8000-00000000000a';
    await escrow.signal('delivery-note', { commandId, items });
    await escrow.signal('delivery-note', { commandId, items });
    await escrow.signal('goods-received', { items });
    await escrow.is({ status: 'GOODS_RECEIVED' });
    expect(await escrow.events()).toEqual(['INITIATED', 'DELIVERY_NOTED', 'GOODS_RECEIVED']);
  });
});

describe('a command id that is another escrow’s', () => {
  const reused = /Refused the signal `release` at [^ ]+: idempotency_key_reused, /;

  test('is refused at once and shown, and the escrow goes on', async () => {
    const commandId = crypto.randomUUID();
    const first = await begin();
    await first.escrow.signal('release', { commandId });
    await first.escrow.is({ status: 'COMPLETED' });

    const { escrow, seller } = await begin();
    await escrow.signal('release', { commandId });
    await eventually(async () => reused.test((await escrow.shown()).details ?? ''));
    expect(await escrow.events()).toEqual(['INITIATED']);
    expect(await company.post(`/v1/escrow/${escrow.id}/release`)).toMatchObject({ status: 200 });
    expect(await balanceOf(seller.usdAccountId)).toEqual(['24750', '0']);
  });

  test('of another company is an id like any other: ids are unique within a company', async () => {
    const commandId = crypto.randomUUID();
    const first = await begin(await newCompany(service));
    await first.escrow.signal('release', { commandId });
    await first.escrow.is({ status: 'COMPLETED' });

    const { escrow, seller } = await begin();
    await escrow.signal('release', { commandId });
    await escrow.is({ status: 'COMPLETED' });
    expect(await balanceOf(seller.usdAccountId)).toEqual(['24750', '0']);
    expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({
      body: { ok: true, mismatches: [] },
    });
  });

  test('the id of a deposit is refused too', async () => {
    const { body } = await company.post('/v1/payments/deposit', { amount: 100, currency: 'USD' });
    const { escrow } = await begin();
    await escrow.signal('release', { commandId: body.id.slice('txn_'.length) });
    await eventually(async () => reused.test((await escrow.shown()).details ?? ''));
    expect(await company.post(`/v1/escrow/${escrow.id}/release`)).toMatchObject({ status: 200 });
  });
});

describe('a signal changes nothing', () => {
  const plan = { system_fee_cents: 250, service_fee_cents: 0, seller_payout_cents: 20_000 };
  const unknownItem = 'itm_01900000-0000-7000-8000-000000000000';
  let escrow: WatchedEscrow;
  beforeAll(async () => {
    ({ escrow } = await begin());
  });
  // After all of these it goes on.
  afterAll(async () => {
    expect(await company.post(`/v1/escrow/${escrow.id}/release`)).toMatchObject({ status: 200 });
  });

  test.each([
    ['with an unknown name', 'pay-me', {}],
    ['that only time may send', 'auto-release', {}],
    ['that only our own code may send', 'fund', { depositTransactionId: null }],
    ['that only our own code may send, as an update', 'initiate', {}],
    ['without a message', 'dispute', undefined],
    ['with null in it', 'dispute', null],
    ['with a word in it', 'dispute', 'BUYER'],
    ['with a list in it', 'dispute', ['BUYER']],
    ['with an unknown party', 'dispute', { actor: 'ADMIN' }],
    ['with an invalid command id', 'dispute', { actor: 'BUYER', commandId: 'mine' }],
    ['with an amount below zero', 'negotiate', { actor: 'BUYER', newSplitPlan: { ...plan, seller_payout_cents: -1 } }],
    ['with more than is held', 'negotiate', { actor: 'BUYER', newSplitPlan: { ...plan, seller_payout_cents: 25_000 } }],
    [
      'with an item that was not ordered',
      'delivery-note',
      { items: [{ itemId: unknownItem, quantity: 1, price_per_item: 1 }] },
    ],
    ['that the state does not allow', 'admin-resolve', { adminId: NOBODY, newSplitPlan: plan }],
    ['of an unknown administrator', 'cancel', { actor: 'ADMIN', adminId: NOBODY }],
  ])('%s', async (_why, name, message) => {
    const before = await escrow.query('state');

    await escrow.signal(name, ...(message === undefined ? [] : [message]));
    await escrow.signalUndecodable(name);

    await escrow.settles();
    expect(await escrow.query('state')).toEqual(before);
    expect(await escrow.events()).toEqual(['INITIATED']);
  });
});

describe('the Temporal UI shows', () => {
  test('the escrow, its status and its expected next steps, before and after a step', async () => {
    const { escrow, items } = await begin();
    expect(await escrow.shown()).toEqual({
      attributes: {
        EscrowCompany: [company.id],
        EscrowCurrency: ['USD'],
        EscrowKind: ['escrow'],
        EscrowStatus: ['ACTIVE'],
      },
      summary: 'Escrow of 250.00 USD',
      details: expect.stringMatching(
        /\*\*ACTIVE\*\*[\s\S]*held 250\.00[\s\S]*`delivery-note`[\s\S]*`release`, `negotiate`/,
      ),
    });

    await escrow.signal('delivery-note', { items });
    await escrow.signal('dispute', { actor: 'BUYER' });
    await escrow.is({ status: 'DISPUTED' });
    const disputed = await escrow.shown();
    expect(disputed).toMatchObject({ attributes: { EscrowStatus: ['DISPUTED'] } });
    expect(disputed.details).toMatch(/\*\*DISPUTED\*\*[\s\S]*`admin-resolve`/);
    expect(disputed.details).not.toContain('`release`');

    await escrow.signal('admin-resolve', {
      adminId: company.owner.id,
      newSplitPlan: { system_fee_cents: 0, service_fee_cents: 0, seller_payout_cents: 0 },
    });
    await escrow.is({ status: 'RESOLVED' });
    const resolved = await escrow.shown();
    expect(resolved).toMatchObject({ attributes: { EscrowStatus: ['RESOLVED'] } });
    expect(resolved.details).toMatch(/held 0\.00, released 0\.00, fees 0\.00, refunded 250\.00/);
  });

  test('each step as one line with its amount in the history', async () => {
    const { escrow, items } = await begin();
    await escrow.signal('delivery-note', { items });
    await escrow.signal('release', {});
    await escrow.is({ status: 'COMPLETED' });
    expect(await escrow.story()).toEqual([
      'asks: hold 250.00 USD',
      'INITIATED 250.00 USD',
      'asks: note the delivery',
      'DELIVERY_NOTED',
      'asks: release 247.50 USD to the seller',
      'FUNDS_RELEASED 247.50 USD',
    ]);
  });
});

type Timeline = readonly { readonly event: string; readonly actor: string }[];

/** One escrow, as operators can reach it. */
class WatchedEscrow {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  get #handle() {
    return service.temporal.workflow.getHandle(`escrow/${this.id}`);
  }

  signal(name: string, ...args: unknown[]): Promise<void> {
    return this.#handle.signal(name, ...args);
  }

  /** A payload that claims to be JSON and is not. */
  async signalUndecodable(signalName: string): Promise<void> {
    const payload = { metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"actor":') };
    await service.temporal.workflowService.signalWorkflowExecution({
      namespace: service.temporal.options.namespace,
      workflowExecution: { workflowId: this.#handle.workflowId },
      signalName,
      input: { payloads: [payload] },
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: asserted on, never trusted
  query(name: 'state'): Promise<any>;
  query(name: 'timeline'): Promise<Timeline>;
  query(name: string): Promise<unknown> {
    return this.#handle.query(name);
  }

  /** Waits until the `state` query matches, and returns its answer. */
  is(expected: Record<string, unknown>) {
    return eventually(async () => {
      const state = await this.query('state');
      try {
        expect(state).toMatchObject(expected);
        return state;
      } catch {
        return undefined;
      }
    });
  }

  /** Waits until every signal so far was handled. */
  settles() {
    return eventually(async () => {
      const { raw } = await this.#handle.describe();
      return raw.pendingWorkflowTask == null;
    });
  }

  /** The events, without the refused signals. */
  async events(): Promise<string[]> {
    return (await this.query('timeline')).map(({ event }) => event).filter((event) => event !== 'REFUSED');
  }

  async shown() {
    const description = await this.#handle.describe();
    const { EscrowCompany, EscrowCurrency, EscrowKind, EscrowStatus } = description.searchAttributes;
    const metadata = await this.#handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return {
      attributes: { EscrowCompany, EscrowCurrency, EscrowKind, EscrowStatus },
      summary: await description.staticSummary(),
      details: metadata.currentDetails,
    };
  }

  /** The lines about its steps in the history, once the run has ended. */
  async story(): Promise<string[]> {
    await this.#handle.result();
    return storyOf(this.#handle);
  }
}

async function begin(owner: TestCompany = company) {
  const { buyer, seller, escrow: request } = await newParties(owner);
  const { body } = await owner.post('/v1/escrow/initiate', request());
  const { body: detail } = await owner.get(`/v1/escrow/${body.id}`);
  const items = [{ itemId: detail.items[0].id, quantity: 2, price_per_item: 12_500 }];
  return { escrow: new WatchedEscrow(body.id), items, buyer, seller };
}

async function balanceOf(accountId: string): Promise<[balance: string, held: string]> {
  const { body } = await company.get(`/v1/ledger/accounts/${accountId}`);
  return [body.balance, body.held_balance];
}
