import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CommandId, CompanyId, DocumentId, EscrowId, InstitutionId } from '../../domain/ids.ts';

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

/** An identity document, or a file that a party sent; its bytes are in the document storage. */
export const Document = defineEntity({
  name: 'Document',
  tableName: 'document',
  properties: {
    id: p.uuid().primary().$type<DocumentId>(),
    companyId: p.uuid().$type<CompanyId>(),
    mediaType: p.text(),
    byteCount: p.integer(),
    sha256: p.blob(),
    /** Of a file that a party sent about an escrow: with what command. */
    escrowId: p.uuid().$type<EscrowId>().nullable(),
    commandId: p.uuid().$type<CommandId>().nullable(),
    party: p.text().$type<Party>().nullable(),
    createdAt: p.datetime(),
  },
});
export type Document = InferEntity<typeof Document>;
