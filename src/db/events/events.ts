import type { EntityManager } from '@mikro-orm/postgresql';
import type { EventObject, EventType } from '../../domain/events/event-types.ts';
import type { CompanyId, EventId } from '../../domain/ids.ts';
import type { Source } from '../../domain/source.ts';
import { textArray } from '../core/bound.ts';

/** Reads the feed. Every reader sees positions in their order, and never a new event below one that it has seen. */

export type EventRecord = {
  readonly id: EventId;
  readonly position: number;
  readonly companyId: CompanyId;
  readonly type: EventType;
  readonly objectKind: EventObject;
  /** The bare id of the object. */
  readonly objectId: string;
  readonly createdAt: Date;
  /** The request that caused the change; null where time or the service itself did it. */
  readonly requestId: string | null;
  readonly source: Source;
  readonly data: Record<string, unknown>;
};

type EventFilter = {
  readonly types?: readonly EventType[] | undefined;
  readonly objectId?: string | undefined;
  readonly createdFrom?: Date | undefined;
};

export type EventRow = {
  id: EventId;
  position: string;
  company_id: CompanyId;
  type: EventType;
  object_kind: EventObject;
  object_id: string;
  created_at: Date;
  request_id: string | null;
  source: Source;
  data: Record<string, unknown>;
};

/** The columns of an `EventRow`, of the table `event` with the alias `e`. */
export const EVENT_COLUMNS =
  'e.id, e.position::text as position, e.company_id, e.type, e.object_kind, e.object_id, e.created_at, e.request_id, e.source, e.data';

/** The company's matching events after `after` (a position; 0 means from the start), oldest first, at most `limit`. */
export async function listEvents(
  em: EntityManager,
  companyId: CompanyId,
  { types, objectId, createdFrom }: EventFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<EventRecord[]> {
  const clauses = ['e.company_id = ?', 'e.position > ?'];
  const values: unknown[] = [companyId, after];
  if (types !== undefined) {
    clauses.push('e.type = any(?::text[])');
    values.push(textArray(types));
  }
  if (objectId !== undefined) {
    clauses.push('e.object_id = ?');
    values.push(objectId);
  }
  if (createdFrom !== undefined) {
    clauses.push('e.created_at >= ?');
    values.push(createdFrom);
  }
  // The start of a window is found through the index of times. A walk by position would begin with the company's first event.
  const startsByTime = createdFrom !== undefined && after === 0 && objectId === undefined;
  const matching = clauses.join(' and ');
  const first = `select f.position from (select e.position from event e where ${matching} offset 0) f
    order by f.position limit ?`;
  const chosen = startsByTime ? `e.position in (${first})` : matching;
  const rows = await em.execute<EventRow[]>(
    `select ${EVENT_COLUMNS} from event e where ${chosen} order by e.position limit ?`,
    [...values, ...(startsByTime ? [limit] : []), limit],
  );
  return rows.map(eventRecordOf);
}

export async function findEvent(em: EntityManager, companyId: CompanyId, id: EventId): Promise<EventRecord | null> {
  const [row] = await em.execute<EventRow[]>(
    `select ${EVENT_COLUMNS} from event e where e.company_id = ? and e.id = ?`,
    [companyId, id],
  );
  return row === undefined ? null : eventRecordOf(row);
}

/** The position of the company's last event. */
export async function lastPosition(em: EntityManager, companyId: CompanyId): Promise<number> {
  const [row] = await em.execute<{ position: string | null }[]>(
    'select max(position)::text as position from event where company_id = ?',
    [companyId],
  );
  return Number(row?.position ?? 0);
}

export function eventRecordOf(row: EventRow): EventRecord {
  return {
    id: row.id,
    position: Number(row.position),
    companyId: row.company_id,
    type: row.type,
    objectKind: row.object_kind,
    objectId: row.object_id,
    createdAt: new Date(row.created_at),
    requestId: row.request_id,
    source: row.source,
    data: row.data,
  };
}
