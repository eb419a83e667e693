import { isDeepStrictEqual } from 'node:util';
import {
  allows,
  type CommandOf,
  ESCROW_COMMANDS,
  type EscrowCommand,
  type EscrowEvent,
} from '../../../src/domain/escrow/commands.ts';
import { decide } from '../../../src/domain/escrow/decide.ts';
import { type Escrow, type EscrowState, isFinal, MAX_CLOSED_NEGOTIATIONS } from '../../../src/domain/escrow/escrow.ts';
import { evolve } from '../../../src/domain/escrow/evolve.ts';
import { addShares, heldCentsOf, NO_SHARES, type Shares, sharesOf } from '../../../src/domain/escrow/shares.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';
import { fromWire, toWire } from '../../../src/domain/messages/wire.ts';
import type { Instant } from '../../../src/domain/time.ts';
import { feesOf, must, mustHold, START, TERMS } from './build.ts';
import type { Beginning } from './steps.ts';

/** The buyer's balance before the escrow begins: more than any escrow needs. */
const BUYER_CENTS = 9_200_000_000_000_000_000n;

export function initiateOf(from: Beginning, commandId: string): CommandOf<'initiate'> {
  const { totalCents, explicitTenths, weights } = from;
  const payout = explicitTenths === null ? 0n : (totalCents * BigInt(explicitTenths)) / 10n;
  const systemFeeCents = (totalCents - payout) / 3n;
  return {
    type: 'initiate',
    commandId: commandId as never, // tests name things as they like
    terms: {
      ...TERMS,
      totalCents,
      feePayer: from.feePayer,
      autoReleaseHours: weights.length > 0 ? null : from.autoReleaseHours,
    },
    fees: feesOf(from.systemFeeBasisPoints, from.serviceFeeBasisPoints),
    splitPlan:
      explicitTenths === null
        ? null
        : { systemFeeCents, serviceFeeCents: totalCents - payout - systemFeeCents, sellerPayoutCents: payout },
    milestones: weights.map((weightHundredths, index) => ({ milestoneId: `m${index}` as never, weightHundredths })),
    funding: from.isAwaited ? 'awaited' : 'now',
  };
}

/**
 * Follows one escrow through any commands, with the money of four accounts. Every decision is checked against
 * the invariants; a violation throws.
 */
export class EscrowModel {
  state: Escrow | null = null;
  now: Instant = START;
  accepted = 0;
  refused = 0;
  readonly #events: string[] = [];
  readonly #balances = new Map<string, bigint>([[TERMS.buyerAccountId, BUYER_CENTS]]);
  #hold = 0n;
  /** What the escrow's history shows: its holds, less its payments and refunds. */
  #historyCents = 0n;
  #isHoldOpen = false;
  #fundedCents = 0n;
  /** The fees of what was due at each payment. */
  #systemFeeCents = 0n;
  #serviceFeeCents = 0n;
  /** The same events, after conversion to the stored form and back. */
  #stored: Escrow | null = null;

