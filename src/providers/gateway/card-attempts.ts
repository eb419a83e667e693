import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { inTenant } from '../../db/core/orm.ts';
import { PaymentAttemptRow, type PaymentLinkRow } from '../../db/entities/payment-link.ts';
import {
  type AttemptOwner,
  findAttemptByCheckout,
  hasLasted,
  isAskable,
  type Notified,
  noteNotification,
  noteReturn,
} from '../../db/payments/payment-attempts.ts';
import { findLink, type LinkRecord } from '../../db/payments/payment-links.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import { type CommandId, idMadeBy } from '../../domain/ids.ts';
import { fromWire, toWire, type Wire } from '../../domain/messages/wire.ts';
import {
  type AttemptId,
  type AttemptOutcome,
  CHECKOUT_POLL_MINUTES,
  GATEWAY_REQUESTS_PER_MINUTE,
  merchantReferenceOf,
  type PaymentChange,
  type PaymentLink,
  unsettled,
} from '../../domain/payment-link/link.ts';
import type { Instant } from '../../domain/time.ts';
import type { Adapters } from '../adapter.ts';
import { ProviderError } from '../provider-error.ts';
import { type CardGateway, CHECKOUT_LIFETIME_MINUTES, type Checkout } from './port.ts';
import type { GatewayName } from './registry.ts';

/**
 * The attempts to pay by card or EFT. The page opens a form. The buyer's return, the gateway's notification and the poll of the
 * link's run each lead to a check at the gateway, which the run makes and settles the attempt with: no report is believed.
 */

/** A form of the gateway. */
export type CardForm = Checkout;

type Gateways = Adapters<GatewayName, CardGateway>;

/** The messages to the run of a link. `record` and `check` wait for its answer, and throw its refusal. */
type LinkRun = {
  readonly record: (link: LinkRecord, attemptId: AttemptId) => Promise<unknown>;
  readonly check: (link: LinkRecord, attemptId: AttemptId) => Promise<unknown>;
  readonly checkSoon: (link: LinkRecord, attemptId: AttemptId) => Promise<void>;
};

export type CardAttempts = {
  /** The link's open form with time left; null if there is none. */
  readonly findOpen: (link: LinkRecord) => Promise<CardForm | null>;
  /** The link's open form, or a new one, whose attempt `commandId` makes. Throws `provider_unavailable`. */
  readonly open: (link: LinkRecord, commandId: CommandId) => Promise<CardForm>;
  /**
   * The buyer came back: has the form checked, unless it is paid or was checked too often. A declined form is checked again: the
   * buyer may return to it and pay after all. Null for an unknown form.
   */
  readonly returned: (
    checkoutId: string,
  ) => Promise<{ readonly link: LinkRecord; readonly attemptId: AttemptId } | null>;
  /** The gateway notified. The database ignores unknown payments; many notifications of one payment cause one check. */
  readonly notified: (notified: Notified) => Promise<void>;
};

/** A form with less time left than this is not opened. */
const FORM_MARGIN_MS = 2 * 60_000;

