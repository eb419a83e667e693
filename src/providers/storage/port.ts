import type { CompanyId, DocumentId } from '../../domain/ids.ts';

/** Where the bytes of identity documents are. What they are is known to the database; names that clients gave are not kept. */

export const STORAGE_KINDS = ['postgres', 's3'] as const;

export type DocumentKey = { readonly companyId: CompanyId; readonly documentId: DocumentId };

export interface DocumentStorage {
  /** Keeps the whole of `bytes`, or throws. Throws ProviderError where the storage does not answer. */
  put(key: DocumentKey, bytes: Uint8Array): Promise<void>;
  /** The bytes as they come; null where there are none. Throws ProviderError. */
  get(key: DocumentKey): Promise<ReadableStream<Uint8Array> | null>;
  /** Forgets them; they need not be there. Throws ProviderError. */
  remove(key: DocumentKey): Promise<void>;
}
