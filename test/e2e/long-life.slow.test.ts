import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { createCommands } from '../../src/api/commands/send-commands.ts';
import { WAIT_LIMITS } from '../../src/api/limits.ts';
import { MessageProof } from '../../src/db/core/message-proof.ts';
import { connect } from '../../src/db/core/orm.ts';
import { CredentialProof } from '../../src/db/identity/credential-proof.ts';
import { createRequestStore } from '../../src/db/requests/request-store.ts';
import { Refusal } from '../../src/domain/errors.ts';
import { type CommandId, parseId } from '../../src/domain/ids.ts';
import { must } from '../domain/escrow/build.ts';
import { eventually } from '../support/eventually.ts';
import { FIELD_KEY } from '../support/keys.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { type Answer, newCompany, newParties, type TestCompany, untilAnswered } from '../support/service.ts';

/** `npm run long-life` sends two thousand. */
const NOTES = Number(process.env.NOTES ?? 150);
const AT_ONCE = 8;
/** Each sends three commands of an escrow at a time; Temporal accepts ten per run. */
const API_PROCESSES = 5;
const CALLERS_PER_PROCESS = 8;

let service: OwnService;
let company: TestCompany;

beforeAll(async () => {
  service = await ownService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

async function begun(fields: Record<string, unknown> = {}, depositCents?: number) {
  const parties = await newParties(company, depositCents);
  const { status, body } = await company.post('/v1/escrow/initiate', parties.escrow(fields));
  if (status !== 201) throw new Error(JSON.stringify(body));
  const path = `/v1/escrow/${body.id}`;
  const read = async () => (await company.get(path)).body;
  const { items } = await read();
  return {
    ...parties,
    id: String(body.id),
    path,
    read,
    counted: { items: [{ itemId: items[0].id, quantity: 1, price_per_item: 12_500 }] },
    timeline: async () => (await company.get(`${path}/timeline`)).body,
    run: () => service.temporal.workflow.getHandle(`escrow/${body.id}`),
  };
}

/** Waits until Temporal's lists, which lag, have more than `least` runs of an escrow. Returns their number. */
async function moreRunsThan(least: number, escrowId: string): Promise<number> {
  const query = `WorkflowId = "escrow/${escrowId}"`;
  return eventually(async () => {
    const { count } = await service.temporal.workflow.count(query);
    return count > least && count;
  });
}

describe('a long-lived escrow', () => {
  test(`takes ${NOTES} delivery notes, sent while its runs follow one another: none is lost, and it does not grow`, async () => {
    const escrow = await begun();
    const stateBytes = async () => JSON.stringify(await escrow.run().query('state')).length;
    const bytesAtFirst = await stateBytes();
    const sent: string[] = [];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (sent.length < NOTES) {
          const notes = `note ${sent.length}`;
          sent.push(notes);
          const answer = await untilAnswered(
            (key) => company.post(`${escrow.path}/delivery-note`, { ...escrow.counted, notes }, key),
            { repeated: [429, 503] }, // so many at once may wait too long for their turn
          );
          expect(answer).toMatchObject({ status: 200, body: { status: 'DELIVERY_NOTED' } });
        }
      }),
    );

    const [begin, ...noted] = await escrow.timeline();
    expect(begin.event).toBe('INITIATED');
    expect(noted.map(({ details }: { details: { notes: string } }) => details.notes).sort()).toEqual(sent.sort());
    expect(await stateBytes()).toBeLessThan(bytesAtFirst + 100);
    expect((await escrow.run().query<unknown[]>('timeline')).length).toBe(Math.min(100, NOTES + 1));
    const runs = await moreRunsThan(2, escrow.id);
    expect(await company.post(`${escrow.path}/release`)).toMatchObject({
      status: 200,
      body: { sellerPayout: '24750' },
    });
    console.log(`${NOTES} notes on one escrow took ${runs} runs`);
  }, 600_000);

  test('loses no signal and no command that comes while a run ends', async () => {
    const escrow = await begun({ items: [{ name: 'Maize', quantity: 50, pricePerUnit: 12_500 }] }, 50 * 12_500);
    const items = escrow.counted.items.map(({ itemId }) => ({ itemId, quantity: 1, price_per_item: 1 }));
    await Promise.all(
      Array.from({ length: 50 }, async () => {
        await escrow.run().signal('delivery-note', { items });
        await until200((key) => company.post(`${escrow.path}/goods-received`, escrow.counted, key));
      }),
    );
    await until200((key) => company.post(`${escrow.path}/dispute`, { actor: 'BUYER', reason: 'its end' }, key));

    const events: string[] = (await escrow.timeline()).map(({ event }: { event: string }) => event);
    const countOf = (type: string) => events.filter((event) => event === type).length;
    expect([countOf('DELIVERY_NOTED'), countOf('GOODS_RECEIVED'), countOf('DISPUTED')]).toEqual([50, 50, 1]);
    await moreRunsThan(1, escrow.id);
  });

  test('with more simultaneous calls than Temporal allows, through many API processes: a refused call is later carried out once', async () => {
    const escrow = await begun();
    const ids = {
      escrowId: must(parseId('escrow', escrow.id)),
      companyId: must(parseId('company', company.id)),
      itemId: must(parseId('item', escrow.counted.items[0]?.itemId ?? '')),
    };
    const heading = { id: ids.escrowId, companyId: ids.companyId, currency: 'USD', amountCents: 25_000n } as const;
    const items = [{ itemId: ids.itemId, quantity: 1, price_per_item: '1' }];
    const orm = await connect({ databaseUrl: service.database.apiUrl, poolMax: 2, applicationName: 'test' });
    const proof = new MessageProof([FIELD_KEY]);
    const { findDecision } = createRequestStore(orm, new CredentialProof([FIELD_KEY]));
    const callers = Array.from({ length: API_PROCESSES }, () =>
      createCommands(service.temporal, service.taskQueue, { proof, findDecision }, WAIT_LIMITS),
    )
      .flatMap((commands) => Array.from({ length: CALLERS_PER_PROCESS }, () => commands))
      .map((commands) => ({ commands, commandId: uuidv7() as CommandId }));
    const refusals = new Set<string>();
    await Promise.all(
      callers.map(({ commands, commandId }) =>
        eventually(() =>
          commands.escrow(heading, 'delivery-note', { commandId, items }).then(
            () => true,
            (error: unknown) => {
              refusals.add(error instanceof Refusal ? error.code : String(error));
              return false;
            },
          ),
        ),
      ),
    );

    await orm.close();
    const timeToWait: readonly string[] = ['too_many_requests', 'dependency_unavailable'];
    expect([...refusals].filter((code) => !timeToWait.includes(code))).toEqual([]);
    expect(await escrow.timeline()).toHaveLength(1 + callers.length);
  });
});