export function createCardAttempts(orm: MikroORM, gateways: Gateways, run: LinkRun): CardAttempts {
  async function findOpen(link: LinkRecord): Promise<CardForm | null> {
    const openIds = unsettled(link.state)
      .filter(({ kind, status }) => kind === 'card' && status === 'open')
      .map(({ attemptId }) => attemptId);
    const row = await inTenant(orm, link.companyId, (em) =>
      em.findOne(
        PaymentAttemptRow,
        { companyId: link.companyId, id: { $in: openIds }, createdAt: { $gt: oldestOpen() } },
        { orderBy: { createdAt: 'desc' } },
      ),
    );
    return formOf(gateways, row);
  }

  /** Has the link record the form. The form is forgotten where the link refuses it, so that a later request opens another. */
  async function record(link: LinkRecord, attemptId: AttemptId): Promise<void> {
    try {
      await run.record(link, attemptId);
    } catch (error) {
      if (isRefused(error))
        await inTenant(orm, link.companyId, (em) =>
          em.nativeDelete(PaymentAttemptRow, { companyId: link.companyId, id: attemptId }),
        );
      throw error;
    }
  }

  const linkOf = ({ companyId, linkId }: AttemptOwner) =>
    inTenant(orm, companyId, (em) => findLink(em, companyId, linkId));

  return {
    findOpen,
    async open(link, commandId) {
      const open = await findOpen(link);
      if (open !== null) return open;
      const id = idMadeBy('attempt', commandId);
      const provider = gateways.chosen;
      const { amountCents, currency } = link;
      const form = await gateways
        .named(provider)
        .createCheckout({ merchantReference: merchantReferenceOf(id), amountCents, currency })
        .catch((error: unknown) => {
          throw error instanceof ProviderError ? unavailable(error) : error;
        });
      const { checkoutId, scriptUrl, integrity } = form;
      const chosen = await inTenant(orm, link.companyId, async (em) => {
        // Requests of the same moment agree on one form. The others' checkouts stay at the gateway, and nobody is shown them.
        await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`open-checkout/${link.id}`]);
        const other = await findUnsettled(em, gateways, link);
        if (other !== null) return other;
        const { companyId, id: linkId } = link;
        const made = { id, companyId, linkId, kind: 'card', provider, createdAt: new Date() } as const;
        await em.insert(PaymentAttemptRow, { ...made, checkoutId, scriptUrl, integrity });
        return { attemptId: id, form: { checkoutId, scriptUrl, integrity } };
      });
      await record(link, chosen.attemptId);
      return chosen.form;
    },
    async returned(checkoutId) {
      const attempt = await findAttemptByCheckout(orm.em.fork(), checkoutId);
      const link = attempt && (await linkOf(attempt));
      if (!attempt || !link) return null;
      const { id: attemptId, companyId } = attempt;
      if (attemptIn(link, attemptId)?.status !== 'succeeded') {
        if (await inTenant(orm, companyId, (em) => isAskable(em, attempt)))
          await run.check(link, attemptId).catch(unlessNothingIsNew);
        // The limit is used up: the run asks as soon as the limit allows.
        else if (await inTenant(orm, companyId, (em) => noteReturn(em, attempt))) await run.checkSoon(link, attemptId);
      }
      return { link, attemptId };
    },
    async notified(notified) {
      const attempt = await noteNotification(orm.em.fork(), notified);
      const link = attempt && (await linkOf(attempt));
      const known = link && attemptIn(link, attempt.id);
      if (!known) return;
      // A buyer whose card was declined may go back in the browser and pay with the same form after all.
      // A payment that succeeded changes only by a chargeback or a refund.
      const isKnownPending = 'report' in notified && notified.report === 'pending' && known.status === 'pending';
      const isWorthAsking = !isKnownPending && (known.status !== 'succeeded' || 'paymentId' in notified);
      if (isWorthAsking) await run.checkSoon(link, attempt.id);
    },
  };
}

function attemptIn(link: LinkRecord, attemptId: AttemptId) {
  return link.state.attempts.find((one) => one.attemptId === attemptId);
}

/** The form that is open for the link, whether or not the link has recorded it yet. */
async function findUnsettled(
  em: EntityManager,
  gateways: Gateways,
  link: LinkRecord,
): Promise<{ readonly attemptId: AttemptId; readonly form: CardForm } | null> {
  const open = unsettled(link.state);
  const settledIds = link.state.attempts.filter((one) => !open.includes(one)).map((one) => one.attemptId);
  const row = await em.findOne(
    PaymentAttemptRow,
    {
      companyId: link.companyId,
      linkId: link.id,
      kind: 'card',
      createdAt: { $gt: oldestOpen() },
      id: { $nin: settledIds },
    },
    { orderBy: { createdAt: 'asc' } },
  );
  const form = formOf(gateways, row);
  return row === null || form === null ? null : { attemptId: row.id, form };
}

/** `script_url` is for releases before 1.0.0: no audit compares it. */
function formOf(gateways: Gateways, row: PaymentAttemptRow | null): CardForm | null {
  if (row?.checkoutId == null || row.integrity == null) return null;
  const { provider, checkoutId, integrity } = row;
  const scriptUrl = gateways.named(provider).scriptUrlOf(checkoutId);
  return scriptUrl === undefined ? null : { checkoutId, scriptUrl, integrity };
}

/** A form that was opened before may lapse while the buyer fills it in. */
function oldestOpen(): Date {
  return new Date(Date.now() - CHECKOUT_LIFETIME_MINUTES * 60_000 + FORM_MARGIN_MS);
}

/** The provider repeats a known state, or another check came first. */
function unlessNothingIsNew(error: unknown): void {
  if (!(error instanceof Refusal && error.code === 'wrong_state')) throw error;
}

function unavailable(cause: ProviderError): Refusal {
  const refusal = new Refusal('provider_unavailable', 'the card gateway cannot be reached');
  refusal.cause = cause;
  return refusal;
}

/**
 * The provider's answer; `silent` if there was none; or `askAt`, the time at which the gateway accepts the next request.
 */
export type CheckAnswer = AttemptOutcome | 'silent' | { readonly askAt: Instant };

/** A change that the gateway reports. */
export type FoundChange = PaymentChange & { readonly changeId: string };

/**
 * The oldest change of a payment that the link does not know; `nothing` if it knows all of them. `silent` and `askAt` as above.
 */
export type ChangeAnswer = Wire<FoundChange> | 'nothing' | 'silent' | { readonly askAt: Instant };

