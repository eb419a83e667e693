import { expect, test } from '@jest/globals';
import { readAnswer } from '../../src/workflows/provider-answers.ts';

const SAID_AT = '2026-01-01T00:00:00.000Z';

test('an answer with a nested value counts as none, because the run could not pass it on', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  const settled = { kind: 'settled', saidAt: SAID_AT };
  expect(readAnswer('checkPayout', 'wd_1', settled)).toMatchObject({ answer: settled });
  expect(readAnswer('checkPayout', 'wd_1', { ...settled, x: deep })).toBeNull();
  expect(readAnswer('checkAttempt', 'att_1', { answer: { askAt: SAID_AT, x: deep }, proof: 'p.q' })).toBeNull();
});
