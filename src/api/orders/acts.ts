import { z } from '@hono/zod-openapi';
import type { CommandContent } from '../../db/entities/escrow.ts';
import type { OrderWish } from '../../db/escrow/order-requests.ts';
import { assertNever, Refusal } from '../../domain/errors.ts';
import { allows, type CommandOf, type MessageType } from '../../domain/escrow/commands.ts';
import { coversOrder } from '../../domain/escrow/deliveries.ts';
import {
  type CountedItem,
  type Escrow,
  MAX_EXTENSION_HOURS,
  type Milestone,
  type Negotiation,
  type OrderedBy,
  type OrderedItem,
  type Party,
  type Pieces,
} from '../../domain/escrow/escrow.ts';
import { agreedShares, isAgreed } from '../../domain/escrow/evolve.ts';
import { remainingShares } from '../../domain/escrow/postings.ts';
import { NO_SHARES, type SplitPlan } from '../../domain/escrow/shares.ts';
import type { CommandId, MilestoneId, OrderRequestId } from '../../domain/ids.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { maySee, ORDER_ACT_NAMES, type OrderAct, type OrderPageSettings } from '../../domain/order-pages.ts';
import { type BankDetails, maskAccountNumber } from '../../domain/withdrawal/bank-details.ts';
import { sendEscrowCommand } from '../commands/escrow-commands.ts';
import type { CommandSubject } from '../commands/idempotency.ts';
import type { ApiDependencies } from '../context.ts';
import { note, plainWebAddress, text } from '../schemas/common.ts';
import { BANK_FIELDS, bankFields, destinationOf } from '../schemas/treasury.ts';
import { payOut, type SellerMoney, setPayoutDetails } from './payouts.ts';

/** What the parties do on their pages. Each act is a command of the escrow, with the party as its actor. */

/** What the page knows besides the escrow. */
export type Circumstances = {
  readonly party: Party;
  readonly settings: OrderPageSettings;
  readonly now: Date;
  /** The acts that the party has asked for and that wait for the company. */
  readonly asked: readonly OrderAct[];
  /** The payment was, in whole or in part, so nothing is released. */
  readonly isTakenBack: boolean;
  /** Null where the page does not deal with the seller's money outside the escrow. */
  readonly money: Pick<SellerMoney, 'availableCents' | 'isStopped' | 'destination'> | null;
};

/** The acts that the state and the company's settings offer to the party. */
export function possibleActs(escrow: Escrow, circumstances: Circumstances): OrderAct[] {
  const { party, settings, asked } = circumstances;
  return ORDER_ACT_NAMES.filter(
    (act) => maySee(act, party, settings) && !asked.includes(act) && IS_POSSIBLE[act](escrow, circumstances),
  );
}

const IS_POSSIBLE: { readonly [Act in OrderAct]: (escrow: Escrow, circumstances: Circumstances) => boolean } = {
  confirm_receipt: (escrow, { isTakenBack }) =>
    openMilestones(escrow).length > 0
      ? allows('release-milestone', escrow.status) && !isTakenBack
      : allows('goods-received', escrow.status) && missingPieces(escrow, escrow.deliveries.received).length > 0,
  release: ({ status }, { isTakenBack }) => allows('release', status) && !isTakenBack,
  extend: ({ status, autoReleaseAt, autoReleaseExtended }, { isTakenBack }) =>
    allows('extend-auto-release', status) && autoReleaseAt !== null && !autoReleaseExtended && !isTakenBack,
  ask_cancel: (escrow, { now, isTakenBack }) =>
    !isCancelledByConsent(escrow) ||
    (allows('dispute', escrow.status) && openProposal(escrow, now) === null && !isTakenBack && !allIsBuyers(escrow)),
  dispatch: (escrow, { isTakenBack }) =>
    allows('delivery-note', escrow.status) &&
    !coversOrder(escrow.terms.items, escrow.deliveries) &&
    !isTakenBack &&
    !allIsBuyers(escrow),
  dispute: ({ status }) => allows('dispute', status),
  evidence: ({ status }) => allows('add-evidence', status),
  propose: (escrow, { now, isTakenBack }) =>
    allows('negotiate', escrow.status) && openProposal(escrow, now) === null && isSettling(escrow, isTakenBack),
  answer: (escrow, { party, now }) => {
    const open = openProposal(escrow, now);
    return open !== null && open.proposer !== party && allows('accept-negotiation', escrow.status);
  },
  payout_details: (_escrow, { money }) => money !== null,
  payout: (_escrow, { money }) => money?.destination != null && money.availableCents > 0n && !money.isStopped,
};

