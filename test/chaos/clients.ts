import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { type Begun, begunOf, type Cast, PLOT_NAMES, PLOTS, type PlotName, type Scene, TOTAL_CENTS } from './plots.ts';

/** Integrators that follow the documentation: a key for every operation, and retries with the same key until it is answered. */

const REQUEST_TIMEOUT_MS = 15_000;
const RETRY_MS = { least: 100, most: 500 };
/** After a crash a key stays claimed for a minute. */
const IN_PROGRESS_RETRY_MS = 2_000;
const PROBE_EVERY_MS = 250;
/** How long an operation is tried. */
const PATIENCE_MS = 180_000;
/** Longer than the claim of a killed API on a key. */
const STALLED_MS = 300_000;
/** The maximum number of unfinished escrows of one client. It begins another only while one is stuck. */
const MAX_OPEN_PER_CLIENT = 30;
export const DEPOSIT_CENTS = 20_000;

// biome-ignore lint/suspicious/noExplicitAny: answers of our own API; the audit afterwards reads the database
export type Body = any;

export type Company = { readonly apiUrl: string; readonly headers: Readonly<Record<string, string>> } & Cast;

export class Client {
  acknowledged = 0;
  readonly deposits: string[] = [];
  /** Every escrow that was begun; `events` contains the acknowledged events. */
  readonly escrows: { readonly escrowId: string; readonly plot: PlotName; readonly events: string[] }[] = [];
  /** Failures that a retry could not correct. There should be none. */
  readonly refusals: string[] = [];
  /** Requests without a final answer, which were sent again. */
  retried = 0;
  readonly company: Company;
  readonly #buyer: { readonly id: string; readonly accountId: string };
  readonly #seller: { readonly id: string; readonly accountId: string };
  #isEnding = false;
  #running: Promise<void> = Promise.resolve();

  private constructor(
    company: Company,
    buyer: { id: string; accountId: string },
    seller: { id: string; accountId: string },
  ) {
    this.company = company;
    this.#buyer = buyer;
    this.#seller = seller;
  }

  static async join(company: Company, number: number): Promise<Client> {
    const user = async (digit: number) => {
      const body = await post(company, '/v1/identity/users', {
        mobileNumber: `+26377${digit}${String(number).padStart(6, '0')}`,
        idNumber: `CHAOS-${digit}-${number}`,
      });
      return { id: body.id, accountId: body.accounts.find((account: Body) => account.currency === 'USD').id };
    };
    return new Client(company, await user(1), await user(2));
  }

  get accounts() {
    return { buyer: this.#buyer.accountId, seller: this.#seller.accountId };
  }

  start(): void {
    this.#running = this.#work();
  }

  /** Begins no further escrow, and resolves when all are finished. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#running;
  }

  async #work(): Promise<void> {
    const open = new Set<Promise<void>>();
    for (let turn = 0; !this.#isEnding; turn += 1) {
      const plot = PLOT_NAMES[turn % PLOT_NAMES.length] ?? 'paid';
      let onStuck = () => {};
      const stuck = new Promise<void>((resolve) => {
        onStuck = resolve;
      });
      const played: Promise<void> = this.#play(plot, onStuck).then(
        () => void open.delete(played),
        (error: unknown) => {
          open.delete(played);
          this.refusals.push(String(error));
        },
      );
      open.add(played);
      await Promise.race([played, stuck]);
      if (open.size >= MAX_OPEN_PER_CLIENT) await Promise.race(open);
    }
    await Promise.all(open);
  }

  async #play(plot: PlotName, onStuck: () => void): Promise<void> {
    const begun = await this.#begin(plot, onStuck);
    const known = { escrowId: begun.escrowId, plot, events: ['INITIATED'] };
    this.escrows.push(known);
    const onRetry = this.#counting(onStuck);
    const scenes: readonly Scene[] = PLOTS[plot].scenes(begun, this.company);
    for (const { event, path, body } of scenes) {
      await post(this.company, `/v1/escrow/${begun.escrowId}${path}`, body, onRetry);
      this.acknowledged += 1;
      known.events.push(event);
    }
  }

  /** Deposits money, and begins an escrow with it. */
  async #begin(plot: PlotName, onStuck: () => void): Promise<Begun> {
    const onRetry = this.#counting(onStuck);
    const reference = `deposit-${randomUUID()}`;
    const deposit = { userId: this.#buyer.id, amount: DEPOSIT_CENTS, currency: 'USD', externalReference: reference };
    await post(this.company, '/v1/payments/deposit', deposit, onRetry);
    this.acknowledged += 1;
    this.deposits.push(reference);
    const { milestones } = { milestones: undefined, ...PLOTS[plot] };
    const initiated = await post(
      this.company,
      '/v1/escrow/initiate',
      {
        buyerId: this.#buyer.id,
        sellerId: this.#seller.id,
        buyerAccountId: this.#buyer.accountId,
        items: [{ name: 'Maize, 50 kg', quantity: 1, pricePerUnit: TOTAL_CENTS }],
        externalReference: `order-${randomUUID()}`,
        ...(milestones === undefined ? {} : { milestones }),
      },
      onRetry,
    );
    this.acknowledged += 1;
    return begunOf(await until(() => attempt(this.company, 'GET', `/v1/escrow/${initiated.id}`), onRetry));
  }

  #counting(onStuck: () => void): OnRetry {
    return (reason) => {
      this.retried += 1;
      if (reason === 'in progress') onStuck();
    };
  }
}

