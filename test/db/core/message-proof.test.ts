import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { MessageProof } from '../../../src/db/core/message-proof.ts';
import type { CommandId } from '../../../src/domain/ids.ts';
import { newFieldKey } from '../../support/keys.ts';

const [first, second] = [newFieldKey('first'), newFieldKey('second')];
const commandId = randomUUID() as CommandId;
const sent = { type: 'release', message: { commandId, sentAt: '2026-01-01T00:00:00.000Z', adminId: null } };

test('a proof is valid only for its run, type, body and time', () => {
  const proof = new MessageProof([first]);
  const message = proof.sign('escrow/esc_1', sent);
  const { sentAt, ...rest } = message;
  expect(proof.verifies('escrow/esc_1', { type: 'release', message })).toBe(true);
  expect(proof.verifies('escrow/esc_1', { type: 'release', message: { sentAt, ...rest } })).toBe(true); // another order
  expect(proof.verifies('escrow/esc_2', { type: 'release', message })).toBe(false);
  expect(proof.verifies('escrow/esc_1', { type: 'cancel', message })).toBe(false);
  expect(proof.verifies('escrow/esc_1', { type: 'release', message: { ...message, adminId: 'x' } })).toBe(false);
  expect(
    proof.verifies('escrow/esc_1', { type: 'release', message: { ...message, sentAt: '2026-01-02T00:00:00.000Z' } }),
  ).toBe(false);
  for (const forged of [undefined, '', 'first', 'first.', `second.${message.proof?.split('.')[1]}`])
    expect(proof.verifies('escrow/esc_1', { type: 'release', message: { ...message, proof: forged ?? '' } })).toBe(
      false,
    );
});

test('a message that was signed before keys were rotated still verifies', () => {
  const message = new MessageProof([first]).sign('escrow/esc_1', sent);
  expect(new MessageProof([second, first]).verifies('escrow/esc_1', { type: 'release', message })).toBe(true);
  expect(new MessageProof([second]).verifies('escrow/esc_1', { type: 'release', message })).toBe(false);
});
