import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { bare } from '../../support/api.ts';
import { newCompany, newParties, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

/** What the holder of a stolen database password of the API or a worker can change in an escrow or a withdrawal. */
describe('the roles of the service', () => {
  let service: TestService;
  let companyId: string;
  let escrowId: string;
  beforeAll(async () => {
    service = await sharedService();
    const company = await newCompany(service);
    companyId = bare(company.id);
    const { escrow } = await newParties(company);
    escrowId = bare((await company.post('/v1/escrow/initiate', escrow())).body.id);
  });
  afterAll(() => service.stop());

  const run = (databaseUrl: string, statement: string) =>
    withClient(databaseUrl, async (client) => {
      await client.query('begin');
      await client.query(`select set_config('app.company_id', $1, true)`, [companyId]);
      await client.query(statement.replaceAll('$escrow', escrowId));
      return client.query('commit');
    });

  test.each([
    ['the API', 'apiUrl', 'the amount of a withdrawal', 'update withdrawal set amount_cents = 1'],
    ['the API', 'apiUrl', 'the state of an escrow', `update escrow set state = '{}'`],
    ['the API', 'apiUrl', 'the state of a payment link', `update payment_link set state = '{}'`],
    ['the API', 'apiUrl', 'an event', `insert into escrow_event select * from escrow_event`],
    ['the API', 'apiUrl', 'which company is the platform', 'update company set is_platform = true'],
    ['a worker', 'workerUrl', 'the amount of a withdrawal', 'update withdrawal set amount_cents = 1'],
    ['a worker', 'workerUrl', 'the total of an escrow', 'update escrow set total_cents = 1'],
    ['a worker', 'workerUrl', 'an event', `update escrow_event set data = '{}'`],
    ['a worker', 'workerUrl', 'an API key', `update api_key set role = 'SUPER_ADMIN'`],
  ] as const)('%s (%s) cannot write %s', async (_, role, _what, statement) => {
    await expect(run(service.database[role], statement)).rejects.toThrow('permission denied');
  });

  test.each([
    ['with no new event', `update escrow set status = 'COMPLETED' where id = '$escrow'`],
    ['with the next number alone', `update escrow set status = 'COMPLETED', seq = seq + 1 where id = '$escrow'`],
    [
      'with an event of another status',
      `with e as (insert into escrow_event select escrow_id, seq + 1, company_id, gen_random_uuid(), type, actor, at, status, data
         from escrow_event where escrow_id = '$escrow')
       update escrow set status = 'COMPLETED', seq = seq + 1 where id = '$escrow'`,
    ],
    [
      'with other terms',
      `with e as (insert into escrow_event select escrow_id, seq + 1, company_id, gen_random_uuid(), type, actor, at, status, data
         from escrow_event where escrow_id = '$escrow')
       update escrow set seq = seq + 1, state = jsonb_set(state, '{terms,sellerAccountId}', '"7"') where id = '$escrow'`,
    ],
  ])('a worker cannot write the state of an escrow %s', async (_, statement) => {
    await expect(run(service.database.workerUrl, statement)).rejects.toThrow('has no event');
  });

  test.each([
    ['escrow', 'total_cents = total_cents + 1'],
    ['escrow', 'seller_id = buyer_id'],
  ])('even the owner cannot change the terms of an %s: %s', async (table, change) => {
    await expect(run(service.database.ownerUrl, `update ${table} set ${change}`)).rejects.toThrow('never changes');
  });
});
