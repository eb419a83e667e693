import { describe, expect, test } from '@jest/globals';
import { decide, expiryOf, nextLinkDeadline } from '../../../src/domain/payment-link/decide.ts';
import {
  ATTEMPT_LIFETIME_HOURS,
  type Attempt,
  LINK_COMMANDS,
  LINK_STATUSES,
  type LinkStatus,
  MAX_ATTEMPTS,
  merchantReferenceOf,
  type PaymentLink,
  shownStatus,
} from '../../../src/domain/payment-link/link.ts';
import { movements, must } from '../escrow/build.ts';
import { answer, create, DAY, hasten, LINK_TERMS, later, postpone, START, settle, simple, tell } from './build.ts';

const open = () => tell([create(), simple('open-checkout', 'card')]);
const charged = () => tell([create(), simple('start-charge', 'mobile')]);

/** A link in each status, by the shortest sequence of commands. */
const IN_STATUS: Record<LinkStatus, () => PaymentLink> = {
  PENDING: () => tell([create()]),
  PROCESSING: charged,
  ACCEPTED: () => tell([create(), simple('pay-from-balance')]),
  REJECTED: () => tell([create(), simple('reject')]),
  EXPIRED: () => tell([create(), [simple('expire'), DAY]]),
};

describe('the transition table', () => {
  const COMMANDS = ['open-checkout', 'start-charge', 'pay-from-balance', 'reject', 'close-with-escrow'] as const;
  test.each(COMMANDS.flatMap((type) => LINK_STATUSES.map((status) => [type, status] as const)))(
    '%s on a link that is %s does what the table says',
    (type, status) => {
      const { from, to } = LINK_COMMANDS[type];
      const link = IN_STATUS[status]();
      const isAllowed = (from as readonly LinkStatus[]).includes(status);
      const refusal = status === 'EXPIRED' ? 'link_expired' : 'wrong_state';
      if (!isAllowed) expect(answer(link, simple(type))).toBe(refusal);
      else expect(tell([simple(type)], link).status).toBe(to ?? status);
    },
  );

  test.each(COMMANDS.slice(0, 4))(
    '%s is refused after the deadline, even before a worker has recorded the expiry',
    (type) => {
      expect(answer(IN_STATUS.PENDING(), simple(type), DAY)).toBe('link_expired');
    },
  );
});

describe('reports of a provider', () => {
  // attempt, report → event, status of the link, status of the attempt
  test.each([
    ['card', 'pending', 'PAYMENT_PENDING', 'PROCESSING', 'pending'],
    ['card', 'declined', 'PAYMENT_DECLINED', 'PENDING', 'declined'],
    ['card', 'lapsed', 'CHECKOUT_LAPSED', 'PENDING', 'lapsed'],
    ['card', 'mismatched', 'PAYMENT_MISMATCHED', 'PENDING', 'declined'],
    ['card', 'succeeded', 'ACCEPTED', 'ACCEPTED', 'succeeded'],
    ['mobile', 'declined', 'PAYMENT_DECLINED', 'PENDING', 'declined'],
    ['mobile', 'succeeded', 'ACCEPTED', 'ACCEPTED', 'succeeded'],
  ] as const)('%s %s: %s, the link is %s and the attempt %s', (attempt, outcome, event, status, attemptStatus) => {
    const link = attempt === 'card' ? open() : charged();
    const command = settle(attempt, outcome);
    expect(answer(link, command)).toBe(event);
    const next = tell([command], link);
    expect(next.status).toBe(status);
    expect(next.attempts.map((one) => one.status)).toEqual([attemptStatus]);
  });

  test('money funds the escrow, booked from the card clearing to the buyer under the attempt’s own key', () => {
    const decision = decide(open(), settle('card', 'succeeded'), START);
    if (decision.kind === 'refused') throw new Error(decision.code);
    expect(decision.escrowCommand).toMatchObject({ type: 'fund', depositTransactionId: 'card', commandId: 'link' });
    expect(decision.postings).toMatchObject([{ transactionId: 'card', key: 'gateway/card', type: 'DEPOSIT' }]);
    expect(movements(decision.postings)).toEqual({
      [LINK_TERMS.clearingAccountIds.card]: -10_000n,
      [LINK_TERMS.buyerAccountId]: 10_000n,
    });
  });

  test.each([
    ['paid from the balance', () => tell([simple('pay-from-balance')], open())],
    ['rejected', () => tell([simple('reject')], open())],
    ['closed with its escrow', () => tell([simple('close-with-escrow')], charged())],
    ['lapsed', () => tell([settle('card', 'lapsed')], open())],
    ['expired', () => tell([settle('card', 'lapsed'), [simple('expire'), DAY]], open())],
    ['declined', () => tell([settle('card', 'declined')], open())],
  ] as const)('money for a link that was %s is the buyer’s all the same, and booked once', (_, before) => {
    const link = before();
    const attempt = must(link.attempts[0]).attemptId;
    const isPayable = link.status === 'PENDING';
    expect(answer(link, settle(attempt, 'succeeded'))).toBe(isPayable ? 'ACCEPTED' : 'LATE_MONEY');
    const paid = tell([settle(attempt, 'succeeded', true)], link);
    expect(paid.status).toBe(link.status);
    expect(answer(paid, settle(attempt, 'succeeded'))).toBe('wrong_state');
  });

  test('money that the escrow refuses leaves a link that can still expire', () => {
    const link = tell([settle('mobile', 'succeeded', true)], charged());
    expect(link.status).toBe('PENDING');
    expect(nextLinkDeadline(link)).toEqual({ kind: 'expire', at: DAY });
  });

  test('money that arrived is the only payment of its link, even if the escrow refused it', () => {
    const link = tell([settle('mobile', 'succeeded', true)], charged());
    expect(answer(link, simple('open-checkout'))).toBe('wrong_state');
    expect(answer(link, simple('start-charge'))).toBe('wrong_state');
    expect(answer(link, simple('pay-from-balance'))).toBe('ACCEPTED');
  });

  test('a repeated report causes no event', () => {
    expect(answer(tell([settle('card', 'pending')], open()), settle('card', 'pending'))).toBe('wrong_state');
    expect(answer(tell([settle('card', 'declined')], open()), settle('card', 'declined'))).toBe('wrong_state');
    expect(answer(tell([settle('card', 'declined')], open()), postpone('card'))).toBe('wrong_state');
    expect(answer(open(), settle('another', 'succeeded'))).toBe('not_found');
  });
});

