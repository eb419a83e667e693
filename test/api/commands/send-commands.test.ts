import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCommands } from '../../../src/api/commands/send-commands.ts';
import { WAIT_LIMITS } from '../../../src/api/limits.ts';
import { MessageProof } from '../../../src/db/core/message-proof.ts';
import type { CommandId, CompanyId, EscrowId, Id, TransactionId } from '../../../src/domain/ids.ts';
import { lazyClient } from '../../../src/temporal/connection.ts';
import { readEscrowProgress } from '../../../src/temporal/progress.ts';
import { INITIATE_UPDATE } from '../../../src/workflows/messages.ts';
import { type ForeignAnswer, withForeignRun } from '../../support/foreign-worker.ts';
import { FIELD_KEY } from '../../support/keys.ts';
import { offerLink } from '../../support/links.ts';
import {
  companyClient,
  newCompany,
  newParties,
  type TestCompany,
  type TestService,
  type WithTemporal,
  withTemporal,
} from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';
import { testTemporal } from '../../support/temporal.ts';
import { newHolder, newUndecidedPayout } from '../../support/treasury.ts';

/** The answer to a command is what is stored under its id, whatever a run says. */

let service: TestService & WithTemporal;
let company: TestCompany;

beforeAll(async () => {
  service = await withTemporal(await sharedService());
  company = await newCompany(service);
});
afterAll(() => service.stop());

const UNTRUE: readonly ForeignAnswer[] = [
  { result: { event: { type: 'FUNDS_RELEASED', shares: { sellerPayoutCents: '999900' } }, status: 'COMPLETED' } },
  { failure: 'insufficient_funds' },
  { failure: 'unheard_of' },
];

test('a command is answered 503 while the namespace is missing', async () => {
  const { address, taskQueue } = testTemporal();
  const { client, connection } = lazyClient({
    temporalAddress: address,
    temporalNamespace: 'a-namespace-that-is-missing',
  });
  const stored = { proof: new MessageProof([FIELD_KEY]), findDecision: () => Promise.resolve(null) };
  const commands = createCommands(client, taskQueue, stored, WAIT_LIMITS);
  const heading = {
    id: randomUUID() as EscrowId,
    companyId: randomUUID() as CompanyId,
    currency: 'USD',
    amountCents: 25_000n,
  } as const;
  const commandId = randomUUID() as CommandId;
  for (const type of ['release', INITIATE_UPDATE] as const)
    await expect(commands.escrow(heading, type, { commandId })).rejects.toMatchObject({
      code: 'dependency_unavailable',
    });
  const withdrawalId = randomUUID() as TransactionId;
  const linkId = randomUUID() as Id<'paymentLink'>;
  for (const signal of [
    commands.signalWithdrawal({ ...heading, id: withdrawalId }, 'check-payout', { commandId, mayResend: false }),
    commands.signalLink({ ...heading, id: linkId }, 'check-attempt', { commandId, attemptId: randomUUID() }),
  ])
    await expect(signal).rejects.toMatchObject({ code: 'dependency_unavailable' });
  await expect(readEscrowProgress(client, heading.id)).rejects.toMatchObject({ code: 'dependency_unavailable' });
  await connection.close();
});

describe('a run that a foreign worker has replaced', () => {
  test.each(UNTRUE)('cannot make the API answer %j', async (answer) => {
    const parties = await newParties(company);
    const { id } = (await company.post('/v1/escrow/initiate', parties.escrow({}))).body;

    const key = randomUUID();
    const told = await withForeignRun(service, `escrow/${id}`, answer, () =>
      company.post(`/v1/escrow/${id}/release`, undefined, key),
    );

    expect(told).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    expect((await company.get(`/v1/escrow/${id}`)).body).toMatchObject({ status: 'ACTIVE', heldAmount: '25000' });
    // The same request is carried out once the run is the service's own again.
    const released = await company.post(`/v1/escrow/${id}/release`, undefined, key);
    expect(released.body).toMatchObject({ status: 'COMPLETED', sellerPayout: '24750' });
  });

  test('cannot make the checkout say that a payment was rejected', async () => {
    const link = await offerLink(service, company);
    const told = await withForeignRun(
      service,
      `payment-link/pay_${link.linkId}`,
      { result: { event: { type: 'REJECTED' }, status: 'REJECTED' } },
      () => service.request('POST', '/v1/payments/reject-payment', { body: { paymentSlug: link.hash } }),
    );
    expect(told.status).toBe(503);
    expect((await link.details()).status).toBe('PENDING');
  });

  test('cannot make the API say that a payout failed', async () => {
    const { company: owner, accountId } = await newHolder(service);
    const payout = await newUndecidedPayout(owner, accountId, 1_000);
    const platform = companyClient(service, { ...owner, apiKey: service.platform.apiKey });
    const adminId = (await platform.request('GET', '/v1/core/companies/admins')).body[0].id;
    const told = await withForeignRun(service, `withdrawal/${payout.id}`, { failure: 'wrong_state' }, () =>
      platform.post(`/v1/treasury/withdrawals/${payout.id}/outcome`, { outcome: 'NOT_PAID', adminId }, randomUUID()),
    );
    expect(told.status).toBe(503);
    expect(await payout.read()).toMatchObject({ status: 'PROCESSING' });
  });
});
