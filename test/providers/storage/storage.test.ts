import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { connect, inTenant } from '../../../src/db/core/orm.ts';
import { CredentialProof } from '../../../src/db/identity/credential-proof.ts';
import { seedPlatform } from '../../../src/db/operations/seed.ts';
import type { CompanyId, DocumentId } from '../../../src/domain/ids.ts';
import { createDocumentStorage } from '../../../src/providers/storage/index.ts';
import type { DocumentKey, DocumentStorage } from '../../../src/providers/storage/port.ts';
import { withClient } from '../../../src/sandbox/stack/postgres-client.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { newFieldKey } from '../../support/keys.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';

/** The guarantees of every document storage. */

let database: TestDatabase;
let orm: MikroORM;
let s3: S3Server;
let companyId: CompanyId;

beforeAll(async () => {
  [database, s3] = await Promise.all([freshDatabase(), startS3Server()]);
  orm = await connect({ databaseUrl: database.apiUrl, poolMax: 4, applicationName: 'test' });
  const owner = await connect({ databaseUrl: database.ownerUrl, poolMax: 1, applicationName: 'test' });
  companyId = await seedPlatform(owner, new CredentialProof([newFieldKey('test')]), {
    email: 'a@test.example',
    passwordHash: 'none',
  });
  await owner.close();
});
afterAll(async () => {
  await orm.close();
  await Promise.all([database.drop(), s3.stop()]);
});

const KINDS: readonly [string, () => DocumentStorage][] = [
  ['PostgreSQL', () => createDocumentStorage({ kind: 'postgres' }, orm)],
  ['S3', () => createDocumentStorage({ kind: 's3', ...s3.settings }, orm)],
];

describe.each(KINDS)('documents in %s', (_name, create) => {
  const newKey = (): DocumentKey => ({ companyId, documentId: uuidv7() as DocumentId });
  async function read(key: DocumentKey): Promise<Buffer | null> {
    const stream = await create().get(key);
    return stream === null ? null : Buffer.from(await new Response(stream).arrayBuffer());
  }

  test.each([
    ['one byte', 1],
    ['exactly a chunk', 524_288],
    ['a chunk and a byte', 524_289],
    ['10 MiB', 10_485_760],
  ])('%s is returned unchanged', async (_what, bytes) => {
    const key = newKey();
    const content = Buffer.alloc(bytes, 'escrow \u0000\u00ff');
    await create().put(key, content);
    expect((await read(key))?.equals(content)).toBe(true);
  });

  test('has no document before put or after remove, and removing a missing document is not an error', async () => {
    const key = newKey();
    expect(await read(key)).toBeNull();
    await create().put(key, Buffer.from('x'));
    await create().remove(key);
    expect(await read(key)).toBeNull();
    await create().remove(key);
  });

  test('another company can neither read nor remove it by its id', async () => {
    const key = newKey();
    await create().put(key, Buffer.from('ours'));
    const theirs = { ...key, companyId: uuidv7() as CompanyId };
    expect(await read(theirs)).toBeNull();
    await create().remove(theirs);
    expect((await read(key))?.toString()).toBe('ours');
  });

  test('a client that disconnects while it reads does no harm', async () => {
    const key = newKey();
    await create().put(key, Buffer.alloc(1_000_000, 'x'));
    const reader = (await create().get(key))?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect((await read(key))?.length).toBe(1_000_000);
  });
});

test('many readers of documents in PostgreSQL leave connections to others', async () => {
  const documents = createDocumentStorage({ kind: 'postgres' }, orm);
  const key = { companyId, documentId: uuidv7() as DocumentId };
  await documents.put(key, Buffer.from('a'));
  const streams = await withClient(database.superuserUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table document_chunk');
    const reading = Array.from({ length: 10 }, () => documents.get(key));
    const waiting = "select 1 from pg_locks where relation = 'document_chunk'::regclass and not granted";
    await eventually(async () => (await client.query(waiting)).rowCount === 2);
    expect(await inTenant(orm, companyId, (em) => em.execute('select 1 as one'))).toEqual([{ one: 1 }]);
    await client.query('rollback');
    return Promise.all(reading);
  });
  for (const stream of streams) expect(await new Response(stream).text()).toBe('a');
});
