import { describe, expect, test } from '@jest/globals';
import type { PaymentChangeKind } from '../../../src/domain/escrow/escrow.ts';
import { decide, depositOf } from '../../../src/domain/payment-link/decide.ts';
import { evolve } from '../../../src/domain/payment-link/evolve.ts';
import {
  type AttemptId,
  type LinkCommand,
  linkNeedsProof,
  MAX_CHANGES,
  type PaymentLink,
} from '../../../src/domain/payment-link/link.ts';
import { must, mustHold } from '../escrow/build.ts';
import { create, LINK_TERMS, START, settle, simple, tell } from './build.ts';

/**
 * What happens to a payment after it succeeded: chargebacks, their reversals and refunds, reported by the gateway or booked by
 * hand, in each order, once or twice, with the money in each place. A model of a few lines computes how much is taken back.
 */

const PAID = LINK_TERMS.amountCents;
const PART = 3_000n;
const ATTEMPT = 'attempt' as AttemptId; // tests name things as they like

const REPORTS = {
  chargeback: ['charged_back', PAID],
  'another chargeback': ['charged_back', PAID],
  'chargeback of a part': ['charged_back', PART],
  'chargeback reversed': ['chargeback_reversed', PAID],
  'part of it reversed': ['chargeback_reversed', PART],
  refund: ['refunded', PAID],
  'refund of a part': ['refunded', PART],
} as const satisfies Record<string, readonly [PaymentChangeKind, bigint]>;
type Report = keyof typeof REPORTS;
/** What the run learns, or a person does. The last two answer the refund that is due. */
type Event = Report | 'by hand' | 'refunded at our request' | 'refund refused';
const REPORT_NAMES = Object.keys(REPORTS) as Report[]; // Object.keys loses the key types
const EVENTS = [...REPORT_NAMES, 'by hand', 'refunded at our request', 'refund refused'] as const;

/** Where the money is when the first event comes. */
const PLACES = ['the escrow', 'the balance', 'on hold for its refund'] as const;
type Place = (typeof PLACES)[number];

// The service -------------------------------------------------------------------------------------------------------------

function paid(place: Place): PaymentLink {
  const opened = tell([create(), simple('open-checkout', ATTEMPT)]);
  switch (place) {
    case 'the escrow':
      return tell([settle(ATTEMPT, 'succeeded')], opened);
    case 'the balance':
      return tell([simple('reject'), settle(ATTEMPT, 'succeeded')], opened);
    case 'on hold for its refund':
      return tell([simple('close-with-escrow'), settle(ATTEMPT, 'succeeded')], opened);
  }
}

let counter = 0;
function commandOf(event: Event): LinkCommand {
  const commandId = `change-${++counter}` as never;
  if (event === 'by hand') return { type: 'take-back', commandId, attemptId: ATTEMPT, isForced: true };
  if (event === 'refunded at our request' || event === 'refund refused') {
    const outcome = event === 'refund refused' ? 'refused' : 'refunded';
    return { type: 'settle-refund', commandId, attemptId: ATTEMPT, outcome };
  }
  const [change, amountCents] = REPORTS[event];
  return { type: 'settle-change', commandId, attemptId: ATTEMPT, changeId: event, change, amountCents };
}

/** The amount that left the account, and the amount that the escrow was told. */
class Service {
  link: PaymentLink;
  goneCents = 0n;
  toldCents = 0n;

  constructor(place: Place) {
    this.link = paid(place);
  }

  /** A refused command changes nothing. */
  tell(event: Event): void {
    const decision = decide(this.link, commandOf(event), START);
    if (decision.kind === 'refused') return;
    mustHold(linkNeedsProof(decision.event) === (event === 'by hand'), 'only what is done by hand needs a proof');
    this.link = evolve(this.link, decision.event);
    const { movement, escrowCommand, postings } = decision;
    if (movement !== null) {
      mustHold(movement.depositId === depositOf(ATTEMPT), 'the movement is of the deposit');
      mustHold(movement.amountCents > 0n, 'a movement moves something');
      this.goneCents += movement.direction === 'take' ? movement.amountCents : -movement.amountCents;
      mustHold(movement.isWhole === (this.goneCents === PAID), 'the whole payment is gone exactly if it says so');
    }
    for (const { legs } of postings)
      for (const { accountId, amountCents } of legs)
        if (accountId === LINK_TERMS.buyerAccountId) this.goneCents -= amountCents;
    if (escrowCommand?.type === 'note-chargeback') {
      const { change, amountCents } = escrowCommand;
      this.toldCents += change === 'chargeback_reversed' ? -amountCents : amountCents;
    }
    mustHold(this.goneCents >= 0n && this.goneCents <= PAID, 'no more than the payment is gone');
    mustHold(must(this.link.attempts[0]).takenBackCents === this.goneCents, 'the link knows what is gone');
  }
}

// The model ---------------------------------------------------------------------------------------------------------------

class Model {
  readonly reports = new Set<Report>();
  /** By hand, and what was reversed before. */
  byHandCents: bigint | null = null;
  isRefunded = false;
  isReturning: boolean;

  constructor(place: Place) {
    this.isReturning = place === 'on hold for its refund';
  }

