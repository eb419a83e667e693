import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import { readTenant } from '../../../db/core/orm.ts';
import { Document } from '../../../db/entities/identity.ts';
import { lockUser, requireUser } from '../../../db/identity/users.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { CompanyId, DocumentId, UserId } from '../../../domain/ids.ts';
import { withChangedEvidence } from '../../../domain/users.ts';
import { DOCUMENT_TYPES } from '../../bodies/document-formats.ts';
import { forget, readDocument, withDocument } from '../../bodies/documents.ts';
import { changeAudited } from '../../commands/idempotency.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, responses, tenant } from '../../operation.ts';
import { pathIds, timestamp } from '../../schemas/common.ts';
import { DOCUMENT, documentUrl, file } from '../../schemas/identity.ts';

/** Described for generators that know no images; the answer always has one of the other types. */
const ANY_BYTES = 'application/octet-stream';

const tag = 'Identity';
const DocumentForm = z.object({ document: file(DOCUMENT) }).openapi('DocumentForm');
const DocumentStored = z
  .object({
    documentUrl: z.string().describe('The address of the identity document; a request to it needs a credential.'),
    updatedAt: timestamp().describe('When it was last changed.'),
  })
  .openapi('DocumentStored');
const EXTENSIONS: Readonly<Record<string, string>> = DOCUMENT_TYPES;

export function registerDocuments(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, documents, settings } = dependencies;

  operation(
    {
      method: 'post',
      path: '/v1/identity/users/{id}/document',
      tag,
      summary: "Store the user's identity document, in place of an earlier one",
      description:
        'A document that differs sets an approved user back to level 1, until the platform has looked again. Metadata of ' +
        'images (position, camera, comments) is removed, except from BMP. BMP and PDF files are kept as they were sent.',
      access: tenant('operate'),
      params: pathIds({ id: 'user' }),
      form: DocumentForm,
      success: ok(DocumentStored),
      refusals: ['not_found', 'payload_too_large', 'unsupported_media_type', 'provider_unavailable'],
    },
    async ({ params: { id }, body, companyId, c }) => {
      const document = await readDocument(companyId, body.document);
      const { id: userId } = await readTenant(orm, companyId, (em) => requireUser(em, companyId, id));
      const { user, replaced } = await withDocument(dependencies, companyId, document, (documentId) =>
        changeAudited(c, dependencies, (em) => refer(em, companyId, userId, documentId)),
      );
      if (replaced != null) await forget(dependencies, companyId, replaced);
      return { documentUrl: documentUrl(settings.baseUrl, user), updatedAt: user.updatedAt.toISOString() };
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/identity/users/{id}/document',
      tag,
      summary: "The user's identity document",
      description: 'The bytes as they were uploaded, under their own media type.',
      access: tenant('read'),
      params: pathIds({ id: 'user' }),
      success: responses({
        200: {
          description: 'The document, as a download.',
          content: Object.fromEntries(
            [...Object.keys(DOCUMENT_TYPES), ANY_BYTES].map((type) => [
              type,
              { schema: z.string().openapi({ format: 'binary' }) },
            ]),
          ),
        },
      }),
      isDownload: true,
      refusals: ['not_found', 'provider_unavailable'],
    },
    async ({ params: { id }, companyId, c }) => {
      const document = await readTenant(orm, companyId, async (em) => {
        const { documentId } = await requireUser(em, companyId, id);
        return documentId == null ? null : em.findOne(Document, { id: documentId, companyId });
      });
      const bytes = document === null ? null : await documents.get({ companyId, documentId: document.id });
      if (document === null || bytes === null) throw new Refusal('not_found', 'the user has no document');
      return c.body(bytes, 200, {
        'Content-Type': document.mediaType,
        'Content-Length': String(document.byteCount),
        'Content-Disposition': `attachment; filename="document.${EXTENSIONS[document.mediaType] ?? 'bin'}"`,
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, no-store',
      });
    },
  );
}

/**
 * Assigns the document to the user, unless its content equals the user's current document. Uploads for one user run one at a
 * time, so that each earlier document is deleted once.
 */
async function refer(em: EntityManager, companyId: CompanyId, userId: UserId, documentId: DocumentId) {
  const user = await lockUser(em, companyId, userId);
  const replaced = user.documentId ?? null;
  const known = await em.find(Document, {
    id: { $in: [documentId, replaced].filter((id) => id !== null) },
    companyId,
  });
  const contents = new Set(known.map(({ sha256 }) => Buffer.from(sha256).toString('hex')));
  if (replaced !== null && known.length === 2 && contents.size === 1) return { user, replaced: null, isKept: false };
  em.assign(user, { documentId, ...withChangedEvidence(user, 'DOCUMENT'), updatedAt: new Date() });
  await em.flush();
  return { user, replaced, isKept: true };
}
