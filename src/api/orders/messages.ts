import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { FieldCipher } from '../../db/core/field-cipher.ts';
import { inTenant } from '../../db/core/orm.ts';
import { type EscrowRecord, findEscrow } from '../../db/escrow/escrows.ts';
import {
  type DueMessage,
  decideMessage,
  findDueMessages,
  lockDueMessage,
  type OrderMessage,
  obstacleOf,
  settleMessage,
} from '../../db/escrow/order-messages.ts';
import { latestOrderRequests } from '../../db/escrow/order-requests.ts';
import { personHashes } from '../../db/identity/person-hashes.ts';
import { findBuyerDebts, isTakenBack } from '../../db/treasury/receivables.ts';
import type { EscrowEvent } from '../../domain/escrow/commands.ts';
import { type Escrow, isFinal, type NegotiationStatus, type Party } from '../../domain/escrow/escrow.ts';
import { heldCentsOf, paidCents, type Shares, sharesOf } from '../../domain/escrow/shares.ts';
import type { CompanyId, EscrowId, NegotiationId } from '../../domain/ids.ts';
import type { Locale } from '../../domain/locale.ts';
import { fromWire } from '../../domain/messages/wire.ts';
import { minCents } from '../../domain/money.ts';
import { MAX_SENDS, type OrderMessageKind, STALE_AFTER_HOURS } from '../../domain/order-messages.ts';
import { orderName, orderPageSettings } from '../../domain/order-pages.ts';
import type { Instant } from '../../domain/time.ts';
import { orderMessages } from '../../observability/metrics.ts';
import type { Messaging, OrderNews } from '../../providers/messaging/port.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { formatMoment, formatMoney } from '../checkout/formats.ts';
import { LANGUAGES } from '../checkout/texts/languages.ts';
import { allIsBuyers } from './acts.ts';
import { ORDER_LANGUAGES } from './texts/languages.ts';
import type { OrderTokens } from './tokens.ts';
import { orderCents } from './view.ts';

/**
 * Tells the parties about their orders. A message is marked before it is sent, so a crash loses one and never repeats it; one that the
 * platform refused had no effect and is tried again.
 */

/** Messages that one round sends at the same time. */
const AT_ONCE = 8;
const FIRST_RETRY_SECONDS = 30;

type OrderMessageDependencies = {
  readonly orm: MikroORM;
  readonly messaging: Messaging;
  readonly orderTokens: OrderTokens;
  readonly cipher: FieldCipher;
  readonly log: Logger;
};

/** Sends what is due. */
export async function sendOrderMessages(dependencies: OrderMessageDependencies, signal: AbortSignal): Promise<void> {
  const { orm } = dependencies;
  for (let due: DueMessage[] = []; !signal.aborted; ) {
    due = await findDueMessages(orm.em.fork(), AT_ONCE);
    await Promise.all(due.map((message) => sendOne(dependencies, message)));
    if (due.length < AT_ONCE) return;
  }
}

async function sendOne({ orm, messaging, log, ...rest }: OrderMessageDependencies, due: DueMessage): Promise<void> {
  const claimed = await inTenant(orm, due.companyId, (em) => claim(em, rest, due));
  if (claimed === null) return;
  const { to, news, attempts } = claimed;
  const outcome = await messaging.sendOrderNews(to, news).then(
    () => 'SENT' as const,
    (error: unknown) => {
      log.error({ err: error, kind: news.kind }, 'a message about an order could not be sent');
      const hadNoEffect = error instanceof ProviderError && error.outcome === 'unreachable';
      return hadNoEffect && attempts < MAX_SENDS ? { retrySeconds: FIRST_RETRY_SECONDS * 4 ** attempts } : 'FAILED';
    },
  );
  await inTenant(orm, due.companyId, (em) => settleMessage(em, due, outcome));
  orderMessages.inc({ outcome: outcome === 'SENT' ? 'sent' : outcome === 'FAILED' ? 'failed' : 'retried' });
}

type Claimed = { readonly to: string; readonly news: OrderNews; readonly attempts: number };

/** What is sent to whom; null if another process sends it, or if nothing is sent. */
async function claim(
  em: EntityManager,
  { orderTokens, cipher }: Pick<OrderMessageDependencies, 'orderTokens' | 'cipher'>,
  due: DueMessage,
): Promise<Claimed | null> {
  const message = await lockDueMessage(em, due, STALE_AFTER_HOURS);
  if (message === null) return null;
  const { enabled, messages } = orderPageSettings(message.orderPages);
  const news = enabled && message.isFresh ? await newsOf(em, orderTokens, due, message) : null;
  if (news === null) {
    await decideMessage(em, due, { status: 'STALE' });
    return null;
  }
  const { mobileNumber: to, attempts } = message;
  if (!messages || to === null) {
    await decideMessage(em, due, { status: 'NOT_SENT', reason: messages ? 'NO_NUMBER' : 'SWITCHED_OFF' });
    return null;
  }
  const numberHash = (await personHashes(em, cipher)).ofPhone(to);
  const reason = await obstacleOf(em, numberHash);
  await decideMessage(em, due, reason === null ? { status: 'SENDING', numberHash } : { status: 'NOT_SENT', reason });
  return reason === null ? { to, news, attempts } : null;
}

