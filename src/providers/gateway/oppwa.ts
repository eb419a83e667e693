import { createDecipheriv } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import { currencyOfIso, formatAmount, isoCurrency, parseAmount } from '../../domain/money.ts';
import { createHttp, type HttpLimits, type ProviderResponse } from '../http.ts';
import { ProviderError } from '../provider-error.ts';
import type { CardGateway, Checkout, CheckoutReport, CheckoutStatus, ReportedChange } from './port.ts';

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

/**
 * OPPWA's result codes, grouped as in its reference. A code belongs to the first group whose pattern matches; a code without a
 * group means declined.
 */
const RESULT_GROUPS = [
  /** "Successfully created checkout": the form is open and has not been submitted. */
  { group: 'open', pattern: /^000\.200\.100$/ },
  { group: 'success', pattern: /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/ },
  /** Paid, but the gateway's risk check asks for a manual review. */
  { group: 'review', pattern: /^(000\.400\.0[^3]|000\.400\.100)/ },
  { group: 'pending', pattern: /^000\.200/ },
  /** Pending because of a slow payment method or the risk check: hours or days. */
  { group: 'delayed', pattern: /^(800\.400\.5|100\.400\.500)/ },
  /** The gateway does not know the result yet: check again. */
  { group: 'uncertain', pattern: /^(900\.[1234]00|000\.400\.030)/ },
  { group: 'chargeback', pattern: /^000\.100\.2/ },
  /** Too many requests: says nothing about the payment. */
  { group: 'throttled', pattern: /^800\.120\.100$/ },
  /** "No payment session found": the checkout is unknown, or expired. */
  { group: 'gone', pattern: /^200\.300\.404$/ },
] as const;

export type ResultGroup = (typeof RESULT_GROUPS)[number]['group'] | 'declined';

/** The form of all result codes. */
const RESULT_CODE = /^\d{3}\.\d{3}\.\d{3}$/;

export function resultGroup(code: string): ResultGroup {
  return RESULT_GROUPS.find(({ pattern }) => pattern.test(code))?.group ?? 'declined';
}

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

/** The types of transactions that change a payment: chargeback, its reversal, refund, reversal. Others are left out. */
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

    checkoutReportOf: (notification) => checkoutReportOf(notification, webhookKey),

    changedPaymentOf: (notification) => changedPaymentOf(notification, webhookKey),
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

function refused(answer: ProviderResponse, code: string): ProviderError {
  return new ProviderError(PROVIDER, 'unreachable', `refused our request (${answer.status}, ${code})`);
}

// Notifications

const MAX_BODY_CHARACTERS = 1_048_576;
/** Anybody can send an unencrypted notification, and only an id is read from it. A longer one is not parsed. */
const MAX_PLAIN_CHARACTERS = 8_192;
const HEX = /^(?:[0-9a-f]{2})+$/i;
const NONCE_HEADER = 'x-initialization-vector';
const TAG_HEADER = 'x-authentication-tag';
const TAG_BYTES = 16;

const WRAPPED = /^\{\s*"encryptedBody"\s*:\s*"([0-9a-f]+)"\s*\}$/i;

/** A string, or nothing for any other value: invalid data in one field does not hide an id in another. */
const maybeText = z.string().optional().catch(undefined);
/**
 * The gateway's notification of a payment change: JSON, encrypted with AES-256-GCM as hex digits (bare, or wrapped in
 * `{"encryptedBody"}`), or unencrypted. Anybody can send an unencrypted one, so only its checkout's id is used. What an encrypted
 * one reports is used too, but no money is booked before the gateway was asked for the status.
 */
const Notification = z.object({
  id: maybeText,
  payload: z
    .object({
      id: maybeText,
      ndc: maybeText,
      paymentType: maybeText,
      referencedId: maybeText,
      amount: maybeText,
      result: z.object({ code: maybeText }).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

type Incoming = { readonly headers: Headers; readonly body: string };

/**
 * The first field with the form of a checkout id, and what the notification reports about it. `undefined` if there is none, or if
 * an unencrypted notification says that the payment is not decided yet: the gateway would answer the same. Never throws.
 */
function checkoutReportOf(incoming: Incoming, key: string): CheckoutReport | undefined {
  const read = readContent(incoming, key);
  if (read === undefined || isChange(read.content)) return undefined;
  const report = reportOf(read);
  const { id, payload } = read.content;
  // In a payment's own notification, `id` is the payment's id and `ndc` is its checkout's id.
  const checkoutId = [id, payload?.ndc, payload?.id].find(
    (candidate) => candidate !== undefined && CHECKOUT_ID.test(candidate),
  );
  return checkoutId === undefined || report === undefined ? undefined : { checkoutId, report };
}

/** The payment that a chargeback, its reversal or a refund refers to. Never throws. */
function changedPaymentOf(incoming: Incoming, key: string): string | undefined {
  const content = readContent(incoming, key)?.content;
  const referencedId = content?.payload?.referencedId;
  return content !== undefined && isChange(content) && referencedId !== undefined && PAYMENT_ID.test(referencedId)
    ? referencedId
    : undefined;
}

const PAID: readonly ResultGroup[] = ['success', 'review'];
const UNDECIDED: readonly ResultGroup[] = ['pending', 'delayed', 'uncertain'];

function reportOf({ content: { payload }, isAuthentic }: Read): CheckoutReport['report'] | undefined {
  const code = payload?.result?.code;
  if (code === undefined) return 'other';
  const group = resultGroup(code);
  if (UNDECIDED.includes(group)) {
    // A pending result without a payment means that the form has not been submitted.
    const isPayment = group !== 'pending' || payload?.amount !== undefined;
    return isAuthentic && isPayment ? 'pending' : undefined;
  }
  return isAuthentic && PAID.includes(group) ? 'success' : 'other';
}

function isChange({ payload }: z.infer<typeof Notification>): boolean {
  return Object.hasOwn(CHANGE_OF_TYPE, payload?.paymentType ?? '');
}

/** `isAuthentic`: encrypted with the key that only the gateway and the service have. */
type Read = { readonly content: z.infer<typeof Notification>; readonly isAuthentic: boolean };

function readContent({ headers, body }: Incoming, key: string): Read | undefined {
  if (body.length > MAX_BODY_CHARACTERS) return undefined;
  const trimmed = body.trim();
  const encrypted = WRAPPED.exec(trimmed)?.[1] ?? trimmed;
  const isAuthentic = HEX.test(encrypted);
  if (!isAuthentic && trimmed.length > MAX_PLAIN_CHARACTERS) return undefined;
  const content = parseJson(isAuthentic ? decryptNotification(encrypted, headers, key) : trimmed);
  const parsed = Notification.safeParse(content).data;
  return parsed === undefined ? undefined : { content: parsed, isAuthentic };
}

/** The decrypted text; '' if key, headers and content do not match. */
export function decryptNotification(encrypted: string, headers: Headers, key: string): string {
  const nonce = headers.get(NONCE_HEADER) ?? '';
  const tag = Buffer.from(headers.get(TAG_HEADER) ?? '', 'hex');
  if (!HEX.test(nonce) || tag.length !== TAG_BYTES) return '';
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), Buffer.from(nonce, 'hex'), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(Buffer.from(encrypted, 'hex')), decipher.final()]).toString('utf8');
  } catch {
    return '';
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
