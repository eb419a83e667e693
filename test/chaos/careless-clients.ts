import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Client as Temporal } from '@temporalio/client';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { bringNear } from '../support/deadline.ts';
import { type Body, type Company, post } from './clients.ts';
import { begunOf, TOTAL_CENTS } from './plots.ts';
import type { World } from './servers.ts';

const REQUEST_TIMEOUT_MS = 12_000;
const PAUSE_MS = 200;
/** The delay of the automatic release after the delivery note. */
const DUE_IN_MS = { least: 1_000, most: 20_000 };

type Reachable = Pick<World, 'ownerUrl' | 'workerEnvironment'>;

/** An event that the API answered with success, and when it did. */
export type Acknowledged = { readonly id: string; readonly event: string; readonly at: number };

/** An integrator that sends each request once. After a failure it begins the next escrow. */
export class CarelessClient {
  readonly acknowledged: Acknowledged[] = [];
  /** Automatic releases, and the time from which their runs had to carry them out. */
  readonly due: { readonly id: string; readonly at: number }[] = [];
  readonly #company: Company;
  readonly #world: Reachable;
  readonly #parties: { readonly buyer: Body; readonly seller: Body };
  readonly #temporal: Temporal;
  readonly #disconnect: () => Promise<void>;
  #isEnding = false;
  #running: Promise<void> = Promise.resolve();

  private constructor(company: Company, parties: { buyer: Body; seller: Body }, world: Reachable) {
    this.#company = company;
    this.#parties = parties;
    this.#world = world;
    const { TEMPORAL_ADDRESS = '', TEMPORAL_NAMESPACE = '' } = world.workerEnvironment;
    const { client, connection } = lazyClient({
      temporalAddress: TEMPORAL_ADDRESS,
      temporalNamespace: TEMPORAL_NAMESPACE,
    });
    this.#temporal = client;
    this.#disconnect = () => connection.close();
  }

  static async join(company: Company, number: number, world: Reachable): Promise<CarelessClient> {
    const user = (digit: number) =>
      post(company, '/v1/identity/users', {
        mobileNumber: `+26377${digit}${String(number).padStart(6, '0')}`,
        idNumber: `CARELESS-${digit}-${number}`,
      });
    const [buyer, seller] = [await user(3), await user(4)];
    await post(company, '/v1/payments/deposit', { userId: buyer.id, amount: 10_000_000, currency: 'USD' });
    return new CarelessClient(company, { buyer, seller }, world);
  }

  start(): void {
    this.#running = this.#work();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
    await this.#disconnect();
  }

  async #work(): Promise<void> {
    for (let turn = 0; !this.#isEnding; turn += 1) await this.#trade(turn).catch(() => wait(PAUSE_MS)); // it is not repeated
  }

  /** Of three escrows one is released by the buyer, one falls due, and one stays open. */
  async #trade(turn: number): Promise<void> {
    const { buyer, seller } = this.#parties;
    const buyerAccountId = buyer.accounts.find(({ currency }: Body) => currency === 'USD').id;
    const { id } = await this.#send('/v1/escrow/initiate', {
      buyerId: buyer.id,
      sellerId: seller.id,
      buyerAccountId,
      items: [{ name: 'Maize, 50 kg', quantity: 1, pricePerUnit: TOTAL_CENTS }],
      externalReference: `order-${randomUUID()}`,
      autoReleaseHours: 1,
    });
    this.#note(id, 'INITIATED');
    const { items } = begunOf(await this.#send(`/v1/escrow/${id}`));
    if (turn % 3 === 2) return;
    await this.#send(`/v1/escrow/${id}/delivery-note`, { items });
    this.#note(id, 'DELIVERY_NOTED');
    if (turn % 3 === 0) return this.#bringNear(id);
    await this.#send(`/v1/escrow/${id}/release`, {});
    this.#note(id, 'FUNDS_RELEASED');
  }

  #note(id: string, event: string): void {
    this.acknowledged.push({ id: id.slice('esc_'.length), event, at: Date.now() });
  }

  /** Moves the automatic release to a few seconds from now, and notifies the run unless it is killed before. */
  async #bringNear(id: string): Promise<void> {
    const { least, most } = DUE_IN_MS;
    const at = Date.now() + least + Math.random() * (most - least);
    await this.#temporal.withDeadline(Date.now() + REQUEST_TIMEOUT_MS, () =>
      bringNear(this.#world.ownerUrl, this.#temporal, id, at),
    );
    this.due.push({ id: id.slice('esc_'.length), at: Math.max(at, Date.now()) });
  }

  async #send(path: string, body?: object): Promise<Body> {
    const { apiUrl, headers } = this.#company;
    const response = await fetch(`${apiUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  }
}

/** The acknowledged events that the database does not have. */
export async function missingOf(
  { ownerUrl }: Pick<World, 'ownerUrl'>,
  clients: readonly CarelessClient[],
): Promise<Acknowledged[]> {
  const acknowledged = clients.flatMap((client) => client.acknowledged);
  return withClient(ownerUrl, async (database) => {
    const { rows } = await database.query(
      `select a.* from jsonb_to_recordset($1::jsonb) as a (id uuid, event text, at float8)
       where not exists (select from escrow_event e where e.escrow_id = a.id and e.type = a.event) order by at`,
      [JSON.stringify(acknowledged)],
    );
    return rows;
  });
}