/** Whether an accepted proposal can take effect. In a dispute it pays at once, and nothing is paid while the payment is taken back. */
export function isSettling({ status }: Escrow, isTakenBack: boolean): boolean {
  return status !== 'DISPUTED' || !isTakenBack;
}

/** Whether the parties agreed that all that is held goes back to the buyer. */
export function allIsBuyers(escrow: Escrow): boolean {
  return agreedShares(escrow)?.sellerPayoutCents === 0n;
}

/** Where there are some, the buyer confirms receipt by milestone, and each is paid. */
export function openMilestones({ milestones }: Escrow): readonly Milestone[] {
  return milestones.filter(({ status }) => status === 'PENDING');
}

/** The proposal about the whole escrow that waits for an answer. */
export function openProposal({ negotiations }: Escrow, now: Date): Negotiation | null {
  const open = negotiations.find(
    ({ milestoneId, status, lapsesAt }) => milestoneId === null && status === 'PENDING' && now.toISOString() < lapsesAt,
  );
  return open ?? null;
}

/** The ordered pieces less those in `counted`. */
export function missingPieces({ terms }: Escrow, counted: readonly Pieces[]): readonly Pieces[] {
  return terms.items.flatMap(({ itemId, quantity }) => {
    const before = counted.reduce((sum, one) => (one.itemId === itemId ? sum + one.quantity : sum), 0);
    return quantity > before ? [{ itemId, quantity: quantity - before }] : [];
  });
}

/** What may be sent with a new delivery note: notes and receipts together are at most the order. */
export function unsentPieces(escrow: Escrow): readonly Pieces[] {
  const { noted, received } = escrow.deliveries;
  return missingPieces(escrow, [...noted, ...received]);
}

/** Whether a dispatch names pieces that were sent before, as the form of an old tab does. The API may note a delivery again. */
export function sendsAgain(escrow: Escrow, { items = [] }: OrderWish): boolean {
  const unsent = unsentPieces(escrow);
  return items.some(({ itemId, quantity }) => quantity > (unsent.find((one) => one.itemId === itemId)?.quantity ?? 0));
}

/** The most that a proposal can give to the seller; the fees stay. */
export function mostForSeller(escrow: Escrow): bigint {
  const { systemFeeCents, serviceFeeCents } = remainingShares(escrow);
  return escrow.heldCents - systemFeeCents - serviceFeeCents;
}

/** Whether a cancellation needs the seller's consent, because something was sent, received, paid to the seller, or agreed. */
export function isCancelledByConsent(escrow: Escrow): boolean {
  const { status, milestones } = escrow;
  return status !== 'ACTIVE' || isAgreed(escrow) || milestones.some((one) => one.status === 'RELEASED');
}

/** What the party entered in the form of the act. Throws `validation_failed`. */
export function wishOf(act: OrderAct, form: URLSearchParams, escrow: Escrow): OrderWish {
  const { terms } = escrow;
  switch (act) {
    case 'confirm_receipt':
      return form.has('milestone')
        ? { milestoneId: required(milestoneIn(form, escrow)) }
        : { items: piecesIn(terms.items, form), ...optional('notes', textOf(form, 'note')) };
    case 'dispatch':
      return {
        items: piecesIn(terms.items, form),
        ...optional('notes', textOf(form, 'note')),
        ...consignmentIn(form),
      };
    case 'release':
      return optional('milestoneId', milestoneIn(form, escrow));
    case 'extend':
      return { hours: hoursOf(form) };
    case 'ask_cancel':
    case 'dispute':
      return { reason: required(textOf(form, 'reason')) };
    case 'evidence':
      return { notes: required(textOf(form, 'reason')) };
    case 'propose':
      return {
        sellerPayoutCents: centsOf(form.get('amount') ?? '', terms.currency).toString(),
        ...optional('notes', textOf(form, 'note')),
      };
    case 'answer':
      return { negotiationId: required(form.get('proposal')), accept: form.get('answer') !== 'reject' };
    case 'payout_details': {
      const { accountNumber, ...details } = bankDetailsIn(form);
      return { ...details, accountNumber: maskAccountNumber(accountNumber) };
    }
    case 'payout': {
      const amountCents = centsOf(form.get('amount') ?? '', terms.currency);
      if (amountCents === 0n) throw new Refusal('validation_failed', 'amount');
      return { amountCents: amountCents.toString() };
    }
    default:
      return assertNever(act);
  }
}

