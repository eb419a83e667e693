import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { removeOldDocuments } from '../../../src/api/bodies/document-retention.ts';
import { connect } from '../../../src/db/core/orm.ts';
import type { CompanyId, DocumentId } from '../../../src/domain/ids.ts';
import { createLog } from '../../../src/observability/log.ts';
import { createS3Storage } from '../../../src/providers/storage/s3.ts';
import { bare, refused, sql } from '../../support/api.ts';
import { bmp, documentForm, download, pdf, png, storedOf } from '../../support/documents.ts';
import { type OwnService, ownService } from '../../support/own-service.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { done, newCompany, newUser, type TestCompany } from '../../support/service.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.stop());

const newKey = () => ({ companyId: uuidv7() as CompanyId, documentId: uuidv7() as DocumentId });
const FAILED = { name: 'ProviderError' };

describe('an S3 bucket', () => {
  test('stores documents by company and id, without the client’s file name', async () => {
    const key = newKey();
    await createS3Storage(s3.settings).put(key, png());
    expect([...s3.objects]).toContainEqual([`${key.companyId}/${key.documentId}`, png()]);
  });

  test.each([
    ['the wrong secret', { secretAccessKey: 'another secret' }],
    ['the wrong region', { region: 'eu-west-1' }],
    ['an unknown key', { accessKeyId: 'NOBODY' }],
  ])('refuses %s: an error, and nothing is stored', async (_what, wrong) => {
    const before = s3.objects.size;
    const storage = createS3Storage({ ...s3.settings, ...wrong });
    await expect(storage.put(newKey(), png())).rejects.toMatchObject(FAILED);
    await expect(storage.get(newKey())).rejects.toMatchObject(FAILED);
    await expect(storage.remove(newKey())).rejects.toMatchObject(FAILED);
    expect(s3.objects.size).toBe(before);
  });

  test('is retried when it is temporarily unavailable, a bounded number of times', async () => {
    const storage = createS3Storage(s3.settings);
    s3.failNext(2, 503);
    await storage.put(newKey(), png());
    const before = s3.requests();
    s3.failNext(100, 503);
    await expect(storage.put(newKey(), png())).rejects.toMatchObject(FAILED);
    expect(s3.requests() - before).toBe(3);
    s3.failNext(0, 0);
  });

  test('cannot redirect the request to another host', async () => {
    s3.failNext(1, 302);
    const before = s3.requests();
    await expect(createS3Storage(s3.settings).get(newKey())).rejects.toMatchObject(FAILED);
    expect(s3.requests() - before).toBe(1);
  });

  test('a bucket that is down is an error without secrets', async () => {
    const storage = createS3Storage({ ...s3.settings, endpoint: 'http://127.0.0.1:1' });
    const error: unknown = await storage.put(newKey(), png()).catch((caught: unknown) => caught);
    expect(error).toMatchObject(FAILED);
    expect(String(error)).not.toContain(s3.settings.secretAccessKey);
  });
});

describe('the service with documents in S3', () => {
  let service: OwnService;
  let company: TestCompany;
  beforeAll(async () => {
    service = await ownService({ withWorker: false, storage: { kind: 's3', ...s3.settings } });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    company = await newCompany(service);
  });

  const upload = (id: string, content: Uint8Array) =>
    company.request('POST', `/v1/identity/users/${id}/document`, { form: documentForm(content) });
  const read = (id: string) => download(service, { 'x-api-key': company.apiKey, 'x-company-id': company.id }, id);
  const ofCompany = () => [...s3.objects.keys()].filter((key) => key.startsWith(company.id.slice(4)));

  test('stores, returns and replaces documents, and keeps no bytes in the database', async () => {
    const { id } = await newUser(company);
    expect((await upload(id, bmp(3_000_000))).status).toBe(200);
    expect((await read(id)).bytes.equals(bmp(3_000_000))).toBe(true);
    await upload(id, pdf());
    expect((await read(id)).bytes).toEqual(pdf());
    expect(ofCompany()).toHaveLength(1);
    expect(await storedOf(service, company.id)).toEqual({ documents: 1, chunks: 0 });
  });

  test('an erased person leaves no bytes in the bucket, also if it is down at the time', async () => {
    const { id } = await newUser(company);
    const erase = (user: string) => done(company.post(`/v1/identity/users/${user}/erase`, { reason: 'they asked' }));
    await done(upload(id, pdf('one')));
    await erase(id);
    expect(ofCompany()).toEqual([]);

    const other = await newUser(company);
    await done(upload(other.id, pdf('another')));
    s3.failNext(3, 503);
    await erase(other.id);
    expect(ofCompany()).toHaveLength(1);
    await sql(service, "update document set created_at = now() - interval '2 hours' where company_id = $1", [
      bare(company.id),
    ]);
    const orm = await connect({ databaseUrl: service.database.apiUrl, poolMax: 1, applicationName: 'escrow-api' });
    await removeOldDocuments({ orm, documents: createS3Storage(s3.settings), log: createLog('silent') }, null);
    await orm.close();
    expect(ofCompany()).toEqual([]);
    expect(await storedOf(service, company.id)).toEqual({ documents: 0, chunks: 0 });
  });

  test('answers 503 while the bucket is down, stores nothing, and works again afterwards', async () => {
    const { id } = await newUser(company);
    const before = await storedOf(service, company.id);
    s3.failNext(3, 503);
    expect(await upload(id, png())).toMatchObject(refused(503, 'provider_unavailable'));
    expect(await storedOf(service, company.id)).toEqual(before);
    expect((await company.get(`/v1/identity/users/${id}`)).body.documentUrl).toBeNull();
    expect((await upload(id, png())).status).toBe(200);
    s3.failNext(3, 500);
    expect((await read(id)).status).toBe(503);
    expect((await read(id)).bytes).toEqual(png());
  });
});