export function acknowledgedBy(clients: readonly Client[]): number {
  return clients.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
}

/**
 * Lets all clients finish what they began, for as long as they advance. Answers what to complain of: an audit beside clients that still
 * work would miss what they do meanwhile.
 */
export async function endAll(clients: readonly Client[]): Promise<string[]> {
  const ended = Promise.all(clients.map((client) => client.end())).then(() => true);
  for (;;) {
    const before = acknowledgedBy(clients);
    if (await Promise.race([ended, wait(STALLED_MS, false, { ref: false })])) return [];
    if (acknowledgedBy(clients) === before)
      return [`clients are not done, and nothing was acknowledged for ${STALLED_MS / 1_000} s`];
  }
}

/** A company with an owner and a key. */
export async function register(apiUrl: string): Promise<Company> {
  const owner = { email: `owner-${randomUUID()}@market.example`, password: randomUUID() };
  const anybody = { apiUrl, headers: {}, adminId: '' };
  const admin = { firstName: 'Olive', lastName: 'Owner', ...owner };
  const { id } = await post(anybody, '/v1/core/companies', { name: 'Walkthrough Market', admin });
  const session = await post(anybody, '/v1/auth/login', owner);
  const bearer = { authorization: `Bearer ${session.accessToken}`, 'x-company-id': id };
  const { key } = await post({ ...anybody, headers: bearer }, '/v1/core/companies/api-keys', { name: 'integration' });
  return { apiUrl, headers: { 'x-api-key': key, 'x-company-id': id }, adminId: session.userId };
}

/** A buyer with money, and a seller, for operations beside those of the clients. */
export type Trader = { readonly buyerId: string; readonly buyerAccountId: string; readonly sellerId: string };

export async function newTrader(company: Company, depositCents: number): Promise<Trader> {
  const user = (digit: number) =>
    post(company, '/v1/identity/users', { mobileNumber: `+26377800000${digit}`, idNumber: `TRADER-${digit}` });
  const [buyer, seller] = [await user(1), await user(2)];
  await post(company, '/v1/payments/deposit', { userId: buyer.id, amount: depositCents, currency: 'USD' });
  const account = buyer.accounts.find(({ currency }: Body) => currency === 'USD');
  return { buyerId: buyer.id, buyerAccountId: account.id, sellerId: seller.id };
}

/** The body that initiates an escrow of a trader. */
export function orderOf(trader: Trader, cents: number): object {
  const items = [{ name: 'Maize, 50 kg', quantity: 1, pricePerUnit: cents }];
  return { ...trader, items, externalReference: `order-${randomUUID()}` };
}

/** Resolves when an operation that was sent after now is acknowledged. Each attempt has a key of its own: that of an interrupted one stays claimed. */
export async function firstAcknowledged({ apiUrl, headers }: Company, path: string, body: () => object): Promise<void> {
  const send = () =>
    fetch(`${apiUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() },
      body: JSON.stringify(body()),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(async () => {
    if (await send()) return true;
    await wait(PROBE_EVERY_MS);
    return false;
  }, PATIENCE_MS);
}

/** Sends with one key until it is answered. Throws a failure that a retry cannot correct. */
export function post(company: Company, path: string, body?: object, onRetry: OnRetry = () => {}): Promise<Body> {
  const key = randomUUID();
  return until(() => attempt(company, 'POST', path, body, key), onRetry);
}

export function get(company: Company, path: string): Promise<Body> {
  return until(
    () => attempt(company, 'GET', path),
    () => {},
  );
}

type Unanswered = 'again' | 'in progress';
type Outcome = { readonly body: Body } | Unanswered;
type OnRetry = (reason: Unanswered) => void;

async function until(send: () => Promise<Outcome>, onRetry: OnRetry): Promise<Body> {
  for (;;) {
    const outcome = await send();
    if (typeof outcome === 'object') return outcome.body;
    onRetry(outcome);
    const { least, most } = RETRY_MS;
    await wait(outcome === 'in progress' ? IN_PROGRESS_RETRY_MS : least + Math.random() * (most - least));
  }
}

async function attempt(
  { apiUrl, headers }: Company,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  key?: string,
): Promise<Outcome> {
  let status: number;
  let answer: Body;
  try {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'x-idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    status = response.status;
    answer = await response.json();
  } catch {
    return 'again'; // it may have been carried out; the key decides
  }
  if (status < 300) return { body: answer };
  if (answer.code === 'idempotency_in_progress') return 'in progress';
  if (status >= 500 || status === 429) return 'again';
  throw new Error(
    `${method} ${path.replace(/[0-9a-f-]{36}/, '…')} answered ${status} ${answer.code}: ${answer.detail}`,
  );
}