export type Deed = {
  readonly act: OrderAct;
  readonly party: Party;
  readonly commandId: CommandId;
  readonly wish: OrderWish;
  /** Of `payout_details` alone: with the whole number. */
  readonly bankDetails: BankDetails | null;
  readonly now: Date;
  /** The request that is carried out; null where it needs no approval. */
  readonly requestId: OrderRequestId | null;
  /** Who approved it; nobody where it needs no approval. */
  readonly by: OrderedBy;
};

export const NOBODY: OrderedBy = { adminId: null, apiKeyId: null };

/** Carries out an act, once per command id. Throws the refusals of its command. */
export async function performAct(
  dependencies: Pick<ApiDependencies, 'orm' | 'commands' | 'requests' | 'cipher' | 'settings'>,
  escrow: CommandSubject,
  { act, party, commandId, wish, bankDetails, now, requestId, by }: Deed,
): Promise<void> {
  const { state } = escrow;
  const { reason = null, notes = null } = wish;
  const send = <Type extends MessageType>(
    type: Type,
    fields: Omit<CommandOf<Type>, 'type' | 'commandId'>,
    content: CommandContent = {},
  ) => sendEscrowCommand(dependencies, escrow, type, { commandId, ...fields }, { ...content, requestId });
  switch (act) {
    case 'confirm_receipt':
      if (wish.milestoneId === undefined) await send('goods-received', { items: countedItems(state, wish) }, { notes });
      else await send('release-milestone', { ...by, milestoneId: milestoneOf(wish.milestoneId) });
      return;
    case 'dispatch':
      await send('delivery-note', { items: countedItems(state, wish) }, { notes, ...consignmentOf(wish) });
      return;
    case 'release': {
      const { milestoneId } = wish;
      if (milestoneId === undefined) await send('release', by);
      else await send('release-milestone', { ...by, milestoneId: milestoneOf(milestoneId) });
      return;
    }
    case 'extend':
      await send('extend-auto-release', { hours: wish.hours ?? 0 });
      return;
    case 'ask_cancel':
      if (isCancelledByConsent(state))
        await send('negotiate', { actor: party, plan: planOf(NO_SHARES) }, { notes: reason });
      else await send('cancel', { actor: party, ...by }, { reason });
      return;
    case 'dispute':
      await send('dispute', { actor: party }, { reason });
      return;
    case 'evidence':
      await send('add-evidence', { actor: party, ...by }, { notes });
      return;
    case 'propose': {
      const sellerPayoutCents = BigInt(wish.sellerPayoutCents ?? '0');
      const plan =
        sellerPayoutCents === 0n ? planOf(NO_SHARES) : planOf({ ...remainingShares(state), sellerPayoutCents });
      await send('negotiate', { actor: party, plan }, { notes });
      return;
    }
    case 'answer': {
      const open = openProposal(state, now);
      if (open === null || open.negotiationId !== wish.negotiationId) throw new Refusal('wrong_state');
      const answer = { actor: party, negotiationId: open.negotiationId, milestoneId: null };
      await send(wish.accept === false ? 'reject-negotiation' : 'accept-negotiation', answer);
      return;
    }
    case 'payout_details':
      if (bankDetails === null) throw new Refusal('validation_failed', 'the bank details are missing');
      await setPayoutDetails(dependencies, state.terms, bankDetails);
      return;
    case 'payout':
      await payOut(dependencies, state.terms, { commandId, amountCents: BigInt(wish.amountCents ?? '0'), by });
      return;
    default:
      return assertNever(act);
  }
}

function planOf({ systemFeeCents, serviceFeeCents, sellerPayoutCents }: SplitPlan): SplitPlan {
  return { systemFeeCents, serviceFeeCents, sellerPayoutCents };
}

/** The milestone that the form names; null if it names none of the escrow's. */
function milestoneIn(form: URLSearchParams, { milestones }: Escrow): MilestoneId | null {
  return milestones.find(({ milestoneId }) => milestoneId === form.get('milestone'))?.milestoneId ?? null;
}

