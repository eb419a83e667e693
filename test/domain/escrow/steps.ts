import fc from 'fast-check';
import { type EscrowCommand, MESSAGE_TYPES, parseCommand } from '../../../src/domain/escrow/commands.ts';
import { nextDeadline } from '../../../src/domain/escrow/deadlines.ts';
import type { Escrow } from '../../../src/domain/escrow/escrow.ts';
import type { CommandId, ItemId, MilestoneId, NegotiationId, OrderRequestId } from '../../../src/domain/ids.ts';
import { addHours, type Instant } from '../../../src/domain/time.ts';
import { ESCROW_MESSAGE_TEXTS } from '../../../src/workflows/details/message-texts.ts';
import { must, plan } from './build.ts';

/**
 * The steps that fast-check generates for an escrow. Numbers select among existing objects, so that a sequence stays
 * meaningful when it is shortened. Some choices name missing objects or excessive amounts.
 */

export type Party = 'BUYER' | 'SELLER';

export type Beginning = {
  readonly totalCents: bigint;
  readonly feePayer: Party;
  readonly systemFeeBasisPoints: number;
  readonly serviceFeeBasisPoints: number;
  /** Hundredths of a percent that sum to 10,000; empty: no milestones. */
  readonly weights: readonly number[];
  /** Tenths of the total that the seller gets; null: the company's fees decide. */
  readonly explicitTenths: number | null;
  readonly autoReleaseHours: number | null;
  readonly isAwaited: boolean;
};

export type Step = {
  readonly do: Doing;
  readonly actor: Party;
  /** Chooses an item, a milestone or a proposal. */
  readonly pick: number;
  /** Tenths of the held amount that the seller would get; 11 and 12 are too much. */
  readonly tenths: number;
  /** Hundredths of the held amount that each fee would get. */
  readonly fees: readonly [number, number];
  readonly hours: number;
};

/** `wait` advances the time; `deadline` advances it to the next deadline, which then takes effect. */
export type Doing = EscrowCommand['type'] | 'wait' | 'deadline';

const weights = fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }).map((dice) => {
  const sum = dice.reduce((total, die) => total + die, 0);
  const floors = dice.map((die) => (sum === 0 ? 0 : Math.floor((die * 10_000) / sum)));
  const rest = 10_000 - floors.reduce((total, floor) => total + floor, 0);
  return floors.map((floor, index) => (index === floors.length - 1 ? floor + rest : floor));
});

const basisPoints = fc.constantFrom(0, 1, 100, 250, 3_333, 5_000);

export const beginning: fc.Arbitrary<Beginning> = fc.record({
  totalCents: fc.oneof(
    { weight: 2, arbitrary: fc.bigInt(1n, 120n) },
    { weight: 6, arbitrary: fc.bigInt(1n, 1_000_000n) },
    { weight: 1, arbitrary: fc.bigInt(1n, 4_000_000_000_000_000_000n) },
  ),
  feePayer: fc.constantFrom<Party>('BUYER', 'SELLER'),
  systemFeeBasisPoints: basisPoints,
  serviceFeeBasisPoints: basisPoints,
  weights: fc.oneof(fc.constant([]), weights),
  explicitTenths: fc.oneof(fc.constant(null), fc.nat(10)),
  autoReleaseHours: fc.constantFrom(null, 1, 48),
  isAwaited: fc.nat(9).map((die) => die === 0),
});

/** Steps of these kinds; a kind that is listed twice is twice as frequent. */
export function stepOf(kinds: readonly Doing[]): fc.Arbitrary<Step> {
  return fc.record({
    do: fc.constantFrom(...kinds),
    actor: fc.constantFrom<Party>('BUYER', 'SELLER'),
    pick: fc.nat(60),
    tenths: fc.nat(12),
    fees: fc.tuple(fc.nat(9), fc.nat(9)),
    hours: fc.constantFrom(1, 12, 47, 100, 168, 720),
  });
}

/** Each of `kinds`, repeated `times` times. */
export function often(times: number, ...kinds: readonly Doing[]): Doing[] {
  return Array.from({ length: times }, () => kinds).flat();
}

/** The steps of the parties, the company and its administrators. Final steps are rare, so that lives are long. */
export const ACTS: readonly Doing[] = [
  ...often(6, 'delivery-note', 'goods-received', 'negotiate', 'adjust-milestone', 'accept-negotiation'),
  ...often(4, 'release-milestone', 'reject-negotiation', 'extend-auto-release', 'add-evidence'),
  ...MESSAGE_TYPES,
  'dispute',
];

