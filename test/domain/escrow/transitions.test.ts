import { describe, expect, test } from '@jest/globals';
import {
  ESCROW_COMMAND_TYPES,
  ESCROW_COMMANDS,
  type EscrowCommand,
  MESSAGE_TYPES,
  type MessageType,
  parseCommand,
} from '../../../src/domain/escrow/commands.ts';
import { nextDeadline } from '../../../src/domain/escrow/deadlines.ts';
import { decide } from '../../../src/domain/escrow/decide.ts';
import {
  ESCROW_STATUSES,
  type Escrow,
  type EscrowStatus,
  isFinal,
  MAX_RELEASE_STOPS,
} from '../../../src/domain/escrow/escrow.ts';
import type { CommandId, ItemId, MilestoneId, NegotiationId, OrderRequestId } from '../../../src/domain/ids.ts';
import { addHours } from '../../../src/domain/time.ts';
import { ESCROW_MESSAGE_TEXTS } from '../../../src/workflows/details/message-texts.ts';
import { command, initiate, milestones, must, plan, refusal, START, tell } from './build.ts';

const item = (quantity: number) => ({ itemId: 'item' as ItemId, quantity, pricePerItemCents: 1_000n });
const cancel = (actor: 'BUYER' | 'SELLER' | 'ADMIN') => command('cancel', { actor, adminId: null });
const resolve = () => command('admin-resolve', { plan: plan(0n, 0n, 1n), adminId: 'admin' as never });

/** An escrow in each status, by the shortest sequence of commands. */
const IN_STATUS: Record<EscrowStatus, () => Escrow> = {
  PENDING: () => tell([initiate({ funding: 'awaited' })]).state,
  ACTIVE: () => tell([initiate()]).state,
  DELIVERY_NOTED: () => tell([initiate(), command('delivery-note', { items: [item(1)] })]).state,
  GOODS_RECEIVED: () => tell([initiate(), command('goods-received', { items: [item(1)] })]).state,
  DISPUTED: () => tell([initiate(), command('dispute', { actor: 'BUYER' })]).state,
  COMPLETED: () => tell([initiate(), command('release', {})]).state,
  CANCELLED: () => tell([initiate(), cancel('BUYER')]).state,
  RESOLVED: () => tell([initiate(), command('dispute', { actor: 'SELLER' }), resolve()]).state,
};

/** Commands that need a milestone, a proposal or a due time have tests of their own. */
const TARGETED = [
  'initiate',
  'release-milestone',
  'adjust-milestone',
  'accept-negotiation',
  'reject-negotiation',
  'lapse-negotiation',
  'auto-release',
  'extend-auto-release',
  'stop-auto-release',
  'resume-auto-release',
  'lapse-stop',
  'block-release',
] as const satisfies readonly EscrowCommand['type'][];
type Plain = Exclude<EscrowCommand['type'], (typeof TARGETED)[number]>;
const isPlain = (type: EscrowCommand['type']): type is Plain => !TARGETED.some((targeted) => targeted === type);

/** Absent: the message that the Temporal UI offers. */
const PLAIN: { readonly [Type in Plain & MessageType]?: () => EscrowCommand } & {
  readonly [Type in Exclude<Plain, MessageType>]: () => EscrowCommand;
} = {
  fund: () => command('fund', { depositTransactionId: null }),
  'delivery-note': () => command('delivery-note', { items: [item(1)] }),
  'goods-received': () => command('goods-received', { items: [item(1)] }),
  release: () => command('release', {}),
  negotiate: () => command('negotiate', { actor: 'BUYER', plan: plan(0n, 0n, 1n) }),
  cancel: () => cancel('ADMIN'),
  'admin-resolve': resolve,
  'note-chargeback': () =>
    command('note-chargeback', { change: 'charged_back', amountCents: 1n, transactionId: 'taken-back' as never }),
};

