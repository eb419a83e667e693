import type { CompanyId, DocumentId } from '../../domain/ids.ts';

/** The storage for the bytes of identity documents. The database has their type; file names from clients are not kept. */

export const STORAGE_KINDS = ['postgres', 's3'] as const;

export type DocumentKey = { readonly companyId: CompanyId; readonly documentId: DocumentId };

export interface DocumentStorage {
  /** Stores all of `bytes`, or throws. Throws ProviderError if the storage does not answer. */
  put(key: DocumentKey, bytes: Uint8Array): Promise<void>;
  /** Streams the bytes; null if there are none. Throws ProviderError. */
  get(key: DocumentKey): Promise<ReadableStream<Uint8Array> | null>;
  /** Deletes the bytes; they need not exist. Throws ProviderError. */
  remove(key: DocumentKey): Promise<void>;
}
