import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, DocumentId, UserId } from '../../domain/ids.ts';
import { dialled } from '../../domain/phone.ts';
import { mapInTurns } from '../../turns/turns.ts';
import { textArray } from '../core/bound.ts';
import type { EncryptedColumn, EncryptedText, FieldCipher } from '../core/field-cipher.ts';
import { lockAnyUser } from './users.ts';

/** What is held about a person, and its erasure (358-erasure.sql, 402-erased-repetitions.sql). */

/** What is held besides the user's row, as lists of rows of the database, whose ids are bare. */
export const HELD_LISTS = [
  'bankDetails',
  'freezes',
  'transactions',
  'escrows',
  'texts',
  'disputeNotes',
  'requests',
  'files',
  'paymentLinks',
  'paymentPhones',
  'withdrawals',
  'bankLines',
  'registrations',
  'messages',
  'events',
] as const;
export type HeldList = (typeof HELD_LISTS)[number];

type Row = Readonly<Record<string, unknown>>;

const ENCRYPTED: { readonly [List in HeldList]?: { readonly column: EncryptedColumn; readonly field: string } } = {
  bankDetails: { column: 'bank_details.account_number', field: 'accountNumber' },
  withdrawals: { column: 'payout_destination.account_number', field: 'accountNumber' },
  registrations: { column: 'checkout_registration.id_number', field: 'idNumber' },
};

/** Rows that are in memory at once. */
const ROWS_PER_PAGE = 500;

/** Reads with a transaction of its own. */
type Read = <T>(work: (em: EntityManager) => Promise<T>) => Promise<T>;

/** The person's ledger. */
export async function heldLedger(em: EntityManager, companyId: CompanyId, userId: UserId): Promise<Row> {
  const [row] = await em.execute<{ held: Row }[]>(
    "select to_jsonb(l) - 'company_id' as held from ledger l where l.company_id = ? and l.user_id = ?",
    [companyId, userId],
  );
  return withApiTimes(row?.held ?? {});
}

/** The rows of a list in pages, each of which is read when it is asked for: a list may be long. */
export async function* heldPages(
  read: Read,
  cipher: FieldCipher,
  userId: UserId,
  list: HeldList,
): AsyncGenerator<readonly unknown[]> {
  const encrypted = ENCRYPTED[list];
  let after: unknown = null;
  for (;;) {
    const rows = await read((em) =>
      em.execute<{ place: unknown; held: unknown }[]>('select place, held from user_export(?, ?, ?::jsonb, ?)', [
        ...[userId, list, JSON.stringify(after), ROWS_PER_PAGE],
      ]),
    );
    yield await mapInTurns(rows, ({ held }) => {
      const row = withApiTimes(held);
      // Each row of these lists is an object with an id, by 358-erasure.sql.
      return encrypted === undefined ? row : decrypted(cipher, encrypted, row as Row & { readonly id: string });
    });
    if (rows.length < ROWS_PER_PAGE) return;
    after = rows.at(-1)?.place;
  }
}

const DATABASE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$/;

/** PostgreSQL writes times in JSON with microseconds and an offset, the API in milliseconds and UTC. */
function withApiTimes<T>(row: T): T {
  return JSON.parse(JSON.stringify(row), (_name, value) =>
    typeof value === 'string' && DATABASE_TIME.test(value) ? new Date(value).toISOString() : value,
  );
}

function decrypted(
  cipher: FieldCipher,
  { column, field }: { readonly column: EncryptedColumn; readonly field: string },
  row: Row & { readonly id: string },
): Row {
  const value = row[field];
  const bound = ['bankName', 'branchCode', 'accountName'].flatMap((name) => (name in row ? [String(row[name])] : []));
  // The column's type in the database is encrypted_text.
  return typeof value === 'string'
    ? { ...row, [field]: cipher.decrypt(column, row.id, value as EncryptedText, bound) }
    : row;
}

/** Called before a person is given money or an order: what is read afterwards shows who was erased. */
export async function awaitErasure(em: EntityManager, companyId: CompanyId): Promise<void> {
  await em.execute('select await_erasure(?)', [companyId]);
}

type Erasure = { readonly erasedAt: Date; readonly documentIds: readonly DocumentId[] };

/**
 * Erases a person. Erasing again answers the same, and erases what has been written since. Throws `not_found`, and `wrong_state` while
 * money, an escrow, a link, a payout or a debt of theirs is open, or for `retentionDays` after the last of them.
 */
export async function eraseUser(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
  { reason, retentionDays }: { readonly reason: string; readonly retentionDays: number },
): Promise<Erasure> {
  await em.execute('select begin_erasure()');
  const user = await lockAnyUser(em, companyId, id);
  const obstacle = await erasureObstacle(em, user.id, retentionDays);
  // A payment that came back after the erasure, or its payout, is open.
  if (obstacle !== null && user.erasedAt != null) return { erasedAt: user.erasedAt, documentIds: [] };
  if (obstacle !== null) throw new Refusal('wrong_state', `the person cannot be erased yet: there is ${obstacle}`);
  const files = await em.execute<{ id: DocumentId }[]>('select id from user_files(?) f(id)', [user.id]);
  const documentIds = [user.documentId ?? null, ...files.map(({ id }) => id)].filter((id) => id !== null);
  const numbers = user.mobileNumber == null ? [] : [user.mobileNumber, dialled(user.mobileNumber)];
  await em.execute('select erase_person(?, ?, ?::text[])', [user.id, reason, textArray(numbers)]);
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