describe('the transition table', () => {
  const told = (type: Plain): EscrowCommand => {
    const known = PLAIN[type];
    if (known !== undefined) return known();
    const message = JSON.parse(must(Object.entries(ESCROW_MESSAGE_TEXTS).find(([name]) => name === type))[1].sample);
    return must(parseCommand(must(MESSAGE_TYPES.find((name) => name === type)), 'told' as CommandId, message));
  };
  const cases = ESCROW_COMMAND_TYPES.filter(isPlain).flatMap((type) =>
    ESCROW_STATUSES.map((status) => [type, status] as const),
  );
  test.each(cases)('%s from %s follows the table', (type, status) => {
    const row = ESCROW_COMMANDS[type];
    const from: readonly EscrowStatus[] = row.from;
    const sent = told(type);
    const before = IN_STATUS[status]();
    expect(refusal(before, sent)).toBe(from.includes(status) ? 'accepted' : 'wrong_state');
    if (from.includes(status)) expect(tell([sent], before).state.status).toBe(row.to ?? status);
  });

  test('nothing leaves a final status', () => {
    for (const { from, to } of Object.values(ESCROW_COMMANDS))
      for (const status of from) expect(isFinal(status) && to !== null).toBe(false);
    const before = IN_STATUS.COMPLETED();
    expect(tell([PLAIN['note-chargeback']()], before).state.status).toBe('COMPLETED');
  });

  test('nothing is due in a final status', () => {
    for (const status of ESCROW_STATUSES.filter(isFinal))
      expect(nextDeadline({ ...IN_STATUS[status](), autoReleaseAt: START })).toBeNull();
  });

  test('what does not exist is not found, whatever the status', () => {
    const missing = command('release-milestone', { milestoneId: 'm9' as MilestoneId });
    for (const status of ESCROW_STATUSES) expect(refusal(IN_STATUS[status](), missing)).toBe('not_found');
  });

  test('an administrator divides at most what is held', () => {
    const decision = (sellerPayoutCents: bigint) =>
      command('admin-resolve', { plan: plan(100n, 0n, sellerPayoutCents), adminId: 'admin' as never });
    expect(refusal(IN_STATUS.DISPUTED(), decision(9_900n))).toBe('accepted');
    expect(refusal(IN_STATUS.DISPUTED(), decision(9_901n))).toBe('split_exceeds_held');
  });

  test('only an administrator cancels a disputed escrow', () => {
    expect(refusal(IN_STATUS.DISPUTED(), cancel('BUYER'))).toBe('wrong_state');
    expect(refusal(IN_STATUS.DISPUTED(), cancel('ADMIN'))).toBe('accepted');
  });

  test('chargebacks add up, and reversed ones are taken off', () => {
    const note = (change: 'charged_back' | 'chargeback_reversed', amountCents: bigint) =>
      command('note-chargeback', { change, amountCents, transactionId: 'transaction' as never });
    const charged = tell([note('charged_back', 300n), note('charged_back', 200n)], IN_STATUS.COMPLETED()).state;
    expect(charged.chargedBackCents).toBe(500n);
    expect(tell([note('chargeback_reversed', 200n)], charged).state.chargedBackCents).toBe(300n);
  });

  test('an administrator who is named is checked when the event is written', () => {
    const adminId = 'admin' as never;
    const acts = [
      command('add-evidence', { actor: 'ADMIN', adminId }),
      command('cancel', { actor: 'ADMIN', adminId }),
      resolve(),
    ];
    for (const act of acts)
      expect(decide(IN_STATUS.DISPUTED(), act, START)).toMatchObject({
        checks: [{ kind: 'may_resolve_disputes', adminId }],
      });
    expect(decide(IN_STATUS.DISPUTED(), cancel('ADMIN'), START)).toMatchObject({ checks: [] });
  });

  test('after the first released milestone the buyer alone cannot cancel the rest', () => {
    const begun = tell([initiate({ milestones: milestones(50, 50) })]).state;
    expect(refusal(begun, cancel('BUYER'))).toBe('accepted');
    const paid = tell([command('release-milestone', { milestoneId: 'm1' as MilestoneId })], begun).state;
    expect(refusal(paid, cancel('BUYER'))).toBe('wrong_state');
    for (const actor of ['SELLER', 'ADMIN'] as const) expect(refusal(paid, cancel(actor))).toBe('accepted');
  });

  test('items must have been ordered, in that quantity, counted over all lines', () => {
    const active = IN_STATUS.ACTIVE();
    const note = (...items: ReturnType<typeof item>[]) => command('delivery-note', { items });
    expect(refusal(active, note(item(2), item(1)))).toBe('accepted');
    expect(refusal(active, note(item(2), item(2)))).toBe('quantity_exceeds_order');
    expect(refusal(active, note({ ...item(1), itemId: 'other' as ItemId }))).toBe('unknown_item');
  });

  test('a receipt names the prices of the order; a note may name others; both say whether they are partial', () => {
    const active = IN_STATUS.ACTIVE();
    const other = { ...item(3), pricePerItemCents: 999n };
    expect(refusal(active, command('goods-received', { items: [other] }))).toBe('price_mismatch');
    expect(refusal(active, command('delivery-note', { items: [other] }))).toBe('accepted');
    for (const [quantity, isPartial] of [
      [2, true],
      [3, false],
    ] as const)
      expect(decide(active, command('goods-received', { items: [item(quantity)] }), START)).toMatchObject({
        event: { isPartial },
      });
  });
});

