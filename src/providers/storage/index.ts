import type { MikroORM } from '@mikro-orm/postgresql';
import type { DocumentStorage } from './port.ts';
import { createPostgresStorage } from './postgres.ts';
import { createS3Storage, type S3Settings } from './s3.ts';

export type StorageSettings =
  | { readonly kind: 'postgres' }
  | ({ readonly kind: 's3' } & { readonly [Name in keyof S3Settings]: string });

export function createDocumentStorage(settings: StorageSettings, orm: MikroORM): DocumentStorage {
  return settings.kind === 's3' ? createS3Storage(settings) : createPostgresStorage(orm);
}
