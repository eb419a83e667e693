import type { MikroORM } from '@mikro-orm/postgresql';
import { isOutage } from '../core/database-errors.ts';
import { checkValueOf, type FieldKey } from '../core/field-cipher.ts';

/**
 * Compares the configured keys with those with which the rows were written, and records the current key. Returns one sentence for
 * each fault, and then records nothing. An unreachable database has none.
 */
export async function findKeyFaults(orm: MikroORM, keys: readonly FieldKey[]): Promise<string[]> {
  const em = orm.em.fork();
  const faults: string[] = [];
  try {
    const known = await em.execute<{ name: string; value: string }[]>(
      `select name, value from installation where kind = 'field_key' order by at, name`,
    );
    for (const { name, value } of known) {
      const key = keys.find(({ id }) => id === name);
      if (key !== undefined && checkValueOf(key) !== value)
        faults.push(`The key "${name}" is not the one with which the database was written. Restore the right key.`);
      if (key !== undefined) continue;
      const [row] = await em.execute<{ needed: boolean }[]>('select field_key_is_needed(?) as needed', [name]);
      if (row?.needed) faults.push(`Rows need the key "${name}", which is absent. Add it after the current key.`);
    }
    const [current] = keys;
    if (faults.length > 0 || current === undefined) return faults;
    const check = checkValueOf(current);
    const [noted] = await em.execute<{ value: string }[]>('select field_key_noted(?, ?) as value', [current.id, check]);
    // Another process recorded its own key since the comparison.
    if (noted?.value !== check)
      faults.push(`Another process uses another key "${current.id}". Give all of them the same.`);
    return faults;
  } catch (error) {
    if (isOutage(error)) return [];
    throw error;
  }
}

/** Forgets the keys that no row needs after a complete rotation. Needs the owner of the database. */
export async function forgetOtherKeys(orm: MikroORM, currentKeyId: string): Promise<void> {
  await orm.em
    .fork()
    .execute(`delete from installation where kind = 'field_key' and name <> ? and not field_key_is_needed(name)`, [
      currentKeyId,
    ]);
}
