import { expect, test } from '@jest/globals';
import { nextDeadline } from '../../../src/domain/escrow/deadlines.ts';
import type { Escrow } from '../../../src/domain/escrow/escrow.ts';
import type { MilestoneId, NegotiationId } from '../../../src/domain/ids.ts';
import { addHours } from '../../../src/domain/time.ts';
import { command, initiate, milestones, movements, must, plan, refusal, START, tell } from './build.ts';

/** Proposals in a dispute: settlements. */

const disputed = (from = initiate()) => tell([from, command('dispute', { actor: 'BUYER' })]).state;
const offer = (sellerPayoutCents: bigint) =>
  command('negotiate', { actor: 'SELLER', plan: plan(100n, 0n, sellerPayoutCents) });
const answer = (type: 'accept-negotiation' | 'reject-negotiation', escrow: Escrow, actor: 'BUYER' | 'SELLER') =>
  command(type, { actor, negotiationId: openOf(escrow), milestoneId: null });
const openOf = (escrow: Escrow): NegotiationId =>
  must(escrow.negotiations.find(({ status }) => status === 'PENDING')).negotiationId;

test('an accepted one is paid at once, and the escrow is RESOLVED', () => {
  const offered = tell([offer(6_000n)], disputed()).state;
  expect(offered.status).toBe('DISPUTED');
  expect(refusal(offered, answer('accept-negotiation', offered, 'SELLER'))).toBe('own_proposal');
  const { state, postings } = tell([answer('accept-negotiation', offered, 'BUYER')], offered);
  expect(state).toMatchObject({
    status: 'RESOLVED',
    heldCents: 0n,
    releasedCents: 6_000n,
    feesCents: 100n,
    refundedCents: 3_900n,
    negotiations: [{ status: 'ACCEPTED' }],
  });
  expect(movements(postings)).toEqual({
    'account-of-buyer': -6_100n,
    'account-of-seller': 6_000n,
    'account-of-system-fee': 100n,
  });
});

test('a rejected one leaves the dispute as it is, and another may follow', () => {
  const offered = tell([offer(6_000n)], disputed()).state;
  const rejected = tell([answer('reject-negotiation', offered, 'BUYER')], offered).state;
  expect(rejected).toMatchObject({ status: 'DISPUTED', heldCents: 10_000n });
  expect(refusal(rejected, offer(5_000n))).toBe('accepted');
  expect(refusal(offered, offer(5_000n))).toBe('negotiation_pending');
});

test('evidence leaves an offer open, and the clock lapses it', () => {
  const offered = tell([offer(6_000n)], disputed()).state;
  const { state } = tell([command('add-evidence', { actor: 'BUYER' })], offered);
  expect(openOf(state)).toBe(openOf(offered));
  const due = must(nextDeadline(state));
  const { state: lapsed } = tell([due.command('clock' as never)], state, addHours(START, 168));
  expect(lapsed).toMatchObject({ status: 'DISPUTED', negotiations: [{ status: 'LAPSED' }] });
});

test('a proposal that was open when the dispute began has lapsed', () => {
  const before = tell([initiate(), offer(6_000n)]).state;
  const { state } = tell([command('dispute', { actor: 'BUYER' })], before);
  expect(refusal(state, answer('accept-negotiation', before, 'BUYER'))).toBe('wrong_state');
});

test('an offer is about the whole escrow, within what is held', () => {
  const state = disputed(initiate({ milestones: milestones(40, 60) }));
  const adjust = command('adjust-milestone', {
    actor: 'SELLER',
    milestoneId: 'm1' as MilestoneId,
    sellerPayoutCents: 1n,
  });
  expect(refusal(state, adjust)).toBe('wrong_state');
  expect(refusal(state, offer(9_901n))).toBe('split_exceeds_held');
  const offered = tell([offer(5_000n)], state).state;
  const settled = tell([answer('accept-negotiation', offered, 'BUYER')], offered).state;
  expect(settled.milestones.map(({ status }) => status)).toEqual(['RELEASED', 'RELEASED']);
  expect(settled.refundedCents).toBe(4_900n);
});
