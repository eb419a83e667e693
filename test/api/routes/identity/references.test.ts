import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare, refused, sql } from '../../../support/api.ts';
import { nextMobileNumber } from '../../../support/mobile-numbers.ts';
import { done, newCompany, newUser, type TestCompany, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';

/** References that payers give their banks, which decide whose money it is. */

let service: TestService;
let company: TestCompany;
beforeAll(async () => {
  service = await sharedService();
  company = await newCompany(service);
});
afterAll(() => service.stop());

const register = (customReference: string) =>
  company.post('/v1/identity/users', { mobileNumber: nextMobileNumber(), idNumber: '63-1', customReference });
const rename = (id: string, customReference: string) =>
  company.post(`/v1/identity/users/${id}/link-id`, { idNumber: '63-1', customReference });
const deposit = (fields: object) => company.post('/v1/payments/deposit', { amount: 500, currency: 'USD', ...fields });

test('a reference that a user gave up is nobody else’s for 90 days, however it is written', async () => {
  const reference = `Customer-${randomUUID()}`;
  const { body: first } = await done(register(reference));
  expect(await register(` ${reference.toUpperCase()}`)).toMatchObject(refused(409, 'already_exists'));
  await done(rename(first.id, `Other-${randomUUID()}`));
  const { id: second } = await newUser(company);
  for (const taken of [await register(reference), await rename(second, reference.toLowerCase())])
    expect(taken).toMatchObject(refused(409, 'already_exists'));
  await done(rename(first.id, reference)); // the user may have it back
  await done(rename(first.id, `Other-${randomUUID()}`));
  const older = "update given_up_reference set given_up_at = now() - interval '91 days' where user_id = $1";
  await sql(service, older, [bare(first.id)]);
  expect(await rename(second, reference)).toMatchObject({ status: 200 });
});

test('money finds its user without regard to case and outer spaces, as deposit and as receipt', async () => {
  const reference = `Shop-${randomUUID()}`;
  const user = await newUser(company, { customReference: reference });
  const paid = await done(deposit({ externalReference: ` ${reference.toUpperCase()} ` }));
  expect(paid.body).toMatchObject({ accountId: user.usdAccountId });
  const receipt = { amount: 700, currency: 'USD', reference: reference.toLowerCase() };
  const { body } = await done(company.post('/v1/treasury/bank/capture', receipt));
  expect(body.matchedTo).toEqual({ kind: 'USER', id: user.id });
});

test('a user’s own reference repeats, and any other is used once', async () => {
  const reference = `Monthly-${randomUUID()}`;
  const user = await newUser(company, { customReference: reference });
  for (const amount of [500, 500, 600]) {
    const answer = await deposit({ externalReference: reference, amount });
    expect(answer).toMatchObject({ status: 201, body: { accountId: user.usdAccountId, reference } });
  }
  const other = `Once-${randomUUID()}`;
  await done(deposit({ externalReference: other }));
  expect(await deposit({ externalReference: other, amount: 600 })).toMatchObject(refused(409, 'duplicate_reference'));
});

test('a statement that begins tomorrow is refused with the reason', async () => {
  const { usdAccountId } = await newUser(company);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const answer = await company.get(`/v1/ledger/accounts/${usdAccountId}/statement?startDate=${tomorrow}`);
  expect(answer).toMatchObject(refused(400, 'validation_failed'));
  expect(answer.body.errors).toEqual([
    { path: 'startDate', message: 'startDate must not be after endDate, which is now if it is not sent' },
  ]);
  expect(JSON.stringify(answer.body)).not.toContain('undefined');
});
