import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../../domain/ids.ts';
import { type LedgerMismatch, MAX_MISMATCHES, type MismatchKind, mismatch } from './mismatch.ts';

type Row = {
  kind: MismatchKind;
  company_id: CompanyId;
  record: string;
  expected: string | null;
  actual: string | null;
};

/** Compares every committed column with its last commitment, and the commitments of a column with each other (362-commitments.sql). */
export async function findCommitmentMismatches(
  em: EntityManager,
  companyId: CompanyId | null,
): Promise<LedgerMismatch[]> {
  const rows = await em.execute<Row[]>('select * from commitment_mismatches(?, ?)', [companyId, MAX_MISMATCHES]);
  return rows.map(({ kind, company_id, record, expected, actual }) =>
    mismatch(kind, { companyId: company_id, record, expected, actual }),
  );
}