  private reported(wanted: PaymentChangeKind): bigint {
    return [...this.reports].reduce(
      (sum, report) => sum + (REPORTS[report][0] === wanted ? REPORTS[report][1] : 0n),
      0n,
    );
  }

  get takenCents(): bigint {
    if (this.isRefunded) return PAID;
    const returned = this.reported('chargeback_reversed');
    const chargedBack = this.reported('charged_back') - returned;
    // The company's own booking and the gateway's report concern the same money.
    const left = [
      this.reported('refunded') + (chargedBack > 0n ? chargedBack : 0n),
      this.byHandCents === null ? 0n : PAID + this.byHandCents - returned,
    ].reduce((most, cents) => (cents > most ? cents : most));
    return left > PAID ? PAID : left;
  }

  tell(event: Event): void {
    const isAnswer = event === 'refunded at our request' || event === 'refund refused';
    if (isAnswer) {
      this.isRefunded ||= this.isReturning && event === 'refunded at our request';
      this.isReturning = false;
    } else if (this.isReturning) return;
    else if (event !== 'by hand') this.reports.add(event);
    else if (this.takenCents < PAID) this.byHandCents = this.reported('chargeback_reversed');
  }
}

// The table ---------------------------------------------------------------------------------------------------------------

function run(place: Place, events: readonly Event[]) {
  const [service, model] = [new Service(place), new Model(place)];
  for (const event of events) {
    service.tell(event);
    model.tell(event);
    const isSame = service.goneCents === model.takenCents;
    mustHold(isSame, `after ${events}, ${model.takenCents} are gone, not ${service.goneCents}`);
  }
  const expectedCents = place === 'the escrow' ? model.takenCents : 0n;
  mustHold(service.toldCents === expectedCents, `after ${events}, the escrow knows of ${expectedCents}`);
  return service;
}

const CASES = PLACES.flatMap((place) =>
  ([1, 2] as const).flatMap((times) =>
    EVENTS.flatMap((first) => EVENTS.map((second) => ({ place, times, first, second }))),
  ),
);

describe('two changes of a payment, each order, once or twice', () => {
  test.each(CASES)('$place: $first × $times, then $second × $times', ({ place, times, first, second }) => {
    const again = (event: Event) => Array.from({ length: times }, () => event);
    run(place, [...again(first), ...again(second)]);
  });

  test('are at least 300 cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(300);
  });
});

test('three changes in each order take back as much as the model says', () => {
  for (const place of PLACES)
    for (const first of EVENTS)
      for (const second of EVENTS) for (const third of EVENTS) run(place, [first, second, third, first]);
});

test('a chargeback by hand takes all that is left, whatever was reported before', () => {
  for (const place of ['the escrow', 'the balance'] as const)
    for (const first of REPORT_NAMES)
      for (const second of REPORT_NAMES) expect(run(place, [first, second, 'by hand']).goneCents).toBe(PAID);
});

test('reports lead to the same result in any order', () => {
  for (const place of ['the escrow', 'the balance'] as const)
    for (const one of REPORT_NAMES)
      for (const other of REPORT_NAMES)
        for (const third of REPORT_NAMES) {
          const results = [
            [one, other, third],
            [third, one, other],
            [other, third, one],
            [third, other, one],
          ].map((order) => run(place, order).goneCents);
          expect([one, other, third, new Set(results).size]).toEqual([one, other, third, 1]);
        }
});

test('the gateway is asked for the changes of a card payment once it is recorded, and after its refund was refused', () => {
  const pollAt = ({ attempts: [attempt] }: PaymentLink) => must(attempt).pollAt;
  for (const place of ['the escrow', 'the balance'] as const) expect(pollAt(paid(place))).toBe(START);
  const refused = {
    type: 'settle-refund',
    commandId: 'refused' as never,
    attemptId: ATTEMPT,
    outcome: 'refused',
  } as const;
  expect(pollAt(tell([refused], paid('on hold for its refund')))).toBe(START);
  const answered = { type: 'postpone-poll', commandId: 'answered' as never, attemptId: ATTEMPT } as const;
  expect(pollAt(tell([answered], paid('the escrow')))).toBeNull();
});

test('a payment that never succeeded has no changes', () => {
  const link = tell([create(), simple('open-checkout', ATTEMPT), settle(ATTEMPT, 'declined')]);
  for (const event of EVENTS)
    expect(decide(link, commandOf(event), START)).toMatchObject({ kind: 'refused', code: 'wrong_state' });
});

test('a payment has a limited number of changes', () => {
  const report = (index: number) => ({ ...commandOf('refund of a part'), changeId: `change-${index}` }) as LinkCommand;
  const link = tell(
    Array.from({ length: MAX_CHANGES }, (_, index) => report(index)),
    paid('the escrow'),
  );
  expect(decide(link, report(MAX_CHANGES), START)).toMatchObject({ code: 'too_many_requests' });
});

test('what the company takes back is forced only if the company says so, and what the gateway reports always', () => {
  const byHand = commandOf('by hand') as Extract<LinkCommand, { type: 'take-back' }>; // as it is made
  for (const [command, isForced] of [
    [byHand, true],
    [{ ...byHand, isForced: false }, false],
    [commandOf('chargeback'), true],
  ] as const)
    expect(decide(paid('the escrow'), command, START)).toMatchObject({ movement: { isForced } });
});