describe('negotiation', () => {
  const answer = (state: Escrow, actor: 'BUYER' | 'SELLER', negotiationId?: string) =>
    ({
      actor,
      milestoneId: null,
      negotiationId: (negotiationId ?? state.negotiations.at(-1)?.negotiationId) as NegotiationId,
    }) as const;
  const proposed = () =>
    tell([command('negotiate', { actor: 'BUYER', plan: plan(0n, 0n, 5_000n) })], IN_STATUS.ACTIVE()).state;

  test('is answered by the party that did not propose; the proposer may withdraw', () => {
    const state = proposed();
    expect(refusal(state, command('accept-negotiation', answer(state, 'BUYER')))).toBe('own_proposal');
    expect(refusal(state, command('accept-negotiation', answer(state, 'SELLER')))).toBe('accepted');
    expect(refusal(state, command('reject-negotiation', answer(state, 'BUYER')))).toBe('accepted');
  });

  test('is one at a time, may not exceed the held amount, and is closed once', () => {
    const state = proposed();
    expect(refusal(state, command('negotiate', { actor: 'SELLER', plan: plan(0n, 0n, 1n) }))).toBe(
      'negotiation_pending',
    );
    for (const [feeCents, answered] of [
      [0n, 'accepted'],
      [1n, 'split_exceeds_held'],
    ] as const)
      expect(
        refusal(IN_STATUS.ACTIVE(), command('negotiate', { actor: 'SELLER', plan: plan(feeCents, 0n, 10_000n) })),
      ).toBe(answered);
    const closed = tell([command('reject-negotiation', answer(state, 'SELLER'))], state).state;
    expect(refusal(closed, command('accept-negotiation', answer(state, 'SELLER')))).toBe('wrong_state');
    expect(refusal(closed, command('accept-negotiation', answer(state, 'SELLER', 'unknown')))).toBe('not_found');
  });

  test('can be open about the escrow and about each milestone at once, and each is answered by itself', () => {
    const begun = tell([initiate({ milestones: milestones(50, 50) })]).state;
    const [one, two] = begun.milestones.map(({ milestoneId }) => milestoneId);
    const adjust = (milestoneId = must(one)) =>
      command('adjust-milestone', { actor: 'BUYER', milestoneId, sellerPayoutCents: 1n });
    const whole = command('negotiate', { actor: 'BUYER', plan: plan(0n, 0n, 1n) });
    const state = tell([whole, adjust(), adjust(must(two))], begun).state;
    expect(state.negotiations.map(({ status }) => status)).toEqual(['PENDING', 'PENDING', 'PENDING']);
    for (const again of [whole, adjust(), adjust(must(two))]) expect(refusal(state, again)).toBe('negotiation_pending');
    const { negotiationId, milestoneId } = must(state.negotiations.find((open) => open.milestoneId === null));
    const elsewhere = command('accept-negotiation', { actor: 'SELLER', negotiationId, milestoneId: must(one) });
    expect(refusal(state, elsewhere)).toBe('not_found');
    const accepted = tell(
      [command('accept-negotiation', { actor: 'SELLER', negotiationId, milestoneId })],
      state,
    ).state;
    expect(accepted.negotiations.map(({ status }) => status)).toEqual(['ACCEPTED', 'PENDING', 'PENDING']);
  });

  test('lapses after seven days, timer or not, by a dispute, and with the escrow', () => {
    const state = proposed();
    const week = addHours(START, 168);
    const negotiationId = must(state.negotiations[0]?.negotiationId);
    expect(refusal(state, command('accept-negotiation', answer(state, 'SELLER')), week)).toBe('wrong_state');
    expect(refusal(state, command('lapse-negotiation', { negotiationId }))).toBe('wrong_state');
    expect(tell([command('lapse-negotiation', { negotiationId })], state, week).state.negotiations[0]?.status).toBe(
      'LAPSED',
    );
    for (const end of [command('dispute', { actor: 'SELLER' }), command('release', {}), cancel('SELLER')])
      expect(tell([end], state).state.negotiations[0]?.status).toBe('LAPSED');
  });

  test('replaces an expired one, even before its timer fired', () => {
    const week = addHours(START, 168);
    const again = command('negotiate', { actor: 'SELLER', plan: plan(0n, 0n, 1n) });
    const { negotiations } = tell([again], proposed(), week).state;
    expect(negotiations.map(({ status }) => status)).toEqual(['LAPSED', 'PENDING']);
  });

  test('of a milestone made before a new plan was accepted takes over the fees of that plan', () => {
    const begun = tell([initiate({ milestones: milestones(50, 50) })]).state;
    const milestoneId = 'm1' as MilestoneId;
    const stale = command('adjust-milestone', { actor: 'SELLER', milestoneId, sellerPayoutCents: 3_000n });
    const planned = tell([stale, command('negotiate', { actor: 'SELLER', plan: plan(0n, 400n, 9_000n) })], begun).state;
    const [first, second] = planned.negotiations.map(({ negotiationId }) => negotiationId);
    const accept = (negotiationId = must(first), milestone: MilestoneId | null = milestoneId) =>
      command('accept-negotiation', { actor: 'BUYER', negotiationId, milestoneId: milestone });
    const agreed = tell([accept(second, null)], planned).state;
    expect(agreed.negotiations[0]?.plan).toEqual(plan(0n, 200n, 3_000n));
    const { milestones: after } = tell([accept()], agreed).state;
    expect(after[0]?.shares).toEqual({ ...plan(0n, 200n, 3_000n), buyerRefundCents: 1_800n });
  });

  test('of a milestone lapses with the milestone, and is checked again when it is accepted', () => {
    const begun = tell([initiate({ milestones: milestones(50, 50) })]).state;
    const milestoneId = 'm1' as MilestoneId;
    const state = tell(
      [command('adjust-milestone', { actor: 'SELLER', milestoneId, sellerPayoutCents: 100n })],
      begun,
    ).state;
    const released = tell([command('release-milestone', { milestoneId })], state).state;
    expect(released.negotiations[0]?.status).toBe('LAPSED');
    expect(
      refusal(begun, command('adjust-milestone', { actor: 'SELLER', milestoneId, sellerPayoutCents: 4_951n })),
    ).toBe('split_exceeds_held');
    expect(refusal(released, command('release-milestone', { milestoneId }))).toBe('wrong_state');
    expect(refusal(released, command('release-milestone', { milestoneId: 'm9' as MilestoneId }))).toBe('not_found');
  });
});

