import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, DocumentId, UserId } from '../../domain/ids.ts';
import { mapInTurns } from '../../turns/turns.ts';
import type { EncryptedColumn, EncryptedText, FieldCipher } from '../core/field-cipher.ts';
import { lockAnyUser } from './users.ts';

/** What is held about a person, and its erasure (358-erasure.sql). */

type Row = Readonly<Record<string, unknown>>;
type Encrypted = Row & { readonly id: string };

/** What is held besides the user's row, as rows. Ids are bare: the rows are those of the database. */
export type HeldData = {
  readonly ledger: Row;
  readonly bankDetails: readonly Row[];
  readonly transactions: readonly Row[];
  readonly escrows: readonly Row[];
  readonly texts: readonly Row[];
  readonly requests: readonly Row[];
  readonly files: readonly Row[];
  readonly paymentLinks: readonly Row[];
  readonly paymentPhones: readonly string[];
  readonly withdrawals: readonly Row[];
  readonly registrations: readonly Row[];
  readonly messages: readonly Row[];
  readonly events: readonly Row[];
};

/** Every list may be long, so its rows are read and converted in turns. */
export async function exportUser(em: EntityManager, cipher: FieldCipher, userId: UserId): Promise<HeldData> {
  const rows = await em.execute<{ list: keyof HeldData; held: unknown }[]>('select list, held from user_export(?)', [
    userId,
  ]);
  const lists = new Map<string, unknown[]>();
  await mapInTurns(rows, ({ list, held }) => {
    const found = lists.get(list) ?? [];
    found.push(withApiTimes(held));
    lists.set(list, found);
  });
  const rowsOf = (list: keyof HeldData) => (lists.get(list) ?? []) as readonly Row[]; // objects, by 358-erasure.sql
  const readable = (column: EncryptedColumn, field: string, list: keyof HeldData) =>
    mapInTurns(rowsOf(list), (one) => decrypted(cipher, column, field, one as Encrypted)); // each of these rows has an id
  return {
    ledger: rowsOf('ledger')[0] ?? {},
    bankDetails: await readable('bank_details.account_number', 'accountNumber', 'bankDetails'),
    transactions: rowsOf('transactions'),
    escrows: rowsOf('escrows'),
    texts: rowsOf('texts'),
    requests: rowsOf('requests'),
    files: rowsOf('files'),
    paymentLinks: rowsOf('paymentLinks'),
    paymentPhones: (lists.get('paymentPhones') ?? []) as readonly string[], // by 358-erasure.sql
    withdrawals: await readable('payout_destination.account_number', 'accountNumber', 'withdrawals'),
    registrations: await readable('checkout_registration.id_number', 'idNumber', 'registrations'),
    messages: rowsOf('messages'),
    events: rowsOf('events'),
  };
}

const DATABASE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$/;

/** PostgreSQL writes times in JSON with microseconds and an offset, the API in milliseconds and UTC. */
function withApiTimes<T>(row: T): T {
  return JSON.parse(JSON.stringify(row), (_name, value) =>
    typeof value === 'string' && DATABASE_TIME.test(value) ? new Date(value).toISOString() : value,
  );
}

function decrypted(cipher: FieldCipher, column: EncryptedColumn, field: string, row: Encrypted): Row {
  const value = row[field];
  const bound = ['bankName', 'branchCode', 'accountName'].flatMap((name) => (name in row ? [String(row[name])] : []));
  // The column's type in the database is encrypted_text.
  return typeof value === 'string'
    ? { ...row, [field]: cipher.decrypt(column, row.id, value as EncryptedText, bound) }
    : row;
}

export type Erasure = { readonly erasedAt: Date; readonly documentIds: readonly DocumentId[] };

/**
 * Erases a person. Erasing again answers the same, and erases what has been written since. Throws `not_found`, and `wrong_state` while money, an escrow, a link, a payout or
 * a debt of theirs is open, or for `retentionDays` after the last of them.
 */
export async function eraseUser(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
  { reason, retentionDays }: { readonly reason: string; readonly retentionDays: number },
): Promise<Erasure> {
  const user = await lockAnyUser(em, companyId, id);
  const obstacle = await erasureObstacle(em, user.id, retentionDays);
  // A payment that came back after the erasure, or its payout, is open.
  if (obstacle !== null && user.erasedAt != null) return { erasedAt: user.erasedAt, documentIds: [] };
  if (obstacle !== null) throw new Refusal('wrong_state', `the person cannot be erased yet: there is ${obstacle}`);
  const files = await em.execute<{ id: DocumentId }[]>('select id from user_files(?) f(id)', [user.id]);
  const documentIds = [user.documentId ?? null, ...files.map(({ id }) => id)].filter((id) => id !== null);
  await em.execute('select user_erase(?, ?)', [user.id, reason]);
  await em.refresh(user);
  if (user.erasedAt == null) throw new Error('the person was not erased');
  return { erasedAt: user.erasedAt, documentIds };
}

/** What of theirs is open, or ended less than `retentionDays` ago, in words; null: nothing. */
export async function erasureObstacle(
  em: EntityManager,
  userId: UserId,
  retentionDays: number,
): Promise<string | null> {
  const [found] = await em.execute<{ obstacle: string | null }[]>(
    'select user_erasure_obstacle(?, make_interval(days => ?)) as obstacle',
    [userId, retentionDays],
  );
  return found?.obstacle ?? null;
}
