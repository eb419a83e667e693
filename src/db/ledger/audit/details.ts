import type { EntityManager } from '@mikro-orm/postgresql';
import { BEFORE_ALL_ROWS, type CompanyId, type RowKey, type TransactionId } from '../../../domain/ids.ts';
import { textArray } from '../../core/bound.ts';
import {
  BOUND_COLUMNS,
  type EncryptedColumn,
  type EncryptedText,
  type FieldCipher,
  readOrNull,
} from '../../core/field-cipher.ts';
import { type LedgerMismatch, MAX_MISMATCHES, mismatch } from './mismatch.ts';

const COLUMNS = [
  'payout_destination.account_number',
  'bank_details.account_number',
  'app_user.bank_account',
] as const satisfies readonly EncryptedColumn[];
const BATCH_ROWS = 1_000;

type Row = {
  readonly company_id: CompanyId;
  readonly id: string;
  readonly value: EncryptedText;
  readonly bound: readonly string[];
};

/**
 * Bank details that do not decrypt: they, or the names of bank, branch and holder, were changed, or moved from another row, because
 * a value is bound to its row. A payout to
 * such a destination is not sent.
 */
export async function findUnreadableDetails(
  em: EntityManager,
  cipher: FieldCipher,
  companyId: CompanyId | null,
): Promise<LedgerMismatch[]> {
  const found: LedgerMismatch[] = [];
  for (const column of COLUMNS) {
    for (let after: RowKey | undefined = BEFORE_ALL_ROWS; after !== undefined && found.length < MAX_MISMATCHES; ) {
      const rows: Row[] = await em.execute<Row[]>('select * from stored_details(?, ?, ?, ?, ?, ?)', [
        ...[column, textArray(BOUND_COLUMNS[column] ?? []), companyId, after.companyId, after.id, BATCH_ROWS],
      ]);
      const changed = rows.filter(({ id, value, bound }) => readOrNull(cipher, column, id, value, bound) === null);
      found.push(...changed.map((row) => unreadable(column, row)));
      const last: Row | undefined = rows.at(-1);
      after = last === undefined || rows.length < BATCH_ROWS ? undefined : { companyId: last.company_id, id: last.id };
    }
  }
  return found;
}

function unreadable(column: EncryptedColumn, { company_id: companyId, id }: Row): LedgerMismatch {
  const [table, field] = column.split('.');
  return mismatch('details_unreadable', {
    companyId,
    transactionId: table === 'payout_destination' ? (id as TransactionId) : null, // the destination has the withdrawal's id
    record: `${table}/${id}/${field}`,
    expected: 'a value that the service encrypted for this row',
    actual: 'another value',
  });
}
