import { describe, expect, test } from '@jest/globals';
import { standingOf } from '../../../src/api/checkout/standing.ts';
import { LANGUAGES } from '../../../src/api/checkout/texts/languages.ts';
import { buyerStanding } from '../../../src/api/checkout/view.ts';
import type { EscrowRecord } from '../../../src/db/escrow/escrows.ts';
import type { EscrowCommand } from '../../../src/domain/escrow/commands.ts';
import { ESCROW_STATUSES, type EscrowStatus } from '../../../src/domain/escrow/escrow.ts';
import { NO_DEBTS } from '../../../src/domain/escrow/proceeds.ts';
import type { ItemId } from '../../../src/domain/ids.ts';
import { command, initiate, plan, tell } from '../../domain/escrow/build.ts';

const items = (quantity: number) => ({
  items: [{ itemId: 'item' as ItemId, quantity, pricePerItemCents: 1_000n }],
});
const noted = (quantity = 3) => command('delivery-note', items(quantity));
const received = (quantity = 3) => command('goods-received', items(quantity));
const disputed = () => command('dispute', { actor: 'BUYER' });
const cancelled = () => command('cancel', { actor: 'SELLER', adminId: null });
const resolved = () => command('admin-resolve', { plan: plan(100n, 0n, 6_000n), adminId: 'admin' as never });
const released = () => command('release', {});
const begun = (...then: readonly EscrowCommand[]) =>
  tell([initiate({ terms: { autoReleaseHours: 72 } }), ...then]).state;
const unfunded = () => tell([initiate({ funding: 'awaited' })]).state;

const DUE = '2026-01-04T00:00:00.000Z';

/** Status, commands, kind, whether money is held, complete steps, date of the release. */
const STATES: readonly [EscrowStatus, () => ReturnType<typeof begun>, string, boolean, number, string | null][] = [
  ['PENDING', unfunded, 'unpaid', false, 0, null],
  ['ACTIVE', begun, 'held', true, 1, null],
  ['DELIVERY_NOTED', () => begun(noted(1)), 'partly_sent', true, 1, null],
  ['DELIVERY_NOTED', () => begun(noted()), 'sent', true, 1, DUE],
  ['GOODS_RECEIVED', () => begun(received(1)), 'partly_received', true, 1, null],
  ['GOODS_RECEIVED', () => begun(received()), 'received', true, 2, DUE],
  ['DISPUTED', () => begun(noted(), disputed()), 'disputed', true, 1, null],
  ['COMPLETED', () => begun(noted(), released()), 'released', false, 3, null],
  ['CANCELLED', () => begun(noted(), cancelled()), 'returned', false, 1, null],
  ['RESOLVED', () => begun(disputed(), resolved()), 'resolved', false, 1, null],
];

test('every status has a row here', () => {
  expect([...new Set(STATES.map(([status]) => status))]).toEqual([...ESCROW_STATUSES]);
});

test.each(STATES)('%s by %p is %s', (status, escrow, kind, isHeld, reached, releaseAt) => {
  const state = escrow();
  expect(state.status).toBe(status);
  expect(standingOf(state, false)).toEqual({ kind, isHeld, reached, releaseAt, retryAt: null, agreed: null });
});

describe('what the buyer reads', () => {
  const saidOf = (state: ReturnType<typeof begun>) =>
    buyerStanding(
      { state } as EscrowRecord,
      NO_DEBTS,
      { language: LANGUAGES.en, timeZone: 'UTC', isTest: false },
      'Harvest Market',
    );

  test('names the date of the release after a delivery', () => {
    const { heading, sentences } = saidOf(begun(noted()));
    expect(heading).toBe('Your order was sent');
    expect(sentences.join(' ')).toMatch(
      /still held in escrow\. It is released to the seller on 4 January 2026 at 00:00/,
    );
  });

  test('says nothing of held money once none is held', () => {
    for (const state of [begun(released()), begun(cancelled()), begun(disputed(), resolved())])
      expect([saidOf(state).heading, ...saidOf(state).sentences].join(' ')).not.toMatch(/held|locked/);
  });
});