/**
 * The gateway limits status requests for each checkout. One of them is reserved for authentic notifications of success, so that a
 * payment counts as soon as the gateway reports it, even if earlier requests used up the others. The gateway does not limit
 * requests for the changes of a payment; that limit is ours.
 */
const QUESTIONS = {
  status: { column: 'asked_at', maxPerMinute: GATEWAY_REQUESTS_PER_MINUTE, reserved: 1 },
  changes: { column: 'changes_asked_at', maxPerMinute: 10, reserved: 0 },
} as const;

/** Asks the gateway what became of a form. The payment of a success is recorded, for its changes and its refund. */
export async function checkCard(
  em: EntityManager,
  gateway: CardGateway,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
): Promise<CheckAnswer> {
  if (attempt.checkoutId == null) return 'silent';
  if (!isAtWork(attempt, link) && (await isReportedPending(em, attempt))) return 'pending';
  const askAt = await claimQuestion(em, attempt, QUESTIONS.status);
  if (askAt !== null) return { askAt: askAt.toISOString() };
  const status = await gateway.checkoutStatus(attempt.checkoutId);
  switch (status.kind) {
    case 'succeeded': {
      const isOurs =
        status.amountCents === BigInt(link.amountCents) &&
        status.currency === link.currency &&
        status.merchantReference === merchantReferenceOf(attempt.id);
      if (isOurs)
        await em.execute('update payment_attempt set payment_id = ? where company_id = ? and id = ?', [
          status.paymentId,
          attempt.companyId,
          attempt.id,
        ]);
      return isOurs ? 'succeeded' : 'mismatched';
    }
    case 'open':
      return (await hasLasted(em, attempt, link, CHECKOUT_POLL_MINUTES)) ? 'lapsed' : 'silent';
    case 'gone':
      return 'lapsed';
    default:
      return status.kind;
  }
}

function isAtWork({ id }: PaymentAttemptRow, link: PaymentLinkRow): boolean {
  const { attempts } = fromWire<PaymentLink>(link.state);
  return attempts.some(({ attemptId, status }) => attemptId === id && status === 'pending');
}

/**
 * Whether the gateway has reported, since it was last asked, that the payment is in progress, and has reported no success.
 * Another request would return the same, and would count towards the limit.
 */
async function isReportedPending(em: EntityManager, { companyId, id }: PaymentAttemptRow): Promise<boolean> {
  const [row] = await em.execute<{ report: string | null }[]>('select payment_attempt_report(?, ?) as report', [
    companyId,
    id,
  ]);
  return row?.report === 'pending';
}

/** Asks the gateway for the oldest change of a payment that is not in `known`. */
export async function checkCardPayment(
  em: EntityManager,
  gateway: CardGateway,
  attempt: PaymentAttemptRow,
  link: PaymentLinkRow,
  known: readonly string[],
): Promise<ChangeAnswer> {
  if (attempt.paymentId == null) return 'nothing';
  const askAt = await claimQuestion(em, attempt, QUESTIONS.changes);
  if (askAt !== null) return { askAt: askAt.toISOString() };
  const changes = await gateway.paymentChanges(attempt.paymentId);
  const next = changes.find(({ changeId, currency }) => !known.includes(changeId) && currency === link.currency);
  if (next === undefined) return 'nothing';
  const { changeId, change, amountCents } = next;
  return toWire<FoundChange>({ changeId, change, amountCents });
}

/**
 * Counts a request to the gateway. Null if it may be sent now; else the time at which the limit allows it, on the company's
 * clock.
 */
async function claimQuestion(
  em: EntityManager,
  { companyId, id: attemptId }: PaymentAttemptRow,
  { column, maxPerMinute, reserved }: (typeof QUESTIONS)[keyof typeof QUESTIONS],
): Promise<Date | null> {
  const rows = await em.execute<{ id: string }[]>(
    `update payment_attempt a
     set ${column} = array_append(
       array(select t from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute'),
       company_now(a.company_id))
     where a.company_id = ? and a.id = ? and (select count(*) from unnest(a.${column}) t where t > company_now(a.company_id) - interval '1 minute')
       < ? - case when payment_attempt_report(a.company_id, a.id) = 'success' then 0 else ? end
     returning a.id`,
    [companyId, attemptId, maxPerMinute, reserved],
  );
  if (rows.length === 1) return null;
  const recent = await em.execute<{ ask_at: Date; report: string | null }[]>(
    `select t + interval '1 minute' as ask_at, payment_attempt_report(a.company_id, a.id) as report
     from payment_attempt a, unnest(a.${column}) t where a.company_id = ? and a.id = ? order by t desc limit ?`,
    [companyId, attemptId, maxPerMinute],
  );
  const allowed = maxPerMinute - (recent[0]?.report === 'success' ? 0 : reserved);
  return new Date(recent[allowed - 1]?.ask_at ?? Date.now());
}