  /** Decides, applies and checks. Returns the refusal's code, or null if the command was accepted. */
  tell(command: EscrowCommand): string | null {
    const before = this.state;
    const decision = decide(before, command, this.now);
    const again = decide(before, command, this.now);
    if (decision.kind === 'refused') {
      mustHold(again.kind === 'refused' && again.code === decision.code, 'the same command is refused the same');
      this.refused += 1;
      return decision.code;
    }
    mustHold(isDeepStrictEqual(decision, again), 'the same command is decided the same');
    const after = freeze(evolve(before, decision.event));
    this.accepted += 1;
    this.#fundedCents += fundedBy(decision.event);
    for (const posting of decision.postings) this.#post(posting);
    this.#events.push(JSON.stringify(toWire(decision.event)));
    this.#stored = evolve(this.#stored, fromWire<EscrowEvent>(JSON.parse(must(this.#events.at(-1)))));
    this.state = after;
    checkTransition(command, before, after);
    if (before !== null) {
      checkPlans(command, before, after);
      const { systemFeeCents, serviceFeeCents } = paymentOf(command, before);
      this.#systemFeeCents += systemFeeCents;
      this.#serviceFeeCents += serviceFeeCents;
    }
    mustHold(isDeepStrictEqual(this.#stored, after), 'stored events make the same state');
    this.#checkMoney(after);
    checkMilestones(after);
    checkBounds(after);
    return null;
  }

  /** Folds the whole history again from its start. */
  checkHistory(): void {
    const events = this.#events.map((event) => fromWire<EscrowEvent>(JSON.parse(event)));
    const folded = events.reduce<EscrowState>(evolve, null);
    mustHold(isDeepStrictEqual(folded, this.state), 'the history makes the state');
    mustHold(this.state === null || this.state.seq === events.length, 'seq counts the events');
    for (const [account, cents] of this.#balances) mustHold(cents >= 0n, `${account} is not overdrawn`);
  }

  #post({ type, amountCents: shown, legs, holds }: Posting): void {
    this.#historyCents += type === 'ESCROW_HOLD' ? shown : -shown;
    mustHold(legs.reduce((sum, { amountCents }) => sum + amountCents, 0n) === 0n, 'a posting balances');
    for (const change of holds) {
      mustHold(this.#isHoldOpen === (change.kind !== 'place'), 'a hold is placed once, and used while it is open');
      if (change.kind === 'place') this.#hold += change.amountCents;
      else if (change.kind === 'void') this.#hold = 0n;
      else this.#hold -= change.amountCents;
      this.#isHoldOpen = change.kind !== 'void';
      mustHold(change.accountId === TERMS.buyerAccountId && this.#hold >= 0n, "the hold is the buyer's, and covers it");
    }
    for (const { accountId, amountCents } of legs)
      this.#balances.set(accountId, (this.#balances.get(accountId) ?? 0n) + amountCents);
  }

  #checkMoney({ heldCents, releasedCents, refundedCents, feesCents }: Escrow): void {
    const balance = (account: string) => this.#balances.get(account) ?? 0n;
    mustHold(heldCents >= 0n && releasedCents >= 0n && refundedCents >= 0n && feesCents >= 0n, 'nothing is negative');
    mustHold(
      this.#fundedCents === releasedCents + refundedCents + feesCents + heldCents,
      'funded is released, refunded, fees and held',
    );
    mustHold(this.#hold === heldCents, 'the ledger holds what the escrow holds');
    mustHold(this.#historyCents === heldCents, 'holds less payments and refunds are what is held');
    mustHold(this.#isHoldOpen === heldCents > 0n, 'a hold is closed when nothing is left of it');
    mustHold(balance(TERMS.sellerAccountId) === releasedCents, 'the seller has what was released');
    mustHold(balance(TERMS.systemFeeAccountId) === this.#systemFeeCents, "the platform has the system's fees");
    mustHold(balance(TERMS.serviceFeeAccountId) === this.#serviceFeeCents, "the company has the service's fees");
    mustHold(this.#systemFeeCents + this.#serviceFeeCents === feesCents, 'the fees are what was taken as fees');
    mustHold(
      balance(TERMS.buyerAccountId) === BUYER_CENTS - releasedCents - feesCents,
      'the buyer has the rest, with every refund',
    );
  }
}

function fundedBy(event: EscrowEvent): bigint {
  return event.type === 'INITIATED' || event.type === 'FUNDED' ? event.heldCents : 0n;
}

/** Every accepted command is allowed by the transition table and leads to the status in the table. */
function checkTransition(command: EscrowCommand, before: Escrow | null, after: Escrow): void {
  const { type } = command;
  if (before === null) {
    const isFunded = command.type === 'initiate' && command.funding === 'now';
    mustHold(command.type === 'initiate', 'an escrow begins by initiate');
    mustHold(after.status === (isFunded ? 'ACTIVE' : 'PENDING'), 'it begins where it should');
    return;
  }
  mustHold(allows(type, before.status), `${type} is not allowed from ${before.status}`);
  if (type !== 'note-chargeback') mustHold(!isFinal(before.status), 'nothing leaves a final status');
  const isLastMilestone = type === 'release-milestone' && after.milestones.every(({ status }) => status !== 'PENDING');
  const stays = isSettlement(command, before) ? 'RESOLVED' : before.status;
  const expected = isLastMilestone ? 'COMPLETED' : (ESCROW_COMMANDS[type].to ?? stays);
  mustHold(after.status === expected, `${type} leads from ${before.status} to ${expected}, not to ${after.status}`);
  if (type === 'cancel' && before.status === 'DISPUTED')
    mustHold(command.actor === 'ADMIN', 'only an administrator cancels a disputed escrow');
}

/** An accepted proposal in a dispute is paid at once. */
function isSettlement({ type }: EscrowCommand, { status }: Escrow): boolean {
  return type === 'accept-negotiation' && status === 'DISPUTED';
}

/** The due amounts follow the agreement, and payments follow the due or decided amounts. Nothing else moves money. */
function checkPlans(command: EscrowCommand, before: Escrow, after: Escrow): void {
  const paid = {
    sellerPayoutCents: after.releasedCents - before.releasedCents,
    feesCents: after.feesCents - before.feesCents,
    buyerRefundCents: after.refundedCents - before.refundedCents,
  };
  const { buyerRefundCents, sellerPayoutCents, ...fees } = paymentOf(command, before);
  const feesCents = fees.systemFeeCents + fees.serviceFeeCents;
  mustHold(
    isDeepStrictEqual(paid, { sellerPayoutCents, feesCents, buyerRefundCents }),
    `${command.type} pays what is due`,
  );
  if (command.type !== 'accept-negotiation') return;
  const { proposer, plan } = must(before.negotiations.find((one) => one.negotiationId === command.negotiationId));
  mustHold(proposer !== command.actor, 'nobody accepts what they proposed');
  if (isSettlement(command, before)) return; // what was agreed is what was paid
  const due = dueOf(after, command.milestoneId);
  mustHold(isDeepStrictEqual(due, sharesOf(plan, heldCentsOf(due))), 'what was agreed is what is due');
}

function paymentOf(command: EscrowCommand, before: Escrow): Shares {
  switch (command.type) {
    case 'admin-resolve':
      return sharesOf(command.plan, before.heldCents);
    case 'accept-negotiation': {
      if (!isSettlement(command, before)) return NO_SHARES;
      const agreed = must(before.negotiations.find((one) => one.negotiationId === command.negotiationId));
      return sharesOf(agreed.plan, before.heldCents);
    }
    case 'release':
    case 'auto-release':
      return dueOf(before, null);
    case 'release-milestone':
      return dueOf(before, command.milestoneId);
    case 'cancel':
      return { ...NO_SHARES, buyerRefundCents: before.heldCents };
    default:
      return NO_SHARES;
  }
}

/** The amount due for one milestone, or for the whole remainder. */
function dueOf({ milestones, shares }: Escrow, milestoneId: string | null): Shares {
  if (milestones.length === 0) return shares;
  return milestones
    .filter((one) => (milestoneId === null ? one.status === 'PENDING' : one.milestoneId === milestoneId))
    .reduce((sum, one) => addShares(sum, one.shares), NO_SHARES);
}

function checkMilestones({ milestones, shares, heldCents, status }: Escrow): void {
  if (milestones.length === 0) return;
  const sum = milestones.reduce((total, milestone) => addShares(total, milestone.shares), NO_SHARES);
  mustHold(isDeepStrictEqual(sum, shares), 'the milestones sum to the shares');
  const pending = milestones.filter((milestone) => milestone.status === 'PENDING');
  const pendingCents = pending.reduce((total, milestone) => total + heldCentsOf(milestone.shares), 0n);
  if (status !== 'PENDING') mustHold(pendingCents === heldCents, 'the pending milestones sum to what is held');
  mustHold(pending.length === 0 || !isFinal(status), 'no milestone is pending in the end');
}

/** A long life does not make the state grow. */
function checkBounds({ negotiations, milestones, status, autoReleaseAt, heldCents }: Escrow): void {
  const open = negotiations.filter((negotiation) => negotiation.status === 'PENDING');
  const targets = new Set(open.map(({ milestoneId }) => milestoneId));
  mustHold(open.length === targets.size, 'one proposal is open per target');
  mustHold(open.length <= milestones.length + 1, 'as many are open as there are targets');
  mustHold(negotiations.length - open.length <= MAX_CLOSED_NEGOTIATIONS, 'few closed proposals are kept');
  if (isFinal(status))
    mustHold(open.length === 0 && autoReleaseAt === null && heldCents === 0n, 'nothing is left to do in the end');
}

/** Detects code that mutates a state in place. */
function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