/** What the message says; null if it is not true any more. */
async function newsOf(
  em: EntityManager,
  orderTokens: OrderTokens,
  { companyId }: DueMessage,
  { kind, party, escrowId, companyName, timeZone, version, locale: known, ...message }: OrderMessage,
): Promise<OrderNews | null> {
  const escrow = await findEscrow(em, companyId, escrowId);
  if (escrow === null) return null;
  const { state } = escrow;
  const locale = known ?? 'en';
  const formats: Formats = {
    money: (cents) => formatMoney(cents, state.terms.currency, LANGUAGES[locale]),
    moment: (at) => formatMoment(new Date(at), LANGUAGES[locale], timeZone),
  };
  const detail =
    kind === 'REFUSAL'
      ? await refusedAct(em, companyId, { escrowId, party, requestId: message.cause }, locale)
      : message.event === null && (await isReminderUntrue(em, companyId, escrow))
        ? null
        : detailOf(state, message, party, await takenByDebts(em, companyId, escrowId, party), formats);
  if (detail === null) return null;
  const isAboutChargeback = NAME_COMING_MONEY.includes(kind) && state.chargedBackCents > 0n;
  return {
    ...(isAboutChargeback ? { kind: 'CHARGEBACK', detail: formats.money(state.chargedBackCents) } : { kind, detail }),
    locale,
    merchant: companyName,
    order: orderName(escrow.externalReference, escrowId),
    token: orderTokens.tokenOf({ companyId, escrowId, party, version }),
  };
}

/** What they say would be untrue of an order whose payment was taken back: its money is not there, or a debt takes it. */
const NAME_COMING_MONEY: readonly OrderMessageKind[] = [
  'PROPOSAL',
  'DISPUTE',
  'DECISION',
  'SETTLEMENT',
  'CANCELLATION',
];

/** Whether the automatic release does not come, or pays the buyer as both agreed: a reminder would ask the buyer to object to that. */
async function isReminderUntrue(
  em: EntityManager,
  companyId: CompanyId,
  { id, state }: EscrowRecord,
): Promise<boolean> {
  return allIsBuyers(state) || (await isTakenBack(em, companyId, id));
}

/** The act that the company did not approve; null if the party has asked for it again. */
async function refusedAct(
  em: EntityManager,
  companyId: CompanyId,
  { requestId, ...of }: { readonly escrowId: EscrowId; readonly party: Party; readonly requestId: string },
  locale: Locale,
): Promise<string | null> {
  const requests = await latestOrderRequests(em, companyId, of);
  const refused = requests.find(({ id }) => id === requestId);
  const isLatest = requests.find(({ act }) => act === refused?.act) === refused;
  return refused !== undefined && isLatest ? ORDER_LANGUAGES[locale].acts[refused.act].code : null;
}

/** What debts that are not this order's took of what came back to the buyer. The seller is not told of them. */
async function takenByDebts(
  em: EntityManager,
  companyId: CompanyId,
  escrowId: EscrowId,
  party: Party,
): Promise<bigint> {
  return party === 'SELLER' ? 0n : (await findBuyerDebts(em, companyId, escrowId)).otherCents;
}

type Formats = { readonly money: (cents: bigint) => string; readonly moment: (at: Instant) => string };

/** The date or amount of the message about an event or a release; null if it is not true any more. */
function detailOf(
  state: Escrow,
  { cause, event: stored }: Pick<OrderMessage, 'cause' | 'event'>,
  party: Party,
  takenCents: bigint,
  { money, moment }: Formats,
): string | null {
  const {
    status,
    dispute,
    heldCents,
    autoReleaseAt,
    blockedBy,
    negotiations,
    milestones,
    chargedBackCents,
    refundedCents,
  } = state;
  if (stored === null) return autoReleaseAt === cause && blockedBy === null ? moment(autoReleaseAt) : null;
  const event = fromWire<EscrowEvent>(stored);
  const partOf = ({ buyerRefundCents, sellerPayoutCents }: Shares) =>
    party === 'BUYER' ? buyerRefundCents : sellerPayoutCents;
  /** What came to the party. Debts took of the buyer's earlier refunds, those of parts of the order, first. */
  const came = (cents: bigint) => {
    const leftCents = party === 'BUYER' ? takenCents - (refundedCents - cents) : 0n;
    return money(leftCents > 0n ? cents - minCents(leftCents, cents) : cents);
  };
  /** Null if the proposal has another status, or if the money has moved since. */
  const partOfProposal = (id: NegotiationId, wanted: NegotiationStatus) => {
    const found = negotiations.find(({ negotiationId }) => negotiationId === id);
    if (found?.status !== wanted) return null;
    const milestone = milestones.find(({ milestoneId }) => milestoneId === found.milestoneId);
    const cents = milestone === undefined ? heldCents : heldCentsOf(milestone.shares);
    return isFinal(status) || paidCents(found.plan) > cents ? null : money(partOf(sharesOf(found.plan, cents)));
  };
  switch (event.type) {
    case 'DELIVERY_NOTED':
      return money(orderCents(party, state));
    case 'NEGOTIATION_PROPOSED':
      return partOfProposal(event.negotiation.negotiationId, 'PENDING');
    case 'DISPUTED':
      return dispute?.disputeId === event.disputeId && status === 'DISPUTED' ? money(heldCents) : null;
    case 'NEGOTIATION_REJECTED':
      return partOfProposal(event.negotiationId, 'REJECTED');
    case 'NEGOTIATION_ACCEPTED':
      return event.settlement === undefined
        ? partOfProposal(event.negotiationId, 'ACCEPTED')
        : came(partOf(event.settlement.shares));
    case 'CANCELLED':
      return event.refundCents === 0n ? null : came(event.refundCents);
    case 'RESOLVED':
      return came(partOf(event.shares));
    case 'CHARGED_BACK':
      return isFinal(status) || chargedBackCents === 0n ? null : money(chargedBackCents);
    case 'FUNDS_RELEASED':
    case 'AUTO_RELEASED':
    case 'MILESTONE_RELEASED':
      return event.shares.sellerPayoutCents === 0n ? null : money(partOf(event.shares));
    default:
      return null;
  }
}
