import { expect, test } from '@jest/globals';
import fc, { type GeneratorValue } from 'fast-check';
import { minCents } from '../../../src/domain/money.ts';
import { decide } from '../../../src/domain/payment-link/decide.ts';
import { evolve } from '../../../src/domain/payment-link/evolve.ts';
import type { AttemptId, LinkCommand, PaymentChange } from '../../../src/domain/payment-link/link.ts';
import { must } from '../escrow/build.ts';
import { create, LINK_TERMS, START, settle, simple, tell } from './build.ts';

/**
 * Random histories of one card payment. The world makes refunds, chargebacks and reversals of these chargebacks; the gateway
 * reports them late, repeatedly and in any order; people take the payment back by hand at any time. `npm run
 * chargeback-histories` runs 100,000.
 */

const HISTORIES = Number(process.env.CHARGEBACK_HISTORIES ?? 500);
const PAID = LINK_TERMS.amountCents;
const ATTEMPT = 'attempt' as AttemptId; // tests name things as they like

type Report = PaymentChange & { readonly changeId: string; readonly reverses: string | null };

/** A number from 0 to `most`. */
type UpTo = (most: number) => number;
const upToOf =
  (draw: GeneratorValue): UpTo =>
  (most) =>
    draw(fc.nat, { max: most });

/** What happened at the gateway: together never more than the payment is refunded or charged back at the same time. */
function happenings(upTo: UpTo): readonly Report[] {
  const reports: Report[] = [];
  let goneCents = 0n;
  for (let count = 1 + upTo(6); count > 0; count -= 1) {
    const changeId = `report-${reports.length}`;
    const reversible = reports.filter(
      ({ change, changeId: id }) => change === 'charged_back' && !reports.some(({ reverses }) => reverses === id),
    );
    const chargeback = reversible[upTo(6)];
    if (chargeback !== undefined && upTo(2) === 0) {
      const { amountCents } = chargeback;
      reports.push({ changeId, change: 'chargeback_reversed', amountCents, reverses: chargeback.changeId });
      goneCents -= amountCents;
    } else if (goneCents < PAID) {
      const amountCents =
        upTo(1) === 0 ? PAID - goneCents : minCents(PAID - goneCents, BigInt(1 + upTo(Number(PAID) - 1)));
      const change = upTo(1) === 0 ? 'refunded' : 'charged_back';
      reports.push({ changeId, change, amountCents, reverses: null });
      goneCents += amountCents;
    }
  }
  return reports;
}

/** What is gone at the gateway if these reports are all there is. */
function goneAfter(reports: readonly Report[]): bigint {
  const cents = reports.reduce(
    (sum, { amountCents, reverses }) => sum + (reverses === null ? amountCents : -amountCents),
    0n,
  );
  return minCents(cents, PAID);
}

class Payment {
  link = tell([create(), simple('open-checkout', ATTEMPT), settle(ATTEMPT, 'succeeded')]);
  /** The sum of all movements: the bank's own view of what left. */
  movedCents = 0n;
  toldCents = 0n;

  /** The amount of the movement, negative if money came back; null if the command was refused. */
  send(command: LinkCommand): bigint | null {
    const decision = decide(this.link, command, START);
    if (decision.kind === 'refused') return null;
    this.link = evolve(this.link, decision.event);
    const { movement, escrowCommand } = decision;
    if (escrowCommand?.type === 'note-chargeback')
      this.toldCents +=
        escrowCommand.change === 'chargeback_reversed' ? -escrowCommand.amountCents : escrowCommand.amountCents;
    if (movement === null) return 0n;
    const cents = movement.direction === 'take' ? movement.amountCents : -movement.amountCents;
    this.movedCents += cents;
    return cents;
  }
}

/** Whether every reversal is known with its chargeback. Until then it hides as much of other chargebacks. */
const isComplete = (heard: readonly Report[]) =>
  heard.every(({ reverses }) => reverses === null || heard.some(({ changeId }) => changeId === reverses));

function live(draw: GeneratorValue): void {
  const upTo = upToOf(draw);
  const reports = happenings(upTo);
  const waiting = [...reports, ...reports.filter(() => upTo(3) === 0)];
  const payment = new Payment();
  const heard: Report[] = [];
  let wasByHand = false;
  for (let step = 0; waiting.length > 0 && step < 30; step += 1) {
    const commandId = `step-${step}` as never; // tests name things as they like
    const before = payment.movedCents;
    if (upTo(3) === 0) {
      // By hand means all that is left, and once.
      const moved = payment.send({ type: 'take-back', commandId, attemptId: ATTEMPT, isForced: true });
      expect(moved).toBe(before === PAID ? null : PAID - before);
      wasByHand ||= moved !== null;
    }
    const [report] = waiting.splice(upTo(waiting.length - 1), 1);
    const { changeId, change, amountCents } = must(report);
    const isKnown = heard.some((one) => one.changeId === changeId);
    const reported = { type: 'settle-change', commandId: `${commandId}-report` as never, attemptId: ATTEMPT } as const;
    const moved = payment.send({ ...reported, changeId, change, amountCents });
    expect(moved === null).toBe(isKnown);
    if (!isKnown) heard.push(must(report));
    // A reversal brings back at most its amount, and nothing else brings anything back.
    expect((moved ?? 0n) >= (change === 'chargeback_reversed' ? -amountCents : 0n)).toBe(true);
    const gone = payment.movedCents;
    expect(gone >= 0n && gone <= PAID).toBe(true);
    expect([must(payment.link.attempts[0]).takenBackCents, payment.toldCents]).toEqual([gone, gone]);
    if (!isComplete(heard)) continue;
    expect(gone >= goneAfter(heard)).toBe(true);
    if (!wasByHand) expect(gone).toBe(goneAfter(heard));
  }
}

test(`in ${HISTORIES} histories a card payment is taken back at most once, and never less of it than is gone`, () => {
  fc.assert(fc.property(fc.gen(), live), {
    numRuns: HISTORIES,
    interruptAfterTimeLimit: 500_000,
    markInterruptAsFailure: true,
  });
}, 600_000);
