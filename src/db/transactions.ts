import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, EscrowId, TransactionId } from '../domain/ids.ts';
import type { TransactionStatus, TransactionType } from '../domain/ledger/postings.ts';
import type { Currency } from '../domain/money.ts';

export type TransactionRecord = {
  readonly id: TransactionId;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amountCents: bigint;
  readonly currency: Currency;
  readonly reference: string | null;
  readonly escrowId: EscrowId | null;
  readonly metadata: Record<string, unknown>;
  readonly createdAt: Date;
};

type Row = {
  id: TransactionId;
  type: TransactionType;
  status: TransactionStatus;
  amount: string;
  currency: Currency;
  reference: string | null;
  escrow_id: EscrowId | null;
  metadata: Record<string, unknown>;
  created_at: Date;
};

export async function findTransaction(
  em: EntityManager,
  companyId: CompanyId,
  id: TransactionId,
): Promise<TransactionRecord | null> {
  const [row] = await em.execute<Row[]>(
    `select id, type, status, amount::text as amount, currency, reference, escrow_id, metadata, created_at
     from ledger_transaction where company_id = ? and id = ?`,
    [companyId, id],
  );
  if (row === undefined) return null;
  const { amount, escrow_id, created_at, ...rest } = row;
  return { ...rest, amountCents: BigInt(amount), escrowId: escrow_id, createdAt: new Date(created_at) };
}