describe('asking providers', () => {
  const asked = (link: PaymentLink, attempt: string, times: number) => {
    let now = must(link.attempts[0]?.pollAt);
    let next = link;
    const delays: number[] = [];
    for (let index = 0; index < times; index += 1) {
      next = tell([[postpone(attempt), now]], next);
      const at = must(next.attempts[0]?.pollAt);
      delays.push((Date.parse(at) - Date.parse(now)) / 1_000);
      now = at;
    }
    return delays;
  };

  test('an operator is asked at once and often, then after ten minutes, when its prompt ends, and then every hour', () => {
    expect(nextLinkDeadline(charged())).toEqual({ kind: 'poll', at: START, attemptId: 'mobile' });
    expect(asked(charged(), 'mobile', 16)).toEqual([2, 2, 2, 2, 3, 3, 4, 5, 10, 30, 60, 300, 177, 3_600, 3_600, 3_600]);
  });

  test('the gateway is not asked about a form during its lifetime, and at most once a minute after it', () => {
    expect(nextLinkDeadline(open())).toEqual({ kind: 'poll', at: later(35 * 60), attemptId: 'card' });
    expect(asked(open(), 'card', 9)).toEqual([60, 60, 120, 300, 900, 3_600, 3_600, 3_600, 3_600]);
  });

  test('a question that came too soon is asked when the limit allows, and never later than planned', () => {
    const soon = later(40);
    const hastened = tell([[hasten('card', soon), later(10)]], open());
    expect(nextLinkDeadline(hastened)).toEqual({ kind: 'poll', at: soon, attemptId: 'card' });
    expect(answer(hastened, hasten('card', later(50)), later(20))).toBe('wrong_state');
    expect(must(hastened.attempts[0]).polls).toBe(0);
    // It is due, and other questions have used up the limit.
    expect(answer(hastened, hasten('card', later(70)), soon)).toBe('POLL_HASTENED');
  });

  test('the attempt whose check is planned first is checked first', () => {
    const link = tell([create(), simple('open-checkout', 'first'), simple('open-checkout', 'second')]);
    expect(nextLinkDeadline(link)).toMatchObject({ kind: 'poll', attemptId: 'first' });
    const hastened = tell([hasten('second', later(60))], link);
    expect(nextLinkDeadline(hastened)).toEqual({ kind: 'poll', at: later(60), attemptId: 'second' });
  });

  test('a check whose time was not stored is due', () => {
    const link = open();
    const timeless = { ...link, attempts: link.attempts.map(({ pollAt: _, ...attempt }) => attempt as Attempt) };
    expect(nextLinkDeadline(timeless)).toEqual({ kind: 'poll', at: link.updatedAt, attemptId: 'card' });
  });

  test('the gateway is asked once more about a declined form when it reports news', () => {
    const declined = tell([settle('card', 'declined')], open());
    const hastened = tell([[hasten('card', later(40)), later(10)]], declined);
    expect(nextLinkDeadline(hastened)?.at).toBe(later(40));
    const asked = tell([[postpone('card'), later(40)]], hastened);
    expect(nextLinkDeadline(asked)?.kind).toBe('expire');
  });

  test('a payment without a result is given up after a week', () => {
    const week = later(ATTEMPT_LIFETIME_HOURS * 3_600);
    expect(answer(charged(), postpone('mobile'), week)).toBe('CHECKOUT_LAPSED');
    const link = tell([[postpone('mobile'), week]], charged());
    expect(link.status).toBe('PENDING');
    expect(answer(link, simple('expire'), week)).toBe('EXPIRED');
  });

  test('a link has a maximum number of attempts, and keeps all of them', () => {
    const tries = Array.from({ length: MAX_ATTEMPTS }, (_, index) => `try-${index}`);
    const link = tell([create(), ...tries.flatMap((id) => [simple('open-checkout', id), settle(id, 'declined')])]);
    expect(link.attempts).toHaveLength(MAX_ATTEMPTS);
    expect(answer(link, simple('open-checkout'))).toBe('too_many_requests');
    expect(answer(link, simple('start-charge'))).toBe('too_many_requests');
    expect(answer(link, simple('pay-from-balance'))).toBe('ACCEPTED');
    expect(answer(link, settle('try-0', 'succeeded'))).toBe('ACCEPTED');
  });
});

