import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { removeOldDocuments } from '../../../src/api/bodies/document-retention.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { createLog } from '../../../src/observability/log.ts';
import { createPostgresStorage } from '../../../src/providers/storage/postgres.ts';
import { bare, sql } from '../../support/api.ts';
import { documentForm, pdf } from '../../support/documents.ts';
import { done, newCompany, newUser, type TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

const DAYS = 40;

let service: TestService;
let orm: MikroORM;
beforeAll(async () => {
  service = await sharedService();
  orm = await connect({ databaseUrl: service.database.apiUrl, poolMax: 2, applicationName: 'escrow-api' });
});
afterAll(async () => {
  await orm.close();
  await service.stop();
});

const remove = () => removeOldDocuments({ orm, documents: createPostgresStorage(orm), log: createLog('silent') }, DAYS);

test('a document is deleted when nothing of its person was open for the days, and not before', async () => {
  const company = await newCompany(service);
  const withDocument = async () => {
    const { id } = await newUser(company);
    await done(company.request('POST', `/v1/identity/users/${id}/document`, { form: documentForm(pdf(id)) }));
    return id;
  };
  const [idle, rich] = [await withDocument(), await withDocument()];
  await done(company.post('/v1/payments/deposit', { userId: rich, amount: 100, currency: 'USD' }));
  const later = (days: number) => done(company.post('/v1/sandbox/clock', { advanceHours: 24 * days }));
  const documentOf = async (id: string) => (await company.get(`/v1/identity/users/${id}`)).body.documentUrl;
  const stored = async () =>
    Number(
      (
        await sql(
          service,
          `select (select count(*) from document where company_id = $1) + (select count(*) from document_chunk where company_id = $1) as n`,
          [bare(company.id)],
        )
      )[0]?.n,
    );
  await later(DAYS - 1);
  await remove();
  expect(await documentOf(idle)).not.toBeNull();
  await later(2);
  expect(await stored()).toBe(4); // rows, and their bytes
  await remove();
  expect(await documentOf(idle)).toBeNull();
  expect((await company.request('GET', `/v1/identity/users/${idle}/document`)).status).toBe(404);
  expect(await documentOf(rich)).not.toBeNull(); // there is money of theirs
  expect(await stored()).toBe(2);
});
