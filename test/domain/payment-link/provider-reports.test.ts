import { describe, expect, test } from '@jest/globals';
import { decide, depositOf } from '../../../src/domain/payment-link/decide.ts';
import { evolve } from '../../../src/domain/payment-link/evolve.ts';
import type { LinkCommand, LinkStatus, PaymentLink } from '../../../src/domain/payment-link/link.ts';
import { must } from '../escrow/build.ts';
import { create, DAY, LINK_TERMS, postpone, refunded, START, settle, simple, tell } from './build.ts';

/**
 * Two events of providers, buyers or time on one attempt: in each order, each event once or twice, before or after the
 * expiry of the link. A model of a few lines says where the money must be.
 */

const EVENTS = [
  'succeeded',
  'declined',
  'pending',
  'lapsed',
  'mismatched',
  'silence',
  'reject',
  'cancel',
  'expire',
  'refunded',
  'refund refused',
] as const;
type Event = (typeof EVENTS)[number];
const KINDS = ['card', 'mobile money'] as const;
type Kind = (typeof KINDS)[number];

const AMOUNT = LINK_TERMS.amountCents;
const ATTEMPT = 'attempt';

/** Where the money is. `returning`: held for its refund. */
type Money = 'nowhere' | 'escrow' | 'balance' | 'returning' | 'source';
type Outcome = { readonly status: LinkStatus; readonly money: Money };

// The service -------------------------------------------------------------------------------------------------------------

class Service {
  link: PaymentLink;
  #isFunded = false;
  #buyerCents = 0n;
  #heldCents = 0n;
  #keys = new Set<string>();

  constructor(kind: Kind) {
    this.link = tell([create(), simple(kind === 'card' ? 'open-checkout' : 'start-charge', ATTEMPT)]);
  }

