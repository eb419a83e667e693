import { describe, expect, test } from '@jest/globals';
import { DefaultPayloadConverter } from '@temporalio/common';
import { signing } from '../../src/activities/records.ts';
import { MessageProof } from '../../src/db/core/message-proof.ts';
import type { CommandId } from '../../src/domain/ids.ts';
import { payloadConverter } from '../../src/workflows/payload-converter.ts';
import { readAnswer } from '../../src/workflows/provider-answers.ts';
import { FIELD_KEY } from '../support/keys.ts';

const SAID_AT = '2026-01-01T00:00:00.000Z';

test('an answer with a nested value counts as none, because the run could not pass it on', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  const settled = { kind: 'settled', saidAt: SAID_AT };
  expect(readAnswer('checkPayout', 'wd_1', settled)).toMatchObject({ answer: settled });
  expect(readAnswer('checkPayout', 'wd_1', { ...settled, x: deep })).toBeNull();
  expect(readAnswer('checkAttempt', 'att_1', { answer: { askAt: SAID_AT, x: deep }, proof: 'p.q' })).toBeNull();
});

describe.each([
  ['checkAttempt', 'pending'],
  ['checkAttempt', { askAt: SAID_AT }],
  ['checkPayment', { changeId: 'c1', change: 'charged_back', amountCents: '100' }],
  ['refundAttempt', 'refunded'],
  ['checkPayout', { kind: 'settled', saidAt: SAID_AT, concern: null }],
] as const)('the signed answer of %s: %j', (activity, answer) => {
  const proof = new MessageProof([FIELD_KEY]);
  const asked = { activity, subjectId: 'subject_1', commandId: 'command_1' as CommandId };
  const told = signing(proof)(activity, asked.subjectId, asked.commandId, answer);
  const payload = new DefaultPayloadConverter().toPayload(told);

  test('is the answer alone for workers of 1.0.0-rc.1, which may continue the run', () => {
    expect(new DefaultPayloadConverter().fromPayload(payload)).toEqual(answer);
  });

  test('is proven for a run that asked', () => {
    const heard = readAnswer(activity, asked.subjectId, payloadConverter.fromPayload(payload));
    expect(heard).toMatchObject({ answer });
    expect(heard !== null && proof.verifiesAnswer(asked, heard.proven)).toBe(true);
  });
});

test('an answer is not signed for a run that names no command, as those of 1.0.0-rc.1', () => {
  expect(signing(new MessageProof([FIELD_KEY]))('checkAttempt', 'att_1', undefined, 'pending')).toBe('pending');
});