describe('expiry', () => {
  const lateForm = () => tell([create(), [simple('open-checkout', 'card'), later(86_000)]]);

  test('comes at the deadline, and not before', () => {
    const link = IN_STATUS.PENDING();
    expect(expiryOf(link)).toBe(DAY);
    expect(nextLinkDeadline(link)).toEqual({ kind: 'expire', at: DAY });
    expect(answer(link, simple('expire'), later(86_399))).toBe('wrong_state');
    expect(answer(link, simple('expire'), DAY)).toBe('EXPIRED');
  });

  test('waits for the last question about an open form, which is asked first', () => {
    const link = lateForm();
    const lastPoll = later(86_000 + 35 * 60);
    expect(expiryOf(link)).toBe(lastPoll);
    expect(answer(link, simple('expire'), DAY)).toBe('wrong_state');
    expect(nextLinkDeadline(link)).toEqual({ kind: 'poll', at: lastPoll, attemptId: 'card' });
    const lapsed = tell([[settle('card', 'lapsed'), lastPoll]], link);
    expect(nextLinkDeadline(lapsed)).toEqual({ kind: 'expire', at: DAY });
    expect(answer(lapsed, simple('expire'), lastPoll)).toBe('EXPIRED');
  });

  test('does not come because one of two attempts ended', () => {
    const forms = tell([create(), simple('open-checkout', 'first'), simple('open-checkout', 'second')]);
    const paying = tell([settle('first', 'pending')], forms);
    expect(tell([settle('second', 'declined')], paying).status).toBe('PROCESSING');
    expect(tell([settle('first', 'declined')], paying).status).toBe('PENDING');
  });

  test('does not come while a payment is in progress', () => {
    const link = tell([[settle('card', 'pending'), later(86_100)]], lateForm());
    expect(answer(link, simple('expire'), later(90_000))).toBe('wrong_state');
    expect(nextLinkDeadline(link)?.kind).toBe('poll');
  });

  test('a final link has no deadline but open questions', () => {
    expect(nextLinkDeadline(IN_STATUS.REJECTED())).toBeNull();
    expect(nextLinkDeadline(tell([simple('reject')], open()))?.kind).toBe('poll');
  });

  test.each([
    ['PENDING', 'EXPIRED'],
    ['PROCESSING', 'PROCESSING'],
    ['ACCEPTED', 'ACCEPTED'],
  ] as const)('a reader is told that a %s link past its time is %s', (status, shown) => {
    expect(shownStatus({ status, expiresAt: new Date(DAY) }, new Date(DAY))).toBe(shown);
  });
});

test("a merchant reference has the gateway's form, and differs between attempts of one millisecond", () => {
  const [one, other] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];
  expect(merchantReferenceOf(one)).toMatch(/^[A-Za-z0-9]{8,16}$/);
  expect(merchantReferenceOf(one)).not.toBe(merchantReferenceOf(other));
});
