import { assertNever, Refusal } from '../../domain/errors.ts';
import { allows } from '../../domain/escrow/commands.ts';
import { coversOrder } from '../../domain/escrow/deliveries.ts';
import type { CountedItem, Escrow, Negotiation, Party, Pieces } from '../../domain/escrow/escrow.ts';
import { remainingShares } from '../../domain/escrow/evolve.ts';
import { NO_SHARES, type SplitPlan } from '../../domain/escrow/shares.ts';
import type { CommandId } from '../../domain/ids.ts';
import { type Currency, formatAmount } from '../../domain/money.ts';
import { maySee, ORDER_ACT_NAMES, type OrderAct, type OrderPageSettings } from '../../domain/order-pages.ts';
import { type CommandSubject, sendEscrowCommand } from '../commands/escrow-commands.ts';
import type { ApiDependencies } from '../context.ts';
import { note } from '../schemas/common.ts';

/** What the parties do on their pages. Each act is a command of the escrow, with the party as its actor. */

/** The acts that the state and the company's settings offer to the party at `now`. */
export function possibleActs(escrow: Escrow, party: Party, settings: OrderPageSettings, now: Date): OrderAct[] {
  return ORDER_ACT_NAMES.filter((act) => maySee(act, party, settings) && IS_POSSIBLE[act](escrow, party, now));
}

const IS_POSSIBLE: { readonly [Act in OrderAct]: (escrow: Escrow, party: Party, now: Date) => boolean } = {
  confirm_receipt: (escrow) =>
    allows('goods-received', escrow.status) && missingPieces(escrow, escrow.deliveries.received).length > 0,
  release: ({ status }) => allows('release', status),
  extend: ({ status, autoReleaseAt, autoReleaseExtended }) =>
    allows('extend-auto-release', status) && autoReleaseAt !== null && !autoReleaseExtended,
  ask_cancel: (escrow, _party, now) =>
    escrow.status === 'ACTIVE' || (allows('dispute', escrow.status) && openProposal(escrow, now) === null),
  dispatch: (escrow) => allows('delivery-note', escrow.status) && !coversOrder(escrow.terms.items, escrow.deliveries),
  dispute: ({ status }) => allows('dispute', status),
  evidence: ({ status }) => allows('add-evidence', status),
  propose: (escrow, _party, now) => allows('negotiate', escrow.status) && openProposal(escrow, now) === null,
  answer: (escrow, party, now) => {
    const open = openProposal(escrow, now);
    return open !== null && open.proposer !== party && allows('accept-negotiation', escrow.status);
  },
};

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

/** The most that a proposal can give to the seller; the fees stay. */
export function mostForSeller(escrow: Escrow): bigint {
  const { systemFeeCents, serviceFeeCents } = remainingShares(escrow);
  return escrow.heldCents - systemFeeCents - serviceFeeCents;
}

/** Whether a cancellation needs the seller's consent, because something was sent or received. */
export function isCancelledByConsent({ status }: Escrow): boolean {
  return status !== 'ACTIVE';
}

export type Deed = {
  readonly act: OrderAct;
  readonly party: Party;
  readonly commandId: CommandId;
  readonly form: URLSearchParams;
  readonly now: Date;
};

/** Carries out an act, once per command id. Throws the refusals of its command, and `validation_failed`. */
export async function carryOut(
  dependencies: Pick<ApiDependencies, 'orm' | 'commands'>,
  escrow: CommandSubject,
  { act, party, commandId, form, now }: Deed,
  settings: OrderPageSettings,
): Promise<void> {
  if (!maySee(act, party, settings)) throw new Refusal('wrong_state', 'the page does not offer this');
  const { state } = escrow;
  const notes = textOf(form, 'note');
  const nobody = { adminId: null, apiKeyId: null };
  switch (act) {
    case 'confirm_receipt':
      await sendEscrowCommand(
        dependencies,
        escrow,
        'goods-received',
        { commandId, items: countedItems(state, form) },
        { notes },
      );
      return;
    case 'dispatch':
      await sendEscrowCommand(
        dependencies,
        escrow,
        'delivery-note',
        { commandId, items: countedItems(state, form) },
        { notes },
      );
      return;
    case 'release':
      await sendEscrowCommand(dependencies, escrow, 'release', { commandId, ...nobody });
      return;
    case 'extend':
      await sendEscrowCommand(dependencies, escrow, 'extend-auto-release', {
        commandId,
        hours: wholeOf(form, 'hours'),
      });
      return;
    case 'ask_cancel': {
      const reason = required(textOf(form, 'reason'));
      if (isCancelledByConsent(state))
        await sendEscrowCommand(
          dependencies,
          escrow,
          'negotiate',
          { commandId, actor: party, plan: planOf(NO_SHARES) },
          { notes: reason },
        );
      else await sendEscrowCommand(dependencies, escrow, 'cancel', { commandId, actor: party, ...nobody }, { reason });
      return;
    }
    case 'dispute':
      await sendEscrowCommand(
        dependencies,
        escrow,
        'dispute',
        { commandId, actor: party },
        { reason: required(textOf(form, 'reason')) },
      );
      return;
    case 'evidence':
      await sendEscrowCommand(
        dependencies,
        escrow,
        'add-evidence',
        { commandId, actor: party, ...nobody },
        { notes: required(textOf(form, 'reason')) },
      );
      return;
    case 'propose': {
      const sellerPayoutCents = centsOf(form.get('amount') ?? '', state.terms.currency);
      const plan =
        sellerPayoutCents === 0n ? planOf(NO_SHARES) : planOf({ ...remainingShares(state), sellerPayoutCents });
      await sendEscrowCommand(dependencies, escrow, 'negotiate', { commandId, actor: party, plan }, { notes });
      return;
    }
    case 'answer': {
      const open = openProposal(state, now);
      if (open === null || open.negotiationId !== form.get('proposal')) throw new Refusal('wrong_state');
      const answer = { commandId, actor: party, negotiationId: open.negotiationId, milestoneId: null };
      if (form.get('answer') === 'reject') await sendEscrowCommand(dependencies, escrow, 'reject-negotiation', answer);
      else await sendEscrowCommand(dependencies, escrow, 'accept-negotiation', answer);
      return;
    }
    default:
      return assertNever(act);
  }
}

function planOf({ systemFeeCents, serviceFeeCents, sellerPayoutCents }: SplitPlan): SplitPlan {
  return { systemFeeCents, serviceFeeCents, sellerPayoutCents };
}

/** The pieces in the form's fields, at the ordered prices. */
function countedItems({ terms }: Escrow, form: URLSearchParams): readonly CountedItem[] {
  const items = terms.items.flatMap(({ itemId, pricePerUnitCents }) => {
    const typed = (form.get(`pieces-${itemId}`) ?? '').trim();
    if (typed === '' || typed === '0') return [];
    if (!/^\d{1,7}$/.test(typed)) throw new Refusal('validation_failed', 'the number of pieces');
    return [{ itemId, quantity: Number(typed), pricePerItemCents: pricePerUnitCents }];
  });
  if (items.length === 0) throw new Refusal('validation_failed', 'no pieces');
  return items;
}

function wholeOf(form: URLSearchParams, name: string): number {
  const typed = (form.get(name) ?? '').trim();
  if (!/^[1-9]\d{0,2}$/.test(typed)) throw new Refusal('validation_failed', name);
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