  /** A refused command changes nothing. */
  tell(command: LinkCommand, now: string): void {
    const decision = decide(this.link, command, now);
    if (decision.kind === 'refused') return;
    this.link = evolve(this.link, decision.event);
    if (decision.escrowCommand?.type === 'fund') {
      if (this.#isFunded) throw new Error('the escrow was funded twice');
      this.#isFunded = true;
    }
    for (const { key, legs, holds } of decision.postings) {
      if (this.#keys.has(key)) throw new Error(`${key} was posted twice`);
      this.#keys.add(key);
      for (const leg of legs) if (leg.accountId === LINK_TERMS.buyerAccountId) this.#buyerCents += leg.amountCents;
      for (const hold of holds) {
        if (hold.kind === 'place') this.#heldCents += hold.amountCents;
        else if (hold.kind === 'capture') this.#heldCents -= hold.amountCents;
        else this.#heldCents = 0n;
      }
    }
  }

  outcome(): Outcome {
    const balance = `${this.#buyerCents}/${this.#heldCents}`;
    const isReturned = this.#keys.has(`reversal/${depositOf(must(this.link.attempts[0]).attemptId)}`);
    const money = {
      '0/0': isReturned ? 'source' : 'nowhere',
      [`${AMOUNT}/0`]: this.#isFunded ? 'escrow' : 'balance',
      [`${AMOUNT}/${AMOUNT}`]: 'returning',
    }[balance] as Money | undefined; // the three balances that can be
    if (money === undefined) throw new Error(`the buyer has ${balance}`);
    return { status: this.link.status, money };
  }
}

function commandOf(event: Event): LinkCommand {
  switch (event) {
    case 'silence':
      return postpone(ATTEMPT);
    case 'reject':
      return simple('reject');
    case 'cancel':
      return simple('close-with-escrow');
    case 'expire':
      return simple('expire');
    case 'refunded':
      return refunded(ATTEMPT, 'refunded');
    case 'refund refused':
      return refunded(ATTEMPT, 'refused');
    default:
      return settle(ATTEMPT, event);
  }
}

// The model ---------------------------------------------------------------------------------------------------------------

type Model = {
  readonly kind: Kind;
  readonly status: LinkStatus;
  readonly money: Money;
  /** Whether the provider still has to decide. */
  readonly attempt: 'form' | 'at work' | 'over';
  readonly isCancelled: boolean;
  /** The provider did not answer after the link's deadline: it is asked again, and the link waits for the answer. */
  readonly isAskedAgain: boolean;
};

function modelOf(kind: Kind): Model {
  const attempt = kind === 'card' ? 'form' : 'at work';
  return {
    kind,
    status: kind === 'card' ? 'PENDING' : 'PROCESSING',
    money: 'nowhere',
    attempt,
    isCancelled: false,
    isAskedAgain: false,
  };
}

/** `isLate`: after the link's deadline. */
function after(model: Model, event: Event, isLate: boolean): Model {
  const isOpen = model.status === 'PENDING' || model.status === 'PROCESSING';
  const ended: Model = { ...model, attempt: 'over', status: isOpen ? 'PENDING' : model.status };
  switch (event) {
    case 'succeeded':
      if (model.money !== 'nowhere') return model;
      if (isOpen) return { ...model, attempt: 'over', status: 'ACCEPTED', money: 'escrow' };
      return { ...model, attempt: 'over', money: model.isCancelled ? 'returning' : 'balance' };
    case 'declined':
    case 'lapsed':
    case 'mismatched':
      return model.attempt === 'over' ? model : ended;
    case 'pending':
      // A form whose payment was declined may be submitted again.
      return model.kind === 'card' && model.attempt !== 'at work' && model.money === 'nowhere'
        ? { ...model, attempt: 'at work', status: isOpen ? 'PROCESSING' : model.status }
        : model;
    case 'silence':
      return { ...model, isAskedAgain: isLate && model.attempt !== 'over' };
    case 'reject':
      return model.status === 'PENDING' && !isLate ? { ...model, status: 'REJECTED' } : model;
    case 'cancel':
      return isOpen ? { ...model, status: 'REJECTED', isCancelled: true } : model;
    case 'expire':
      return model.status === 'PENDING' && isLate && (model.attempt === 'over' || !model.isAskedAgain)
        ? { ...model, status: 'EXPIRED' }
        : model;
    case 'refunded':
      return model.money === 'returning' ? { ...model, money: 'source' } : model;
    case 'refund refused':
      return model.money === 'returning' ? { ...model, money: 'balance' } : model;
  }
}

// The table ---------------------------------------------------------------------------------------------------------------

const CASES = KINDS.flatMap((kind) =>
  (['in time', 'late'] as const).flatMap((time) =>
    ([1, 2] as const).flatMap((times) =>
      EVENTS.flatMap((first) => EVENTS.map((second) => ({ kind, time, times, first, second }))),
    ),
  ),
);

function run(kind: Kind, isLate: boolean, events: readonly Event[]): { service: Outcome; model: Outcome } {
  const service = new Service(kind);
  let model = modelOf(kind);
  for (const event of events) {
    const now = isLate ? DAY : START;
    service.tell(commandOf(event), now);
    model = after(model, event, isLate);
  }
  return { service: service.outcome(), model: { status: model.status, money: model.money } };
}

describe('two events, each order, once or twice, in time or late', () => {
  test.each(CASES)('$kind, $time: $first × $times, then $second × $times', ({ kind, time, times, first, second }) => {
    const twice = <T>(event: T): T[] => Array.from({ length: times }, () => event);
    const { service, model } = run(kind, time === 'late', [...twice(first), ...twice(second)]);
    expect(service).toEqual(model);
  });

  test('are at least 300 cases', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(300);
  });
});

test('three events in each order leave the money where the model has it', () => {
  for (const kind of KINDS)
    for (const isLate of [false, true])
      for (const first of EVENTS)
        for (const second of EVENTS)
          for (const third of EVENTS) {
            const { service, model } = run(kind, isLate, [first, second, third]);
            expect({ kind, isLate, events: [first, second, third], ...service }).toEqual({
              kind,
              isLate,
              events: [first, second, third],
              ...model,
            });
          }
});

describe('two forms of one link', () => {
  const OUTCOMES = ['succeeded', 'declined', 'pending', 'lapsed', 'mismatched'] as const;
  test.each(OUTCOMES.flatMap((one) => OUTCOMES.map((other) => [one, other] as const)))(
    'the first %s, the second %s: every payment is credited once, and one of them funds the escrow',
    (one, other) => {
      let link = tell([create(), simple('open-checkout', 'one'), simple('open-checkout', 'other')]);
      let credits = 0;
      let fundings = 0;
      for (const command of [settle('one', one), settle('other', other), settle('one', one), settle('other', other)]) {
        const decision = decide(link, command, START);
        if (decision.kind === 'refused') continue;
        credits += decision.postings.length;
        fundings += decision.escrowCommand === null ? 0 : 1;
        link = evolve(link, decision.event);
      }
      const payments = [one, other].filter((outcome) => outcome === 'succeeded').length;
      expect({ credits, fundings }).toEqual({ credits: payments, fundings: Math.min(payments, 1) });
      expect(link.status === 'ACCEPTED').toBe(payments > 0);
    },
  );
});
