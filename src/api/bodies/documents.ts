import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../db/core/orm.ts';
import { Document } from '../../db/entities/identity.ts';
import { companyNow } from '../../db/identity/company-clock.ts';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, DocumentId } from '../../domain/ids.ts';
import type { ApiDependencies } from '../context.ts';
import { BODY_LIMITS, MAX_DOCUMENT_BYTES } from '../limits.ts';
import { InvalidRequest } from '../problem.ts';
import { DOCUMENT_WORDS, type DocumentType, formatOf, isPolyglot, isWhole } from './document-formats.ts';
import { withoutMetadata } from './images.ts';
import type { UploadedFile } from './uploaded-file.ts';

/** Identity documents, and files of order pages: which files are accepted, and how the row and the bytes stay consistent. */

export type CheckedDocument = {
  readonly mediaType: DocumentType;
  readonly bytes: Uint8Array;
  /** SHA-256 of the file as it was uploaded, before metadata was removed. It recognizes a repeated upload. */
  readonly sha256: Buffer;
};

/**
 * Reads the file as a document, and removes metadata of images. The type is detected from the content; the client's file name and
 * type are ignored. Throws `payload_too_large`, `unsupported_media_type`, `too_many_requests`, and `validation_failed` for an
 * empty file.
 */
export async function readDocument(companyId: CompanyId, file: UploadedFile): Promise<CheckedDocument> {
  const { bytes } = file;
  if (bytes.length === 0) throw new InvalidRequest('validation_failed', [{ path: 'document', message: 'is empty' }]);
  if (bytes.length > MAX_DOCUMENT_BYTES)
    throw new Refusal('payload_too_large', `a document may have at most ${BODY_LIMITS.upload.words}`);
  const mediaType = await formatOf(bytes);
  if (mediaType === undefined) throw new Refusal('unsupported_media_type', `a document is ${DOCUMENT_WORDS}`);
  if (!(await isWhole(mediaType, bytes)) || isPolyglot(mediaType, bytes))
    throw new Refusal('unsupported_media_type', 'the file is damaged, or is valid as another file type too');
  const sha256 = await file.sha256();
  return { mediaType, bytes: await withoutMetadata(companyId, mediaType, bytes), sha256 };
}

type Stores = Pick<ApiDependencies, 'orm' | 'documents' | 'log'>;

/**
 * Stores a new document and returns the result of `attach`, which makes a user refer to it. If `attach` throws, or does not
 * report the document as kept, the document is deleted. Throws ProviderError if the storage does not answer.
 */
export async function withDocument<T extends { readonly isKept: boolean }>(
  stores: Stores,
  companyId: CompanyId,
  { mediaType, bytes, sha256 }: CheckedDocument,
  attach: (documentId: DocumentId) => Promise<T>,
): Promise<T> {
  const id = uuidv7() as DocumentId; // the id was made here
  let isKept = false;
  try {
    await inTenant(stores.orm, companyId, async (em) =>
      em.insert(Document, {
        id,
        companyId,
        mediaType,
        byteCount: bytes.length,
        sha256,
        ...{ escrowId: null, commandId: null, party: null },
        createdAt: await companyNow(em, companyId),
      }),
    );
    await stores.documents.put({ companyId, documentId: id }, bytes);
    const result = await attach(id);
    isKept = result.isKept;
    return result;
  } finally {
    if (!isKept) await forget(stores, companyId, id);
  }
}

/**
 * Deletes a document that no user refers to any more. If the deletion fails, document-retention.ts repeats it.
 */
export async function forget(
  { orm, documents, log }: Stores,
  companyId: CompanyId,
  documentId: DocumentId,
): Promise<void> {
  try {
    await documents.remove({ companyId, documentId });
    await inTenant(orm, companyId, (em) => em.nativeDelete(Document, { id: documentId, companyId }));
  } catch (error) {
    log.warn({ err: error, documentId }, 'an unreferenced document is still stored');
  }
}