describe('automatic release', () => {
  const begun = () => tell([initiate({ terms: { autoReleaseHours: 48 } })]).state;
  const noted = () => tell([command('delivery-note', { items: [item(3)] })], begun()).state;
  const received = (quantity: number) => command('goods-received', { items: [item(quantity)] });
  const note = (quantity: number) => command('delivery-note', { items: [item(quantity)] });

  test('begins when delivery notes or receipts together cover the order', () => {
    const releaseAt = (...commands: Parameters<typeof tell>[0]) => tell(commands, begun()).state.autoReleaseAt;
    const due = addHours(START, 48);
    expect([releaseAt(note(1)), releaseAt(note(1), note(2)), releaseAt(note(3))]).toEqual([null, due, due]);
    expect([releaseAt(received(1)), releaseAt(received(1), received(2))]).toEqual([null, due]);
  });

  test('is stopped by a receipt that leaves pieces missing, until notes cover these, or a receipt completes the order', () => {
    const missing = tell([received(1)], noted()).state;
    expect(missing).toMatchObject({ status: 'GOODS_RECEIVED', autoReleaseAt: null });
    expect(refusal(missing, command('auto-release', {}), addHours(START, 72))).toBe('wrong_state');
    const afterMissing = (...commands: Parameters<typeof tell>[0]) => tell(commands, missing).state.autoReleaseAt;
    const due = addHours(START, 48);
    expect([
      afterMissing(note(1)),
      afterMissing(note(2)),
      afterMissing(note(1), note(1)),
      afterMissing(received(2)),
    ]).toEqual([null, due, due, due]);
    expect(afterMissing(note(1), received(1), note(1))).toBe(due);
    expect(afterMissing(note(2), received(1))).toBeNull();
  });

  test('receipts add up to at most the order; delivery notes may be sent again', () => {
    const missing = tell([received(1)], noted()).state;
    expect(refusal(missing, received(3))).toBe('quantity_exceeds_order');
    expect(refusal(missing, received(2))).toBe('accepted');
    expect(refusal(noted(), note(3))).toBe('accepted');
  });

  test('counts from the last note or receipt, and is due then and not before', () => {
    expect(begun().autoReleaseAt).toBeNull();
    const state = noted();
    expect(state.autoReleaseAt).toBe(addHours(START, 48));
    const later = tell([received(3)], state, addHours(START, 10)).state;
    expect(later.autoReleaseAt).toBe(addHours(START, 58));
    expect(refusal(later, command('auto-release', {}), addHours(START, 57))).toBe('wrong_state');
    expect(tell([command('auto-release', {})], later, addHours(START, 58)).state.status).toBe('COMPLETED');
  });

  test('is stopped by a dispute, postponed once by the buyer, and tried again a day after it was blocked', () => {
    const state = noted();
    expect(tell([command('dispute', { actor: 'BUYER' })], state).state.autoReleaseAt).toBeNull();
    const extended = tell([command('extend-auto-release', { hours: 24 })], state).state;
    expect(extended.autoReleaseAt).toBe(addHours(START, 72));
    expect(refusal(extended, command('extend-auto-release', { hours: 1 }))).toBe('wrong_state');
    expect(refusal(begun(), command('extend-auto-release', { hours: 1 }))).toBe('wrong_state');
    const blocked = tell([command('block-release', { reason: 'user_blacklisted' })], state, addHours(START, 48)).state;
    expect(blocked).toMatchObject({ autoReleaseAt: addHours(START, 72), blockedBy: 'user_blacklisted' });
    const moved = tell([command('extend-auto-release', { hours: 1 })], blocked, addHours(START, 49)).state;
    expect(moved).toMatchObject({ autoReleaseAt: addHours(START, 73), blockedBy: null });
  });

  test('waits while a request of the buyer is open, and then has its date', () => {
    const [first, second] = ['r1', 'r2'] as unknown as readonly [OrderRequestId, OrderRequestId]; // named as tests like
    const stop = (requestId: OrderRequestId, hours: number) => command('stop-auto-release', { requestId, hours });
    const resume = (requestId: OrderRequestId) => command('resume-auto-release', { requestId });
    const lapse = (requestId: OrderRequestId) => command('lapse-stop', { requestId });
    const stopped = tell([stop(first, 10), stop(second, 100)], noted()).state;
    expect(stopped.autoReleaseAt).toBeNull();
    expect(refusal(stopped, command('auto-release', {}), addHours(START, 48))).toBe('wrong_state');
    expect(refusal(stopped, stop(first, 10))).toBe('already_exists');
    expect(refusal(stopped, lapse(first), addHours(START, 9))).toBe('wrong_state');
    expect(nextDeadline(stopped)?.at).toBe(addHours(START, 10));
    const one = tell([lapse(first)], stopped, addHours(START, 10)).state;
    expect(one.autoReleaseAt).toBeNull();
    expect(tell([note(1)], one, addHours(START, 20)).state.autoReleaseAt).toBeNull();
    const free = tell([resume(second)], one, addHours(START, 60)).state;
    expect(free.autoReleaseAt).toBe(addHours(START, 48));
    expect(free.stopped).toBeUndefined();
    expect(refusal(free, resume(second))).toBe('wrong_state');
    expect(tell([command('auto-release', {})], free, addHours(START, 60)).state.status).toBe('COMPLETED');
    expect(tell([command('dispute', { actor: 'BUYER' })], stopped).state.stopped).toBeUndefined();
  });

  test('is stopped by a limited number of requests', () => {
    const stops = Array.from({ length: MAX_RELEASE_STOPS + 1 }, (_, index) =>
      command('stop-auto-release', { requestId: `r${index}` as never, hours: 1 }),
    );
    const stopped = tell(stops.slice(1), noted()).state;
    expect(refusal(stopped, must(stops[0]))).toBe('limit_reached');
  });

  test('is blocked only while it is due: an event that moved its time counts', () => {
    const block = command('block-release', { reason: 'payment_charged_back' });
    expect(refusal(begun(), block, addHours(START, 48))).toBe('wrong_state');
    expect(refusal(noted(), block, addHours(START, 47))).toBe('wrong_state');
    expect(refusal(noted(), block, addHours(START, 48))).toBe('accepted');
  });

  test('does not come earlier because of another note: the buyer keeps the granted time', () => {
    const extended = tell([command('extend-auto-release', { hours: 500 })], noted()).state;
    expect(tell([note(1)], extended, addHours(START, 1)).state.autoReleaseAt).toBe(addHours(START, 548));
    expect(tell([note(1)], extended, addHours(START, 520)).state.autoReleaseAt).toBe(addHours(START, 568));
  });
});
