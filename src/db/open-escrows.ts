import type { EntityManager } from '@mikro-orm/postgresql';
import type { EscrowStatus } from '../domain/escrow/transitions.ts';
import type { CompanyId, EscrowId } from '../domain/ids.ts';
import type { Currency } from '../domain/money.ts';

/** An escrow that is not final, and so needs a workflow. */
export type OpenEscrow = {
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly currency: Currency;
  readonly totalCents: bigint;
  readonly status: EscrowStatus;
};

/** The next open escrows of all companies, in the order of their ids. `em` must be the worker's or the owner's. */
export async function findOpenEscrows(
  em: EntityManager,
  after: EscrowId | null,
  limit: number,
): Promise<readonly OpenEscrow[]> {
  // The statuses are written out as in the index `escrow_open`, or it would not be used.
  const rows = await em.execute<
    { id: EscrowId; company_id: CompanyId; currency: Currency; total_amount: string; status: EscrowStatus }[]
  >(
    `select id, company_id, currency, total_amount, status from escrow
     where status not in ('COMPLETED', 'CANCELLED', 'RESOLVED') and (?::uuid is null or id > ?::uuid)
     order by id limit ?`,
    [after, after, limit],
  );
  return rows.map((row) => ({
    escrowId: row.id,
    companyId: row.company_id,
    currency: row.currency,
    totalCents: BigInt(row.total_amount),
    status: row.status,
  }));
}
