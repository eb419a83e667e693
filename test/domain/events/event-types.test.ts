import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { EscrowEvent } from '../../../src/domain/escrow/escrow.ts';
import {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  type EventObject,
  typeOfChange,
} from '../../../src/domain/events/event-types.ts';
import type { LinkEvent } from '../../../src/domain/payment-link/link.ts';
import type { WithdrawalEvent } from '../../../src/domain/withdrawal/withdrawal.ts';

type Changes<Kind extends EventObject> = Extract<
  (typeof EVENT_TYPES)[keyof typeof EVENT_TYPES],
  { readonly object: Kind }
>['change'];

/** Internal steps of a payment link, which change nothing that a company sees. */
const INTERNAL = ['PAYMENT_PENDING', 'POLL_POSTPONED', 'POLL_HASTENED', 'CHANGE_NOTED'] as const;
type Internal = (typeof INTERNAL)[number];

// Both are `never`. Otherwise the compiler names the change without an event type, or the event type without a change.
type Unpublished =
  | Exclude<EscrowEvent['type'], Changes<'escrow'>>
  | Exclude<LinkEvent['type'], Changes<'payment_link'> | Internal>
  | Exclude<WithdrawalEvent['type'], Changes<'withdrawal'>>;
type Unheard =
  | Exclude<Changes<'escrow'>, EscrowEvent['type']>
  | Exclude<Changes<'payment_link'>, LinkEvent['type']>
  | Exclude<Changes<'withdrawal'>, WithdrawalEvent['type']>;
const everyChangeHasAType: [Unpublished | Unheard] extends [never] ? true : Unpublished | Unheard = true;

describe('the types of events', () => {
  test('are those of the steps of escrows, links and withdrawals, without exception', () => {
    expect(everyChangeHasAType).toBe(true);
    const facts = readFileSync('src/db/migrations/340-events.sql', 'utf8');
    expect(facts).toContain(`new.type not in (${INTERNAL.map((type) => `'${type}'`).join(', ')})`);
  });

  test('are named after their objects, have a sentence each, and one change each', () => {
    for (const type of EVENT_TYPE_NAMES) {
      const { object, change, means } = EVENT_TYPES[type];
      expect(type).toMatch(new RegExp(`^${object}\\.[a-z]+(_[a-z]+)*$`));
      expect(means).toMatch(/^[A-Z].*\.$/);
      expect(typeOfChange(object, change)).toBe(type);
    }
  });
});