/** The command that `step` stands for, with ids of the state if it has any. Null if only time passes. */
export function commandOf(step: Step, state: Escrow, commandId: CommandId, now: Instant): EscrowCommand | null {
  const { actor, hours } = step;
  const base = { commandId };
  const milestoneId = chosen(state.milestones, step.pick)?.milestoneId ?? (NOBODY as MilestoneId);
  switch (step.do) {
    case 'wait':
    case 'initiate':
      return null;
    case 'deadline':
      return dueCommand(step, state, commandId, now);
    case 'delivery-note':
    case 'goods-received':
      return { ...base, type: step.do, items: [counted(step, state)] };
    case 'fund':
      return { ...base, type: 'fund', depositTransactionId: null };
    case 'negotiate':
      return { ...base, type: 'negotiate', actor, plan: planOf(step, state.heldCents) };
    case 'admin-resolve':
      return { ...base, type: 'admin-resolve', plan: planOf(step, state.heldCents), adminId: ADMIN, apiKeyId: null };
    case 'release-milestone':
      return { ...base, type: 'release-milestone', milestoneId, ...NOBODY_NAMED };
    case 'adjust-milestone': {
      const { sellerPayoutCents = 0n, buyerRefundCents = 0n } = chosen(state.milestones, step.pick)?.shares ?? {};
      const payout = ((sellerPayoutCents + buyerRefundCents) * BigInt(step.tenths)) / 10n;
      return { ...base, type: 'adjust-milestone', actor, milestoneId, sellerPayoutCents: payout };
    }
    case 'accept-negotiation':
    case 'reject-negotiation':
      return { ...base, type: step.do, actor, ...targetOf(step, state) };
    case 'lapse-negotiation':
      return { ...base, type: 'lapse-negotiation', negotiationId: targetOf(step, state).negotiationId };
    case 'extend-auto-release':
      return { ...base, type: 'extend-auto-release', hours };
    case 'lapse-stop':
      return { ...base, type: step.do, requestId: stoppedBy(step, state) };
    case 'stop-auto-release':
      return { ...base, type: step.do, requestId: commandId as string as OrderRequestId, hours };
    case 'resume-auto-release':
      return { ...base, type: step.do, requestId: stoppedBy(step, state) };
    case 'note-chargeback':
      return { ...base, type: step.do, change: 'charged_back', amountCents: 1n, transactionId: 'taken-back' as never };
    case 'block-release':
      return { ...base, type: 'block-release', reason: 'user_blacklisted' };
    case 'cancel': {
      const isAdmin = step.pick % 3 === 0;
      const orderedBy = { adminId: isAdmin ? ADMIN : null, apiKeyId: null };
      return { ...base, type: 'cancel', actor: isAdmin ? 'ADMIN' : actor, ...orderedBy };
    }
    case 'release':
      return { ...base, type: 'release', ...NOBODY_NAMED };
    case 'auto-release':
      return { ...base, type: 'auto-release' };
    default:
      return parseCommand(step.do, commandId, { ...JSON.parse(ESCROW_MESSAGE_TEXTS[step.do].sample), actor }) ?? null;
  }
}

/** The instant at which `step` happens. */
export function timeOf(step: Step, state: Escrow, now: Instant): Instant {
  const due = step.do === 'deadline' ? nextDeadline(state)?.at : undefined;
  if (due !== undefined) return due > now ? due : now;
  return step.do === 'wait' ? addHours(now, step.hours) : new Date(Date.parse(now) + 1).toISOString();
}

const NOBODY = '01900000-0000-7000-8000-0000000000ff';
const ADMIN = 'admin' as never; // tests name things as they like
const NOBODY_NAMED = { adminId: null, apiKeyId: null };

/** Steps of time. Every fourth automatic release is blocked. */
function dueCommand(step: Step, state: Escrow, commandId: CommandId, now: Instant): EscrowCommand | null {
  const deadline = nextDeadline(state);
  if (deadline === null || deadline.at > now) return null;
  const command = deadline.command(commandId);
  const isBlocked = command.type === 'auto-release' && step.pick % 4 === 0;
  return isBlocked ? { type: 'block-release', commandId, reason: 'user_blacklisted' } : command;
}

/** One of the requests that stop the release. */
function stoppedBy({ pick }: Step, { stopped }: Escrow): OrderRequestId {
  return chosen(stopped?.by ?? [], pick)?.requestId ?? (NOBODY as OrderRequestId);
}

function planOf({ tenths, fees }: Step, heldCents: bigint) {
  return plan(
    (heldCents * BigInt(fees[0])) / 100n,
    (heldCents * BigInt(fees[1])) / 100n,
    (heldCents * BigInt(tenths)) / 10n,
  );
}

function counted({ pick, tenths }: Step, { terms }: Escrow) {
  const item = must(chosen(terms.items, pick));
  const isUnknown = pick % 10 === 9;
  return {
    itemId: isUnknown ? (NOBODY as ItemId) : item.itemId,
    quantity: tenths % (item.quantity + 2) || 1,
    pricePerItemCents: tenths === 7 ? 1n : item.pricePerUnitCents,
  };
}

/** A proposal, usually an open one; sometimes a missing one, or one of another target. */
function targetOf({ pick }: Step, { negotiations }: Escrow) {
  const open = negotiations.filter(({ status }) => status === 'PENDING');
  const found = chosen(pick % 3 === 0 || open.length === 0 ? negotiations : open, pick);
  const isMistaken = found === undefined || pick % 20 === 19;
  return {
    negotiationId: isMistaken ? (NOBODY as NegotiationId) : found.negotiationId,
    milestoneId: found?.milestoneId ?? null,
  };
}

function chosen<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}
