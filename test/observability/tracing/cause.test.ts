import { describe, expect, test } from '@jest/globals';
import { defaultPayloadConverter } from '@temporalio/common';
import { causeIn, isSampled, stepSpanId, withCause } from '../../../src/observability/tracing/cause.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('headers', () => {
  test.each([
    ['both', { requestId: 'request-1', traceparent: TRACEPARENT }],
    ['a request that nobody traces', { requestId: 'request-1' }],
    ['nothing', {}],
  ])('carry the cause through Temporal: %s', (_what, cause) => {
    expect(causeIn(withCause({}, cause))).toEqual(cause);
  });

  test('of other writers stay', () => {
    const other = defaultPayloadConverter.toPayload('theirs');
    expect(withCause({ other }, { requestId: 'request-1' })).toMatchObject({ other });
  });

  test.each([
    ['no text', 7],
    ['empty', ''],
    ['a line break', 'request-1\nfaked'],
    ['an object', { id: 'request-1' }],
  ])('with invalid values give no cause: %s', (_what, value) => {
    const payload = defaultPayloadConverter.toPayload(value);
    expect(causeIn({ 'request-id': payload, traceparent: payload })).toEqual({});
  });

  test('unreadable headers are ignored', () => {
    const unreadable = { metadata: { encoding: Buffer.from('binary/unknown') }, data: Buffer.from('x') };
    expect(causeIn({ 'request-id': unreadable })).toEqual({});
  });
});

test('a step has the same span id at every replay, which differs from its parent', () => {
  expect(stepSpanId('b7ad6b7169203331')).toBe('4852948e96dfccce');
  expect(stepSpanId(stepSpanId('b7ad6b7169203331'))).toBe('b7ad6b7169203331');
});

test.each([
  ['01', true],
  ['00', false],
  ['03', true],
  ['02', false],
])('the flags of the parent decide whether a trace is recorded: %s', (flags, expected) => {
  expect(isSampled(`${TRACEPARENT.slice(0, -2)}${flags}`)).toBe(expected);
});
