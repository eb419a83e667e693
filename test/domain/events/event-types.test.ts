import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { EVENT_TYPE_NAMES, EVENT_TYPES, typeOfChange } from '../../../src/domain/events/event-types.ts';
import { LINK_EVENTS } from '../../../src/domain/payment-link/link.ts';

/** Internal steps of a payment link, which change nothing that a company sees. */
const INTERNAL = Object.entries(LINK_EVENTS).flatMap(([type, { published }]) => (published === null ? [type] : []));

describe('the types of events', () => {
  test('leave out the internal steps of a link, as the database does', () => {
    const facts = readFileSync('src/db/migrations/340-events.sql', 'utf8');
    const [, left] = /new\.type not in \(([^)]*)\)/.exec(facts) ?? [];
    expect(left?.split(', ').toSorted()).toEqual(INTERNAL.map((type) => `'${type}'`).toSorted());
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
