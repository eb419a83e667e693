import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.ts';
import { nextMobileNumber } from './mobile-numbers.ts';
import {
  type Answer,
  done,
  newUser,
  requestIdOf,
  type TestCompany,
  type TestService,
  type TestUser,
  untilAnswered,
  withTemporal,
} from './service.ts';
import { sql } from './sql.ts';

/** A payment link with its buyer, and the actions of tests on them. */
export type TestLink = {
  readonly buyer: TestUser & { readonly mobileNumber: string };
  readonly hash: string;
  /** Without the kind's prefix. */
  readonly linkId: string;
  readonly escrowId: string;
  /** The request that made the link. */
  readonly requestId: string;
  /** Below the service's address. */
  readonly path: string;
  /** Posts to a public payment operation, for this link. Repeats what is answered 503, unless a phone would be prompted again. */
  say(operation: string, fields?: Record<string, unknown>): Promise<Answer>;
  verify(checkoutId: string): Promise<Answer>;
  details(): Promise<Answer['body']>;
  escrow(): Promise<Answer['body']>;
  /** The link as the company reads it. */
  read(): Promise<Answer['body']>;
  account(): Promise<Answer['body']>;
  deposits(): Promise<number>;
  events(): Promise<string[]>;
  /**
   * Ends its run and changes its state in the database; the next command reads the new state. Tests move deadlines instead of
   * time.
   */
  change(statement: string, values?: readonly unknown[]): Promise<void>;
  /** Moves the expiry to `instant`. An open run must be refreshed. */
  expireAt(instant: string): Promise<void>;
};

export const LINK_CENTS = 25_000;

export async function offerLink(
  service: TestService,
  company: TestCompany,
  fields: Record<string, unknown> = {},
  { mobileNumber = nextMobileNumber() }: { readonly mobileNumber?: string } = {},
): Promise<TestLink> {
  const buyer = await newUser(company, { mobileNumber, firstName: 'Bea', lastName: 'Buyerson' });
  const made = await done(
    company.post('/v1/payments/generate-escrow-payment-link', {
      buyerId: buyer.id,
      amount: LINK_CENTS,
      currency: 'USD',
      items: [{ name: 'Maize, 50 kg', quantity: 2, pricePerUnit: 12_500 }],
      externalReference: `order-${randomUUID()}`,
      ...fields,
    }),
  );
  const { hash, escrowId } = made.body;
  const [row] = await sql(service, 'select id from payment_link where hash = $1', [hash]);
  const linkId = String(row?.id);
  return {
    buyer: { ...buyer, mobileNumber },
    hash,
    linkId,
    escrowId,
    requestId: requestIdOf(made),
    path: `/checkout/${hash}`,
    say: (operation, more = {}) => {
      // A repetition has the id of the first request, which may be the one that was carried out.
      const send = (id: string) =>
        service.request('POST', `/v1/payments/${operation}`, {
          headers: { 'x-request-id': id },
          body: { paymentSlug: hash, ...more },
        });
      if (operation === 'reject-payment') return untilRejected(send);
      return isRepeatable(operation, more) ? untilAnswered(send) : send(randomUUID());
    },
    verify: (checkoutId) =>
      untilAnswered(() =>
        service.request('POST', '/v1/payments/eft-pay/verify', {
          body: { resourcePath: `/v1/checkouts/${checkoutId}/payment` },
        }),
      ),
    details: async () => (await service.request('GET', `/v1/payments/link-details/${hash}`)).body,
    escrow: async () => (await company.get(`/v1/escrow/${escrowId}`)).body,
    read: async () => (await company.get(`/v1/payments/links/${linkId}`)).body,
    account: async () => (await company.get(`/v1/ledger/accounts/${buyer.usdAccountId}`)).body,
    deposits: async () => {
      const rows = await sql(
        service,
        "select 1 from ledger_transaction t join entry e on e.transaction_id = t.id where t.type = 'DEPOSIT' and e.account_id = $1",
        [buyer.usdAccountId.slice('acc_'.length)],
      );
      return rows.length;
    },
    events: async () =>
      (await sql(service, 'select type from payment_link_event where link_id = $1 order by seq', [linkId])).map(
        ({ type }) => String(type),
      ),
    expireAt: async (instant) => {
      await sql(
        service,
        `update payment_link set expires_at = $2::timestamptz, state = jsonb_set(state, '{terms,expiresAt}', to_jsonb($2::text))
         where id = $1`,
        [linkId, instant],
      );
    },
    change: async (statement, values = []) => {
      const { loseRun } = await import('./runs.ts'); // it loads the client of Temporal, which most tests of links do without
      await loseRun(await withTemporal(service), `payment-link/pay_${linkId}`);
      await sql(service, statement, [linkId, ...values]);
    },
  };
}

/** A repetition is refused if the first request was carried out although it was answered 503. It then counts as the answer. */
async function untilRejected(send: (id: string) => Promise<Answer>): Promise<Answer> {
  let isRepeated = false;
  const answer = await untilAnswered(async (id) => {
    const one = await send(id);
    isRepeated ||= one.status === 503;
    return one;
  });
  const isDone = isRepeated && answer.status === 409 && answer.body.code === 'wrong_state';
  return isDone ? { ...answer, status: 200, body: { status: 'REJECTED' } } : answer;
}

/** An open form is returned again, and a one-time password is one command. A phone would be prompted again. */
function isRepeatable(operation: string, { otp }: Record<string, unknown>): boolean {
  return operation === 'eft-pay/initiate' || (operation === 'accept-payment' && otp !== undefined);
}

/** Sends a one-time password to the buyer, and reads it in the sandbox. */
export async function codeFor(service: TestService, { buyer: { mobileNumber }, hash }: TestLink): Promise<string> {
  await service.request('POST', '/v1/payments/request-checkout-otp', {
    body: { messagingNumber: mobileNumber, paymentSlug: hash },
  });
  return service.sandbox.codeFor(mobileNumber);
}

/** Lets the link expire: moves its deadline, and restarts its run. */
export async function letExpire(link: TestLink): Promise<void> {
  const past = new Date(Date.now() - 1_000).toISOString();
  await link.change(
    `update payment_link set expires_at = $2::timestamptz,
       state = jsonb_set(state, '{terms,expiresAt}', to_jsonb($3::text)) where id = $1`,
    [past, past],
  );
  await eventually(async () => (await link.details()).status === 'EXPIRED');
}
