import { UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { inTenant } from '../../db/core/orm.ts';
import { addOrderFile, countOrderFiles, findOrderFiles, MAX_PARTY_FILES } from '../../db/escrow/order-files.ts';
import { isRefused, Refusal } from '../../domain/errors.ts';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, DocumentId, EscrowId } from '../../domain/ids.ts';
import { commandIdFrom } from '../../domain/messages/ids.ts';
import { DOCUMENT_TYPES } from '../bodies/document-formats.ts';
import { type CheckedDocument, forget, readDocument } from '../bodies/documents.ts';
import { UploadedFile, type UploadedForm } from '../bodies/uploaded-file.ts';
import type { ApiDependencies, ApiEnv } from '../context.ts';

/**
 * The files that a party sends with an act: photos and PDF, checked and freed of metadata as identity documents are. They are stored
 * before the command is sent, and deleted if it is refused. A form that is sent twice stores each file once.
 */

export const MAX_FILES_AT_ONCE = 5;

type Sender = {
  readonly companyId: CompanyId;
  readonly escrowId: EscrowId;
  readonly party: Party;
  readonly commandId: CommandId;
};
type Stores = Pick<ApiDependencies, 'orm' | 'documents' | 'log'>;

/** The files in the form. A field without a file counts for nothing. Throws as `readDocument` does. */
export async function filesIn(companyId: CompanyId, form: UploadedForm): Promise<readonly CheckedDocument[]> {
  const files = form.flatMap(([name, value]) =>
    name === 'file' && value instanceof UploadedFile && value.bytes.length > 0 ? [value] : [],
  );
  if (files.length > MAX_FILES_AT_ONCE) throw new Refusal('payload_too_large', `at most ${MAX_FILES_AT_ONCE} files`);
  const checked: CheckedDocument[] = [];
  for (const file of files) checked.push(await readDocument(companyId, file));
  return checked;
}

/** Runs `act` with the files stored under its command. */
export async function withFiles<T>(
  stores: Stores,
  sender: Sender,
  files: readonly CheckedDocument[],
  act: () => Promise<T>,
): Promise<T> {
  const added = await addAll(stores, sender, files);
  try {
    return await act();
  } catch (error) {
    // Without a decision they stay: the command may be carried out all the same.
    if (isRefused(error)) for (const id of added) await forget(stores, sender.companyId, id);
    throw error;
  }
}

async function addAll(stores: Stores, sender: Sender, files: readonly CheckedDocument[]): Promise<DocumentId[]> {
  if (files.length === 0) return [];
  const { companyId, commandId } = sender;
  const before = await inTenant(stores.orm, companyId, (em) => countOrderFiles(em, companyId, sender));
  if (before + files.length > MAX_PARTY_FILES) throw new Refusal('limit_reached', `at most ${MAX_PARTY_FILES} files`);
  const added: DocumentId[] = [];
  for (const { mediaType, bytes, sha256 } of files) {
    const id = commandIdFrom(`order-file/${commandId}/${sha256.toString('hex')}`) as string as DocumentId; // of this file
    const row = { ...sender, id, mediaType, byteCount: bytes.length, sha256 };
    const isNew = await inTenant(stores.orm, companyId, (em) => addOrderFile(em, row));
    if (isNew) added.push(id);
    await stores.documents.put({ companyId, documentId: id }, bytes).catch((error: unknown) => {
      // The other sending of the same form has stored the same bytes.
      if (!(error instanceof UniqueConstraintViolationException)) throw error;
    });
  }
  return added;
}

/** A file that was sent about the escrow, as a download that runs nothing. Images may be shown in a page. Throws `not_found`. */
export async function fileAnswer(
  c: Context<ApiEnv>,
  { orm, documents }: Stores,
  { companyId, escrowId }: Pick<Sender, 'companyId' | 'escrowId'>,
  documentId: DocumentId,
): Promise<Response> {
  const files = await inTenant(orm, companyId, (em) => findOrderFiles(em, companyId, escrowId));
  const file = files.find(({ id }) => id === documentId);
  const bytes = file === undefined ? null : await documents.get({ companyId, documentId });
  if (file === undefined || bytes === null) throw new Refusal('not_found', 'the escrow has no such file');
  const extension = (DOCUMENT_TYPES as Readonly<Record<string, string>>)[file.mediaType] ?? 'bin';
  return c.body(bytes, 200, {
    'Content-Type': file.mediaType,
    'Content-Length': String(file.byteCount),
    'Content-Disposition': `attachment; filename="file.${extension}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  });
}