/** Of a wish: `milestoneIn` has found it. */
function milestoneOf(id: string): MilestoneId {
  return id as MilestoneId;
}

/** The pieces in the form's fields. */
function piecesIn(ordered: readonly OrderedItem[], form: URLSearchParams): readonly Pieces[] {
  const items = ordered.flatMap(({ itemId }) => {
    const typed = (form.get(`pieces-${itemId}`) ?? '').trim();
    if (typed === '' || /^0+$/.test(typed)) return [];
    if (!/^\d{1,7}$/.test(typed)) throw new Refusal('validation_failed', 'the number of pieces');
    return [{ itemId, quantity: Number(typed) }];
  });
  if (items.length === 0) throw new Refusal('validation_failed', 'no pieces');
  return items;
}

/** The pieces at the ordered prices. */
function countedItems({ terms }: Escrow, { items = [] }: OrderWish): readonly CountedItem[] {
  return terms.items.flatMap(({ itemId, pricePerUnitCents }) =>
    items
      .filter((one) => one.itemId === itemId)
      .map(({ quantity }) => ({ itemId, quantity, pricePerItemCents: pricePerUnitCents })),
  );
}

function optional<Name extends string>(name: Name, text: string | null): { readonly [Key in Name]?: string } {
  return text === null ? {} : ({ [name]: text } as { readonly [Key in Name]: string }); // computed keys lose their type
}

/** How the order travels. Throws `validation_failed`. */
function consignmentIn(form: URLSearchParams): Pick<OrderWish, 'carrier' | 'trackingNumber' | 'trackingUrl'> {
  const trackingUrl = textOf(form, 'tracking-url');
  if (trackingUrl !== null && !plainWebAddress(/^https?$/).safeParse(trackingUrl).success)
    throw new Refusal('validation_failed', 'the address of the tracking page');
  return {
    ...optional('carrier', shortOf(form, 'carrier')),
    ...optional('trackingNumber', shortOf(form, 'tracking-number')),
    ...optional('trackingUrl', trackingUrl),
  };
}

function consignmentOf({ carrier, trackingNumber, trackingUrl }: OrderWish): CommandContent {
  return {
    ...(carrier === undefined ? {} : { carrier }),
    ...(trackingNumber === undefined ? {} : { trackingNumber }),
    ...(trackingUrl === undefined ? {} : { documentUrl: trackingUrl }),
  };
}

/** Throws `validation_failed`. */
export function bankDetailsIn(form: URLSearchParams): BankDetails {
  const parsed = z.object(bankFields).safeParse(Object.fromEntries(BANK_FIELDS.map((name) => [name, form.get(name)])));
  const details = parsed.success ? destinationOf(parsed.data) : null;
  if (details === null) throw new Refusal('validation_failed', 'the bank details');
  return details;
}

function shortOf(form: URLSearchParams, name: string): string | null {
  const typed = textOf(form, name);
  if (typed === null) return null;
  const parsed = text().safeParse(typed);
  if (!parsed.success) throw new Refusal('validation_failed', name);
  return parsed.data;
}

function hoursOf(form: URLSearchParams): number {
  const typed = (form.get('hours') ?? '').trim();
  if (!/^[1-9]\d{0,2}$/.test(typed) || Number(typed) > MAX_EXTENSION_HOURS)
    throw new Refusal('validation_failed', 'hours');
  return Number(typed);
}

/** Lines become spaces, because the API takes one line. */
function textOf(form: URLSearchParams, name: string): string | null {
  const typed = (form.get(name) ?? '').replace(/\s+/g, ' ').trim();
  if (typed === '') return null;
  const parsed = note().safeParse(typed);
  if (!parsed.success) throw new Refusal('validation_failed', name);
  return parsed.data;
}

function required(text: string | null): string {
  if (text === null) throw new Refusal('validation_failed', 'a text is missing');
  return text;
}

/** An amount with a point or a comma before its decimals. */
function centsOf(typed: string, currency: Currency): bigint {
  const decimals = formatAmount(0n, currency).split('.')[1]?.length ?? 0;
  const [, whole, fraction = ''] = /^(\d{1,13})(?:[.,](\d+))?$/.exec(typed.replace(/[\s\u202f\u00a0]/g, '')) ?? [];
  if (whole === undefined || fraction.length > decimals) throw new Refusal('validation_failed', 'amount');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
