import type { Logger } from 'pino';
import { z } from 'zod';
import { currencyOfIso, formatAmount, isoCurrency, parseAmount } from '../../domain/money.ts';
import { createHttp, type HttpLimits, type ProviderAnswer } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import { changedPaymentOfNotification, checkoutReportOf } from './notification.ts';
import type { CardGateway, Checkout, CheckoutStatus, ReportedChange } from './port.ts';
import { RESULT_CODE, type ResultGroup, resultGroup } from './result-codes.ts';

/** OPPWA's COPYandPAY interface, as Peach Payments and HyperPay offer it. */

export type OppwaSettings = {
  /** For example https://eu-test.oppwa.com */
  readonly host: string;
  readonly entityId: string;
  readonly accessToken: string;
  /** 64 hex digits: the AES-256 key for notifications. */
  readonly webhookKey: string;
};

const PROVIDER = 'gateway';

/** The form of checkout ids. Any other value is not requested, and must not become part of a URL. */
const CHECKOUT_ID = /^[A-Za-z0-9.-]{32,48}$/;
const RESOURCE_PATH = /^\/v1\/checkouts\/([A-Za-z0-9.-]{32,48})\/payment$/;
const PAYMENT_ID = /^[A-Za-z0-9.-]{16,64}$/;
/** "Cannot refund: refund volume exceeded or transaction reversed". */
const REFUNDED_ALREADY = '700.400.200';
const MERCHANT_REFERENCE = /^[A-Za-z0-9]{8,16}$/;

const Result = z.object({ code: z.string().regex(RESULT_CODE), description: z.string().optional() });

const CreatedCheckout = z.object({
  id: z.string().regex(CHECKOUT_ID),
  integrity: z.string().regex(/^sha(256|384|512)-[A-Za-z0-9+/]+=*$/),
});

/** A payment in a status response. Before a payment exists, the response has only the result. */
const Payment = z.object({
  id: z.string().regex(PAYMENT_ID).optional(),
  result: Result,
  amount: z.string().optional(),
  currency: z.string().optional(),
  merchantTransactionId: z.string().optional(),
});
type Payment = z.infer<typeof Payment>;

/** The transactions of a report that change a payment. Those of other types are left out. */
const CHANGE_OF_TYPE: Readonly<Record<string, ReportedChange['change']>> = {
  CB: 'charged_back',
  CR: 'chargeback_reversed',
  RF: 'refunded',
  // A debit can be reversed instead of refunded until it is settled (developers.primeiropay.com, "Reversal").
  RV: 'refunded',
};
/** A reversal may have no amount: it is of the whole payment. */
const Linked = z.object({
  id: z.string(),
  paymentType: z.string(),
  referencedId: z.string().optional(),
  result: Result,
  amount: z.string().optional(),
  currency: z.string().optional(),
  timestamp: z.string().optional(),
});
type Linked = z.infer<typeof Linked>;
/**
 * The answer to `GET /v3/query/{id}` with `includeLinkedTransactions` (hyperpay.docs.oppwa.com/tutorials/reporting/transaction): in
 * `records` the payment and everything linked to it, each linked one with the `referencedId` of the transaction that it changes.
 * That page does not show an answer. The fields are those that public clients read from lists of this endpoint. A payment without
 * linked transactions may be described alone, without `records`. Records of another form are ignored.
 */
const Report = z.object({ result: Result, records: z.array(z.unknown()).default([]) });
/** "No matching transaction": the gateway has nothing under this id. */
const NO_TRANSACTION = '700.400.580';

