import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { removeOldDocuments } from '../../../src/api/bodies/document-retention.ts';
import { connect } from '../../../src/db/core/orm.ts';
import { createLog } from '../../../src/observability/log.ts';
import { createPostgresStorage } from '../../../src/providers/storage/postgres.ts';
import { bare, sql } from '../../support/api.ts';
import { documentForm, pdf, storedOf } from '../../support/documents.ts';
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
  const userOf = async (id: string) => (await company.get(`/v1/identity/users/${id}`)).body;
  const documentOf = async (id: string) => (await userOf(id)).documentUrl;
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
  expect(await userOf(idle)).toMatchObject({ documentUrl: null, isDocumentDeleted: true });
  expect((await company.request('GET', `/v1/identity/users/${idle}/document`)).status).toBe(404);
  expect(await documentOf(rich)).not.toBeNull(); // there is money of theirs
  expect(await stored()).toBe(2);
});

test('the age of a document is counted by its company’s clock, from its upload', async () => {
  const company = await newCompany(service);
  const later = (days: number) => done(company.post('/v1/sandbox/clock', { advanceHours: 24 * days }));
  await later(DAYS + 10);
  const { id } = await newUser(company);
  await done(company.request('POST', `/v1/identity/users/${id}/document`, { form: documentForm(pdf(id)) }));
  const documentOf = async () => (await company.get(`/v1/identity/users/${id}`)).body.documentUrl;
  await remove();
  expect(await documentOf()).not.toBeNull();
  await later(DAYS - 1);
  await remove();
  expect(await documentOf()).not.toBeNull();
  await sql(service, 'update app_user set document_id = null where id = $1', [bare(id)]); // as an interrupted upload leaves it
  await remove();
  expect(await storedOf(service, company.id)).toEqual({ documents: 0, chunks: 0 });
});

test('what an interrupted upload or erasure left is deleted after an hour, without any retention', async () => {
  const company = await newCompany(service);
  const left = async (age: string) => {
    const { id } = await newUser(company);
    await done(company.request('POST', `/v1/identity/users/${id}/document`, { form: documentForm(pdf(id)) }));
    await sql(
      service,
      `with left_over as (update app_user u set document_id = null from app_user before where u.id = $1 and before.id = u.id
         and u.company_id = before.company_id returning before.document_id)
       update document d set created_at = now() - $2::interval from left_over where d.id = left_over.document_id`,
      [bare(id), age],
    );
  };
  await left('59 minutes'); // an upload may still be going on
  await left('61 minutes');
  const kept = await newUser(company);
  await done(company.request('POST', `/v1/identity/users/${kept.id}/document`, { form: documentForm(pdf('kept')) }));
  await sql(
    service,
    "update document set created_at = now() - interval '2 years' where company_id = $1 and id in (select document_id from app_user)",
    [bare(company.id)],
  );
  await removeOldDocuments({ orm, documents: createPostgresStorage(orm), log: createLog('silent') }, null);
  expect(await storedOf(service, company.id)).toEqual({ documents: 2, chunks: 2 });
  expect((await company.get(`/v1/identity/users/${kept.id}`)).body.documentUrl).not.toBeNull();
});