/** Retries with the same key as long as the answer says so. */
async function until200(send: (key: string) => Promise<Answer>): Promise<void> {
  const key = randomUUID();
  await eventually(async () => {
    const { status } = await send(key);
    if (![200, 409, 429, 503].includes(status)) throw new Error(`answered ${status}`);
    return status === 200;
  });
}

describe('an escrow of the maximum size', () => {
  const longest = (length: number) => '€'.repeat(length);
  const description = longest(255);
  const items = Array.from({ length: 100 }, () => ({
    name: longest(255),
    description,
    quantity: 1_000_000,
    pricePerUnit: 1_000_000,
  }));
  const milestones = Array.from({ length: 50 }, () => ({
    title: longest(255),
    description,
    percentage: 2,
  }));
  const TOTAL_CENTS = 100 * 1_000_000 * 1_000_000;

  test('100 items and 50 milestones with the longest texts go through their whole life', async () => {
    const escrow = await begun({ items, milestones }, TOTAL_CENTS);
    const before = await escrow.read();
    expect(before.items).toHaveLength(100);
    expect(before.milestones.at(-1)).toMatchObject({ title: longest(255), description });

    const counted = before.items.map(({ id }: { id: string }) => ({
      itemId: id,
      quantity: 1_000_000,
      price_per_item: 1_000_000,
    }));
    for (const step of ['delivery-note', 'goods-received'])
      expect(await company.post(`${escrow.path}/${step}`, { items: counted, notes: longest(2_000) })).toMatchObject({
        status: 200,
      });
    for (const { id } of before.milestones) {
      const body = { actor: 'SELLER', proposedSellerPayoutCents: 1, reason: longest(2_000) };
      expect(await company.post(`${escrow.path}/milestones/${id}/adjust`, body)).toMatchObject({ status: 200 });
    }
    expect(
      (await escrow.read()).milestones.every(({ openNegotiation }: { openNegotiation: unknown }) => openNegotiation),
    ).toBe(true);
    expect(await escrow.run().query('state')).toMatchObject({ status: 'GOODS_RECEIVED' });
    expect(await company.post(`${escrow.path}/release?milestoneId=${before.milestones[0].id}`)).toMatchObject({
      status: 200,
    });
    expect(await company.post(`${escrow.path}/release`)).toMatchObject({ status: 200, body: { status: 'COMPLETED' } });
    expect(await escrow.read()).toMatchObject({ heldAmount: '0', releasedAmount: String(TOTAL_CENTS * 0.99) });
    expect(await company.get('/v1/ledger/verify-ledger-integrity')).toMatchObject({ body: { ok: true } });
  });
});
