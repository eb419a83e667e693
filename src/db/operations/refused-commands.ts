import type { EntityManager } from '@mikro-orm/postgresql';
import type { Refused } from '../../domain/entity.ts';
import { isRefusalCode } from '../../domain/errors.ts';

/** Refused commands, stored so that they are not decided again. */

/** The SQLSTATE of an event whose command was refused before. */
export const REFUSED_BEFORE = 'ES001';

/** Stores the refusal, unless one is stored already: the first one stays. */
export async function keepRefusal(
  em: EntityManager,
  entityId: string,
  commandId: string,
  { code, detail }: Refused,
): Promise<void> {
  await em.execute(
    'insert into refused_command (entity_id, command_id, code, detail) values (?, ?, ?, ?) on conflict do nothing',
    [entityId, commandId, code, detail],
  );
}

/** Why the command was refused; null if it was not. */
export async function findRefusal(em: EntityManager, entityId: string, commandId: string): Promise<Refused | null> {
  const [row] = await em.execute<{ code: string; detail: string }[]>(
    'select code, detail from refused_command where entity_id = ? and command_id = ?',
    [entityId, commandId],
  );
  if (row === undefined) return null;
  if (!isRefusalCode(row.code)) throw new Error(`a command was refused with the unknown code ${row.code}`);
  return { kind: 'refused', code: row.code, detail: row.detail };
}
