import { expect, test } from '@jest/globals';
import {
  clockOf,
  dayAfter,
  dayIn,
  instantAt,
  isDay,
  isTimeZone,
  monthOf,
  startOfDay,
} from '../../src/domain/time-zone.ts';

test.each([
  ['2026-11-22', 'UTC', '2026-11-22T00:00:00.000Z'],
  ['2026-11-22', 'Africa/Harare', '2026-11-21T22:00:00.000Z'],
  ['2026-03-29', 'Europe/Lisbon', '2026-03-29T00:00:00.000Z'], // clocks go forward at 1:00
  ['2026-03-30', 'Europe/Lisbon', '2026-03-29T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Lisbon', '2026-10-24T23:00:00.000Z'], // and back at 2:00
  ['2026-10-26', 'Europe/Lisbon', '2026-10-26T00:00:00.000Z'],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'], // midnight is skipped
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ['2026-01-01', 'Pacific/Pago_Pago', '2026-01-01T11:00:00.000Z'],
  ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
])('%s in %s begins at %s', (day, zone, instant) => {
  expect(startOfDay(day, zone)).toBe(instant);
  expect(dayIn(zone, new Date(instant))).toBe(day);
  expect(dayIn(zone, new Date(Date.parse(instant) - 1))).toBe(dayAfter(day, -1));
});

test('the clock of a zone', () => {
  expect(clockOf('Asia/Kathmandu')(new Date('2026-11-22T22:30:05Z'))).toBe('2026-11-23 04:15:05');
  expect(clockOf('UTC')(new Date('2026-11-22T00:00:00Z'))).toBe('2026-11-22 00:00:00');
});

test.each([
  ['2026-11-22T14:05', 'Africa/Harare', '2026-11-22T12:05:00.000Z'],
  ['2026-11-22T14:05:30', 'UTC', '2026-11-22T14:05:30.000Z'],
  ['2026-03-29T00:30', 'Europe/Lisbon', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29T01:30', 'Europe/Lisbon', '2026-03-29T01:30:00.000Z'], // skipped
  ['2026-03-29T02:30', 'Europe/Lisbon', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25T01:30', 'Europe/Lisbon', '2026-10-25T00:30:00.000Z'], // comes twice
  ['2026-10-25T02:30', 'Europe/Lisbon', '2026-10-25T02:30:00.000Z'],
  ['2026-01-01T00:00', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ['2026-13-01T00:00', 'UTC', null],
  ['tomorrow', 'UTC', null],
  ['2026-11-22', 'UTC', null],
])('%s in %s is %s', (text, zone, instant) => {
  expect(instantAt(text, zone)).toBe(instant);
});

test('months, across the end of a year', () => {
  expect(monthOf('2026-01-15')).toEqual({ first: '2026-01-01', last: '2026-01-31' });
  expect(monthOf('2026-01-31', 1)).toEqual({ first: '2025-12-01', last: '2025-12-31' });
  expect(monthOf('2024-03-31', 1)).toEqual({ first: '2024-02-01', last: '2024-02-29' });
});

test.each([
  ['Africa/Harare', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Mars/Olympus', false],
  ['+02:00', false],
  ['', false],
  ['Africa/Harare\n', false],
])('%j is a time zone: %s', (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

test('a day is a date of the calendar', () => {
  expect([isDay('2026-11-22'), isDay('2026-13-01'), isDay('2026-11-22T00:00:00Z')]).toEqual([true, false, false]);
});
