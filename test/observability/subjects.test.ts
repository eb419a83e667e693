import { expect, test } from '@jest/globals';
import { subjectsOf, subjectsOfStep } from '../../src/observability/subjects.ts';

const UUID = '01900000-0000-7000-8000-000000000001';

test('a request is logged with the ids of its path, body and answer, and with no hash of a link', () => {
  const answer = { id: `pay_${UUID}`, escrowId: `esc_${UUID}`, transactionId: `txn_${UUID}`, hash: 'pay_nohash' };
  expect(subjectsOf({ hash: 'aB3dE5gH7jK9mN1pQ3sT5vX7' }, { buyerId: `usr_${UUID}` }, answer)).toEqual({
    linkId: `pay_${UUID}`,
    escrowId: `esc_${UUID}`,
    transactionId: `txn_${UUID}`,
  });
  expect(subjectsOf({ hash: 'aB3dE5gH7jK9mN1pQ3sT5vX7' }, undefined, null, 'text')).toEqual({});
});

test('a step is logged with the id of its workflow, and with the escrow and the deposit of its link', () => {
  const state = { terms: { linkId: UUID, escrowId: UUID, companyId: UUID }, transactionId: UUID };
  expect(subjectsOfStep(`payment-link/pay_${UUID}`, [{ state }])).toEqual({
    linkId: `pay_${UUID}`,
    escrowId: `esc_${UUID}`,
    transactionId: `txn_${UUID}`,
  });
  expect(subjectsOfStep(`escrow/esc_${UUID}`, [UUID, UUID])).toEqual({ escrowId: `esc_${UUID}` });
  expect(subjectsOfStep(undefined, [])).toEqual({});
});
