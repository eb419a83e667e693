import type { MikroORM } from '@mikro-orm/postgresql';
import { BEFORE_ALL_IDS, BEFORE_ALL_ROWS, type RowKey } from '../../domain/ids.ts';
import {
  BOUND_COLUMNS,
  ENCRYPTED_COLUMNS,
  type EncryptedColumn,
  type EncryptedText,
  type FieldCipher,
} from '../core/field-cipher.ts';

/** The number of rows in one transaction: short locks, and little repeated work after an interruption. */
export const ROTATION_BATCH_ROWS = 500;
/** More passes than this mean that a process keeps writing with an old key. */
export const MAX_PASSES = 5;

type RotationProgress = {
  readonly column: EncryptedColumn;
  readonly rotated: number;
  /** The ids of rows that none of the keys decrypts. They stay as they are. */
  readonly unreadable: readonly string[];
};

/**
 * Re-encrypts every value that has another key with the current key. Progress is read from the values themselves, so the
 * rotation may be interrupted at any time, run again, and run while the service works: a row that changes meanwhile is skipped.
 * A row that no key decrypts is named and left, and the others are rotated. Throws if new values with other keys keep appearing.
 */
export async function rotateKeys(
  orm: MikroORM,
  cipher: FieldCipher,
  onBatch: (progress: RotationProgress) => void = () => undefined,
): Promise<readonly RotationProgress[]> {
  const totals: RotationProgress[] = [];
  for (const column of ENCRYPTED_COLUMNS) {
    let rotated = 0;
    const unreadable = new Set<string>();
    for (let pass = 1; (await countOthers(orm, cipher, column)) > unreadable.size; pass += 1) {
      if (pass > MAX_PASSES)
        throw new Error(`${column} keeps getting values with other keys. Restart processes that still use an old key.`);
      for (let after: RowKey | undefined = BEFORE_ALL_ROWS; after !== undefined; ) {
        const batch: Batch = await rotateBatch(orm, cipher, column, after);
        for (const id of batch.unreadable) unreadable.add(id);
        rotated += batch.rotated;
        after = batch.last;
        onBatch({ column, rotated, unreadable: [...unreadable] });
      }
    }
    totals.push({ column, rotated, unreadable: [...unreadable] });
  }
  return totals;
}

async function countOthers(orm: MikroORM, cipher: FieldCipher, column: EncryptedColumn): Promise<number> {
  const { table, name } = partsOf(column);
  const [row] = await orm.em
    .fork()
    .execute<{ others: number }[]>(
      `select count(*)::integer as others from ${table} where split_part(${name}, '.', 1) <> ?`,
      [cipher.currentKeyId],
    );
  return row?.others ?? 0;
}

type Batch = { readonly rotated: number; readonly unreadable: readonly string[]; readonly last: RowKey | undefined };

async function rotateBatch(orm: MikroORM, cipher: FieldCipher, column: EncryptedColumn, after: RowKey): Promise<Batch> {
  const { table, name } = partsOf(column);
  // A registration may belong to no company, and the key of persons belongs to none.
  const company =
    table === 'checkout_registration' || table === 'person_key' ? `'${BEFORE_ALL_IDS}'::uuid` : 't.company_id';
  const bound = (BOUND_COLUMNS[column] ?? []).map((one) => `t.${one}`).join(', ');
  return orm.em.fork().transactional(async (em) => {
    await em.execute("select set_config('app.key_rotation', 'on', true)");
    const rows = await em.execute<(RowKey & { value: EncryptedText; bound: string[] })[]>(
      `select ${company} as "companyId", t.id, ${name}::text as value, array[${bound}]::text[] as bound from ${table} t
       where (${company}, t.id) > (?, ?) and split_part(${name}, '.', 1) <> ? order by ${company}, t.id limit ?`,
      [after.companyId, after.id, cipher.currentKeyId, ROTATION_BATCH_ROWS],
    );
    const unreadable: string[] = [];
    const changes = rows.flatMap(({ companyId, id, value, bound }) => {
      try {
        const after = cipher.encrypt(column, id, cipher.decrypt(column, id, value, bound), bound);
        return [{ company_id: companyId, id, before: value, after }];
      } catch {
        unreadable.push(id);
        return [];
      }
    });
    const changed = await em.execute<unknown[]>(
      `update ${table} t set ${name} = c.after from jsonb_to_recordset(?::jsonb) as c (company_id uuid, id uuid, before text, after text)
       where ${company} = c.company_id and t.id = c.id and t.${name} = c.before returning t.id`,
      [JSON.stringify(changes)],
    );
    return { rotated: changed.length, unreadable, last: rows.length < ROTATION_BATCH_ROWS ? undefined : rows.at(-1) };
  });
}

/** Table and column come from the list above, never from outside. */
function partsOf(column: EncryptedColumn): { table: string; name: string } {
  const [table = '', name = ''] = column.split('.');
  return { table, name };
}
