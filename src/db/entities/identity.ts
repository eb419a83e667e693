import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CompanyId, DocumentId, InstitutionId } from '../../domain/ids.ts';

export const FinancialInstitution = defineEntity({
  name: 'FinancialInstitution',
  tableName: 'financial_institution',
  properties: {
    id: p.uuid().primary().$type<InstitutionId>(),
    name: p.text(),
    code: p.text(),
    branchCodes: p.array(),
    createdAt: p.datetime(),
  },
});
export type FinancialInstitution = InferEntity<typeof FinancialInstitution>;

/** An identity document; its bytes are in the document storage. */
export const Document = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    id: p.uuid().primary().$type<DocumentId>(),
    companyId: p.uuid().$type<CompanyId>(),
    mediaType: p.text(),
    byteCount: p.integer(),
    sha256: p.blob(),
    createdAt: p.datetime(),
  },
});
export type Document = InferEntity<typeof Document>;
