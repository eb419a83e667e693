import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { type RoleProcess, startWorkerProcess } from '../support/role-process.ts';
import { type Answer, newCompany, newParties, type TestCompany, type TestService } from '../support/service.ts';

/** The escrows of a killed worker continue within 8 s after a new worker polls. A busy machine may measure more. */
const RECOVERY_MS = 20_000;
/** The key of the lock that holds a step at the point where the test kills the worker. */
const GATE = 20_260_101;

const STEPS = ['INITIATED', 'DELIVERY_NOTED', 'GOODS_RECEIVED', 'FUNDS_RELEASED'] as const;

describe('a worker is killed', () => {
  let service: OwnService;
  let company: TestCompany;
  let worker: RoleProcess;

  beforeAll(async () => {
    service = await ownService({ withWorker: false });
    company = await newCompany(service);
    worker = await startWorkerProcess(service);
  });
  afterAll(async () => {
    await worker.kill();
    await service.stop();
  });

  test('between two steps: the next worker continues every escrow', async () => {
    const trades = await tradesAtEveryStep(company);

    await worker.kill();
    const answers = Promise.all(trades.map((trade) => trade.next()));
    worker = await startWorkerProcess(service);

    await expectSoon(answers);
    await finishAndCheck(company, trades);
  });

  test('in the middle of a step, with nothing written: the step is done once, by the next worker', async () => {
    const trades = await tradesAtEveryStep(company);
    const gate = await closeGate(service, 'create trigger gate after insert on escrow_event for each row');

    const answers = Promise.all(trades.map((trade) => trade.next()));
    await gate.isWaitedAtBy(trades.length);
    await worker.kill();
    await gate.open();
    worker = await startWorkerProcess(service);

    await expectSoon(answers);
    await finishAndCheck(company, trades);
  });

  test('in the middle of a step, written but not reported: the step is not repeated', async () => {
    const trades = await tradesAtEveryStep(company);
    const gate = await closeGate(
      service,
      'create constraint trigger gate after insert on escrow_event deferrable initially deferred for each row',
    );

    const answers = Promise.all(trades.map((trade) => trade.next()));
    await gate.isWaitedAtBy(trades.length); // each transaction is being committed
    worker.signal('SIGSTOP'); // and the worker cannot receive the answer
    await gate.open();
    await worker.kill();
    worker = await startWorkerProcess(service);

    await expectSoon(answers);
    await finishAndCheck(company, trades);
  });
});

/** Expects that every trade's next step is carried out soon after a worker is available again. */
async function expectSoon(answers: Promise<Answer[]>): Promise<void> {
  const workerIsBack = performance.now();
  expect((await answers).map(({ status }) => status)).toEqual([201, 200, 200, 200]);
  expect(performance.now() - workerIsBack).toBeLessThan(RECOVERY_MS);
}

/** A buyer, a seller and their escrow; `next` carries out its next step. */
class Trade {
  readonly #company: TestCompany;
  readonly #parties: Awaited<ReturnType<typeof newParties>>;
  readonly #request: Record<string, unknown>;
  #path = '';
  #items: unknown[] = [];
  #done = 0;

  private constructor(company: TestCompany, parties: Awaited<ReturnType<typeof newParties>>) {
    this.#company = company;
    this.#parties = parties;
    this.#request = parties.escrow();
  }

  static async begin(company: TestCompany, steps: number): Promise<Trade> {
    const trade = new Trade(company, await newParties(company));
    await trade.go(steps);
    return trade;
  }

  async go(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) expect((await this.next()).status).toBeLessThan(300);
  }

  get stepsLeft(): number {
    return STEPS.length - this.#done;
  }

  /** Sends the next step, and retries it with the same key until it is carried out. */
  async next(): Promise<Answer> {
    const [path, body] = this.#nextRequest();
    const answer = await this.#company.post(path, body);
    if (this.#done === 0) await this.#remember(answer);
    this.#done += 1;
    return answer;
  }

  #nextRequest(): [path: string, body?: unknown] {
    switch (STEPS[this.#done]) {
      case 'INITIATED':
        return ['/v1/escrow/initiate', this.#request];
      case 'DELIVERY_NOTED':
        return [`${this.#path}/delivery-note`, { items: this.#items, notes: 'By truck' }];
      case 'GOODS_RECEIVED':
        return [`${this.#path}/goods-received`, { items: this.#items }];
      default:
        return [`${this.#path}/release`];
    }
  }

  async #remember(initiated: Answer): Promise<void> {
    this.#path = `/v1/escrow/${initiated.body.id}`;
    const { body } = await this.#company.get(this.#path);
    this.#items = [{ itemId: body.items[0].id, quantity: 2, price_per_item: 12_500 }];
  }

  async expectDoneOnce(): Promise<void> {
    const { body: timeline } = await this.#company.get(`${this.#path}/timeline`);
    expect(timeline.map((entry: { event: string }) => entry.event)).toEqual(STEPS);
    const { buyer, seller } = this.#parties;
    const [paid, left] = [await this.#account(seller.usdAccountId), await this.#account(buyer.usdAccountId)];
    expect(paid).toMatchObject({ balance: '24750', held_balance: '0' });
    expect(left).toMatchObject({ balance: '75000', held_balance: '0' });
  }

  async #account(id: string): Promise<unknown> {
    return (await this.#company.get(`/v1/ledger/accounts/${id}`)).body;
  }
}

/** One trade that has not begun, and one after each step but the last. */
function tradesAtEveryStep(company: TestCompany): Promise<Trade[]> {
  return Promise.all(STEPS.map((_step, done) => Trade.begin(company, done)));
}

async function finishAndCheck(company: TestCompany, trades: readonly Trade[]): Promise<void> {
  await Promise.all(trades.map((trade) => trade.go(trade.stepsLeft)));
  for (const trade of trades) await trade.expectDoneOnce();
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
}

/** Holds every transaction that writes an event at the point where `trigger` fires, until the gate is opened. */
async function closeGate({ database: { ownerUrl } }: TestService, trigger: string) {
  const holder = new pg.Client({ connectionString: ownerUrl });
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [GATE]);
  await holder.query(`
    create or replace function pass_gate() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock_shared(${GATE}); return null; end $$;
    ${trigger} execute function pass_gate()`);
  return {
    isWaitedAtBy: (transactions: number) =>
      eventually(async () => {
        const { rows } = await holder.query(
          `select count(*)::integer as waiting from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted
             and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows[0].waiting === transactions;
      }),
    /** Releases them, and waits until they have ended. */
    open: async () => {
      await holder.end();
      await withClient(ownerUrl, (client) => client.query('drop trigger gate on escrow_event'));
    },
  };
}