export function createOppwa(settings: OppwaSettings, log?: Logger, limits?: Partial<HttpLimits>): CardGateway {
  const { host, entityId, accessToken, webhookKey } = settings;
  const http = createHttp({
    provider: PROVIDER,
    host,
    headers: { authorization: `Bearer ${accessToken}` },
    log,
    limits,
  });

  const scriptUrlOf = (checkoutId: string) => `${host}/v1/paymentWidgets.js?checkoutId=${checkoutId}`;

  return {
    scriptUrlOf,

    async createCheckout({ merchantReference, amountCents, currency }): Promise<Checkout> {
      if (!MERCHANT_REFERENCE.test(merchantReference)) throw new Error('a merchant reference is 8 to 16 alphanumerics');
      // Safe to repeat: if the response is lost, nobody knows the checkout's id and nobody can pay in it.
      const request = {
        method: 'POST',
        path: ['v1', 'checkouts'],
        form: {
          entityId,
          amount: formatAmount(amountCents, currency),
          currency: isoCurrency(currency),
          paymentType: 'DB',
          integrity: 'true',
          merchantTransactionId: merchantReference,
        },
        effect: 'repeatable',
      } as const;
      const answer = await http.exchange(request);
      const { result } = http.understand(request, answer, z.object({ result: Result }));
      if (resultGroup(result.code) !== 'open') throw refused(answer, result.code);
      const { id, integrity } = http.understand(request, answer, CreatedCheckout);
      return { checkoutId: id, integrity, scriptUrl: scriptUrlOf(id) };
    },

    async checkoutStatus(checkoutId): Promise<CheckoutStatus> {
      if (!CHECKOUT_ID.test(checkoutId)) return { kind: 'gone' };
      const request = {
        method: 'GET',
        path: ['v1', 'checkouts', checkoutId, 'payment'],
        query: { entityId },
        effect: 'none',
      } as const;
      const answer = await http.exchange(request);
      if (answer.status === 404) return { kind: 'gone' };
      const payment = http.understand(request, answer, Payment);
      const group = resultGroup(payment.result.code);
      // Only HTTP 200 describes a payment; 4xx is about our request.
      if (answer.status >= 400 && group !== 'gone') throw refused(answer, payment.result.code);
      if (group === 'review') log?.warn({ checkoutId, resultCode: payment.result.code }, 'paid, for manual review');
      return STATUS_OF_GROUP[group](payment);
    },

    async refund({ paymentId, amountCents, currency, isRepetition }) {
      if (!PAYMENT_ID.test(paymentId)) return 'refused';
      const request = {
        method: 'POST',
        path: ['v1', 'payments', paymentId],
        form: {
          entityId,
          amount: formatAmount(amountCents, currency),
          currency: isoCurrency(currency),
          paymentType: 'RF',
        },
        effect: 'once',
      } as const;
      const answer = await http.exchange(request);
      const { result } = http.understand(request, answer, z.object({ result: Result }));
      const group = resultGroup(result.code);
      if (group === 'success' || group === 'review') return 'refunded';
      if (group === 'throttled') throw new ProviderError(PROVIDER, 'unreachable', `asked too often (${result.code})`);
      if (group === 'pending' || group === 'delayed' || group === 'uncertain')
        throw new ProviderError(PROVIDER, 'unknown', `the refund is not decided (${result.code})`);
      log?.warn({ paymentId, resultCode: result.code }, 'a refund was refused');
      return isRepetition && result.code === REFUNDED_ALREADY ? 'refunded' : 'refused';
    },

    async paymentChanges(paymentId): Promise<readonly ReportedChange[]> {
      if (!PAYMENT_ID.test(paymentId)) return [];
      const request = {
        method: 'GET',
        path: ['v3', 'query', paymentId],
        query: { entityId, includeLinkedTransactions: 'true' },
        effect: 'none',
      } as const;
      const answer = await http.exchange(request);
      const { result, records } = http.understand(request, answer, Report);
      if (result.code === NO_TRANSACTION) return [];
      if (answer.status >= 400 || resultGroup(result.code) !== 'success') throw refused(answer, result.code);
      return changesOf(
        paymentId,
        records.flatMap((record) => Linked.safeParse(record).data ?? []),
      );
    },

    checkoutIdOf: (resourcePath) => RESOURCE_PATH.exec(resourcePath)?.[1],

    checkoutReportOf: (notification) => checkoutReportOf(notification, webhookKey, CHECKOUT_ID),

    changedPaymentOf: (notification) => changedPaymentOfNotification(notification, webhookKey, PAYMENT_ID),
  };
}

/** A chargeback has result codes of its own. */
function isDone(code: string): boolean {
  const group = resultGroup(code);
  return group === 'success' || group === 'chargeback';
}

/** The changes of a payment that succeeded, oldest first. */
function changesOf(paymentId: string, records: readonly Linked[]): ReportedChange[] {
  const payment = records.find(({ id }) => id === paymentId);
  const chargebacks = records.filter(({ paymentType }) => paymentType === 'CB').map(({ id }) => id);
  // A reversed chargeback refers to the payment or to the chargeback. A reversal of a refund does not change the payment.
  const concerns = ({ paymentType, referencedId = '' }: Linked) =>
    referencedId === paymentId || (paymentType === 'CR' && chargebacks.includes(referencedId));
  const timeOf = ({ timestamp = '' }: Linked) => Date.parse(timestamp) || 0;
  return records
    .filter((linked) => concerns(linked) && isDone(linked.result.code))
    .sort((a, b) => timeOf(a) - timeOf(b))
    .flatMap((linked) => changeOf(linked, payment));
}

function changeOf({ id, paymentType, amount, currency }: Linked, payment: Linked | undefined): ReportedChange[] {
  const change = CHANGE_OF_TYPE[paymentType];
  const ours = currencyOfIso(currency ?? payment?.currency ?? '');
  const amountCents = ours === undefined ? undefined : parseAmount(amount ?? payment?.amount ?? '', ours);
  if (change === undefined || ours === undefined || amountCents === undefined) return [];
  return [{ changeId: id, change, amountCents, currency: ours }];
}

/** The meaning of each group of result codes for a checkout. */
const STATUS_OF_GROUP: { readonly [Group in ResultGroup]: (payment: Payment) => CheckoutStatus } = {
  open: () => ({ kind: 'open' }),
  success: succeeded,
  review: succeeded,
  // A pending result without a payment means that the form has not been submitted.
  pending: (payment) => (payment.amount === undefined ? { kind: 'open' } : pending(payment)),
  delayed: pending,
  uncertain: pending,
  chargeback: declined,
  declined,
  gone: () => ({ kind: 'gone' }),
  throttled: ({ result }) => {
    throw new ProviderError(PROVIDER, 'unreachable', `asked too often (${result.code})`);
  },
};

function succeeded(payment: Payment): CheckoutStatus {
  const currency = currencyOfIso(payment.currency ?? '');
  const amountCents = currency === undefined ? undefined : parseAmount(payment.amount ?? '', currency);
  const merchantReference = payment.merchantTransactionId;
  const paymentId = payment.id;
  if (amountCents === undefined || currency === undefined || merchantReference === undefined || paymentId === undefined)
    throw new ProviderError(PROVIDER, 'unreachable', 'a payment without id, amount, currency or reference of ours');
  return { kind: 'succeeded', paymentId, amountCents, currency, merchantReference };
}

function pending({ result }: Payment): CheckoutStatus {
  return { kind: 'pending', resultCode: result.code };
}

function declined({ result }: Payment): CheckoutStatus {
  return { kind: 'declined', resultCode: result.code };
}

function refused(answer: ProviderAnswer, code: string): ProviderError {
  return new ProviderError(PROVIDER, 'unreachable', `refused our request (${answer.status}, ${code})`);
}
