import type { EntityManager } from '@mikro-orm/postgresql';
import { type Refused, refuse } from '../../domain/entity.ts';
import { isRefusalCode, type RefusalDetails } from '../../domain/errors.ts';
import { MESSAGE_LIFETIME_HOURS } from '../../domain/messages/signed.ts';
import type { Instant } from '../../domain/time.ts';

/** Refused commands, stored so that they are not decided again. */

/** The SQLSTATE of an event whose command was refused before. */
export const REFUSED_BEFORE = 'ES001';

/**
 * A message with `sentAt` expires, so its refusal is kept for KEPT_HOURS. A message without `sentAt` can be replayed by a reset
 * as long as its run exists, so its refusal is kept for MAX_KEPT_HOURS.
 */
const KEPT_HOURS = 2 * MESSAGE_LIFETIME_HOURS;
const MAX_KEPT_HOURS = 366 * 24;

type RefusedMessage = Refused & {
  readonly entityId: string;
  readonly commandId: string;
  /** When the message was sent; null if it does not say. */
  readonly sentAt: Instant | null;
};

/**
 * Stores the refusal, unless one is stored already: the first one stays. Housekeeping removes it when it has expired. Returns whether
 * it was stored.
 */
export async function storeRefusal(
  em: EntityManager,
  { entityId, commandId, sentAt, code, detail, details }: RefusedMessage,
): Promise<boolean> {
  const stored = await em.execute<unknown[]>(
    `insert into refused_command (entity_id, command_id, code, detail, details, expires_at)
     values (?, ?, ?, ?, ?::jsonb, least(now() + make_interval(hours => ?),
       greatest(now(), coalesce(?::timestamptz, 'infinity')) + make_interval(hours => ?)))
     on conflict do nothing returning 1`,
    [
      entityId,
      commandId,
      code,
      detail,
      details === undefined ? null : JSON.stringify(details),
      MAX_KEPT_HOURS,
      sentAt,
      KEPT_HOURS,
    ],
  );
  return stored.length > 0;
}

/** Why the command was refused; null if it was not. */
export async function findRefusal(em: EntityManager, entityId: string, commandId: string): Promise<Refused | null> {
  const [row] = await em.execute<{ code: string; detail: string; details: RefusalDetails | null }[]>(
    'select code, detail, details from refused_command where entity_id = ? and command_id = ?',
    [entityId, commandId],
  );
  return row === undefined ? null : storedRefusal(row);
}

/** A refusal from its columns. */
export function storedRefusal(row: {
  readonly code: string;
  readonly detail: string;
  readonly details: RefusalDetails | null;
}): Refused {
  if (!isRefusalCode(row.code)) throw new Error(`a command was refused with the unknown code ${row.code}`);
  return refuse(row.code, row.detail, row.details ?? undefined);
}
