import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bare, refused, sql } from '../../../support/api.ts';
import { done, type TestService } from '../../../support/service.ts';
import { sharedService } from '../../../support/shared-services.ts';
import { asked, BANK, ended, newHolder } from '../../../support/treasury.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

test('destinations that were swapped in the database are named by an audit, and answered as unreadable', async () => {
  const { company, accountId, user } = await newHolder(service, { balance: 5_000 });
  const made: string[] = [];
  for (const account_number of ['1111111111', '2222222222']) {
    const { body } = await company.post('/v1/treasury/withdraw', { ...asked(accountId, 1_000), account_number });
    made.push((await ended(company, body.id)).id);
  }
  const ids = made.map(bare);
  const numbers = await sql(service, 'select id, account_number from payout_destination where id = any($1)', [ids]);
  const swap = `update payout_destination d set account_number = x.account_number from payout_destination x
    where d.id = any($1) and x.id = any($1) and x.id <> d.id`;
  await sql(service, swap, [ids]);
  const get = (id: string | undefined) => company.get(`/v1/treasury/withdrawals/${id}`);
  expect(await get(made[0])).toMatchObject(refused(409, 'details_unreadable'));
  expect((await company.get('/v1/treasury/withdrawals')).body.data).toHaveLength(2);
  const { body } = await company.get('/v1/ledger/verify-ledger-integrity');
  expect(body.ok).toBe(false);
  expect(body.mismatches).toEqual(
    expect.arrayContaining(
      ids.map((id) =>
        expect.objectContaining({ kind: 'details_unreadable', record: `payout_destination/${id}/account_number` }),
      ),
    ),
  );

  await sql(service, swap, [ids]);
  expect(await sql(service, 'select id, account_number from payout_destination where id = any($1)', [ids])).toEqual(
    expect.arrayContaining(numbers),
  );
  expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  expect(await get(made[0])).toMatchObject({ status: 200 });

  // Default bank details with the number of a payout.
  const details = `/v1/ledger/${user.ledgerId}/bank-details`;
  await done(company.request('PATCH', details, { body: BANK }));
  const ledger = [bare(user.ledgerId)];
  const [kept] = await sql(service, 'select account_number from bank_details where ledger_id = $1', ledger);
  const set = 'update bank_details set account_number = $2 where ledger_id = $1';
  await sql(service, set, [...ledger, numbers[0]?.account_number]);
  expect(await company.get(details)).toMatchObject(refused(409, 'details_unreadable'));
  expect(
    await company.post('/v1/treasury/withdraw', { accountId, amount: 1, externalReference: 'next' }),
  ).toMatchObject(refused(409, 'details_unreadable'));
  await sql(service, set, [...ledger, kept?.account_number]);
  expect(await company.get(details)).toMatchObject({ status: 200 });
  await sql(service, set, [...ledger, numbers[0]?.account_number]);
  await done(company.request('PATCH', details, { body: BANK }));
  expect(await company.get(details)).toMatchObject({ status: 200, body: { bank_name: BANK.bank_name } });
});

test.each(['bank_name', 'branch_code', 'account_name'])(
  'a changed %s is as unreadable as a changed number',
  async (column) => {
    const { company, accountId, user } = await newHolder(service, { balance: 5_000 });
    const { body } = await company.post('/v1/treasury/withdraw', asked(accountId, 1_000));
    const { id } = await ended(company, body.id);
    const details = `/v1/ledger/${user.ledgerId}/bank-details`;
    await done(company.request('PATCH', details, { body: BANK }));
    await sql(service, `update payout_destination set ${column} = 'Other' where id = $1`, [bare(id)]);
    await sql(service, `update bank_details set ${column} = 'Other' where ledger_id = $1`, [bare(user.ledgerId)]);
    expect(await company.get(`/v1/treasury/withdrawals/${id}`)).toMatchObject(refused(409, 'details_unreadable'));
    expect(await company.get(details)).toMatchObject(refused(409, 'details_unreadable'));
    const { mismatches } = (await company.get('/v1/ledger/verify-ledger-integrity')).body;
    expect(mismatches.map(({ kind, record }: Record<string, string>) => `${kind} ${record?.split('/')[0]}`)).toEqual([
      'details_unreadable payout_destination',
      'details_unreadable bank_details',
    ]);
  },
);
