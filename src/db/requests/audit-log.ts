import type { EntityManager } from '@mikro-orm/postgresql';
import type { CommandId, CompanyId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';
import type { Source } from '../../domain/source.ts';
import { executeBound } from '../core/bound.ts';
import { createListReader, NEWEST_FIRST, type SortColumn, type TimeWindow } from '../core/list-reader.ts';
import { type RecordOf, readModel, time, value } from '../core/read-model.ts';

/** The audit log: actor, action, source address and resource. */
export type AuditLine = {
  readonly companyId: CompanyId;
  readonly actorKind: 'api_key' | 'administrator' | 'party';
  readonly actorId: string;
  /** Null: a party of an order. */
  readonly actorRole: Role | null;
  readonly operation: string;
  readonly resource: string | null;
  readonly status: number;
  /** Null: a party of an order, whose address the log could never forget. */
  readonly ip: string | null;
  readonly requestId: string;
  readonly source: Source;
  /** The fields that the request changed, where they decide over money or its destination. */
  readonly changes?: readonly AuditChange[] | null;
};

/** Values as they may be shown: numbers of accounts are masked. */
export type AuditChange = { readonly field: string; readonly before: string | null; readonly after: string | null };

/** Writes lines, in `em`'s transaction if it has one. */
export async function writeAuditLines(em: EntityManager, lines: readonly AuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  await executeBound(em, 'select audit_writes(?::jsonb)', [JSON.stringify(lines.map(auditJson))]);
}

/** A line that stands in the log once the command is carried out. */
export type Announcement = { readonly companyId: CompanyId; readonly commandId: CommandId; readonly line: AuditLine };
type Announced = Omit<Announcement, 'line'>;

/** Announces the lines of requests whose change is written later, under the id of its command. */
export async function announceLines(em: EntityManager, announcements: readonly Announcement[]): Promise<void> {
  const lines = announcements.map(({ line, ...command }) => ({ ...commandJson(command), line: auditJson(line) }));
  await executeBound(em, 'select audit_announces(?::jsonb)', [JSON.stringify(lines)]);
}

/** Writes announced lines, in the transaction of the change. Events of runs take theirs by themselves. */
export async function writeAnnounced(em: EntityManager, commands: readonly Announced[]): Promise<void> {
  await executeBound(em, 'select audit_announced(?::jsonb)', [JSON.stringify(commands.map(commandJson))]);
}

/** Takes back the lines of commands that were refused. */
export async function revokeLines(em: EntityManager, commands: readonly Announced[]): Promise<void> {
  await executeBound(em, 'select audit_revokes(?::jsonb)', [JSON.stringify(commands.map(commandJson))]);
}

function commandJson({ companyId, commandId }: Announced) {
  return { company_id: companyId, command_id: commandId };
}

export const GUESSES_WINDOW = '1 hour';
/** Lines for one actor and status. */
export const MAX_AUDITED_GUESSES = 100;

/** Writes a refusal of a caller who has shown no credential. Returns false, and writes nothing, above the limit. */
export async function writeAuditedGuess(em: EntityManager, line: AuditLine): Promise<boolean> {
  const [row] = await em.execute<{ written: boolean }[]>(
    'select audit_guess(?::jsonb, ?::integer, ?::interval) as written',
    [JSON.stringify(auditJson(line)), MAX_AUDITED_GUESSES, GUESSES_WINDOW],
  );
  return row?.written === true;
}

/** A line in the form of `audit_writes`. */
export function auditJson(line: AuditLine) {
  return {
    company_id: line.companyId,
    actor_kind: line.actorKind,
    actor_id: line.actorId,
    actor_role: line.actorRole,
    operation: line.operation,
    resource: line.resource,
    status: line.status,
    ip: line.ip,
    request_id: line.requestId,
    source: line.source,
    changes: line.changes ?? null,
  };
}

type AuditFilter = TimeWindow & {
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
};

export const AUDIT_SORTS = {
  createdAt: { column: 'a.id', kind: 'integer', ids: 'integer' },
} as const satisfies Record<string, SortColumn>;

const AUDIT = readModel({
  id: value<string>('a.id::text'),
  at: time('a.at'),
  /**
   * `service`: it disabled a webhook endpoint, whose id is `actorId`. It then has no role and no request. `unknown`: a login with
   * an e-mail address that no administrator has. `temporal`: a message that was sent past the API. `party`: a user on an
   * order page.
   */
  actorKind: value<AuditLine['actorKind'] | 'service' | 'temporal' | 'unknown'>('a.actor_kind'),
  /** Null if the actor is unknown. */
  actorId: value<string | null>('a.actor_id'),
  actorRole: value<Role | null>('a.actor_role'),
  operation: value<string>('a.operation'),
  resource: value<string | null>('a.resource'),
  status: value<number>('a.status'),
  ip: value<string | null>('a.ip'),
  requestId: value<string | null>('a.request_id'),
  source: value<Source>('a.source'),
  changes: value<readonly AuditChange[] | null>('a.changes'),
});
export type AuditRecord = RecordOf<typeof AUDIT>;

/** The audit log of the company, latest first. Ids are generated in the order of time. */
export const { list: listAuditLog } = createListReader<AuditFilter, AuditRecord, keyof typeof AUDIT_SORTS>({
  table: 'audit_log',
  alias: 'a',
  ...AUDIT,
  conditions: {
    actorId: 'a.actor_id = ?',
    operation: 'a.operation = ?',
    startDate: 'a.at >= ?',
    endDate: 'a.at < ?',
  },
  sorts: AUDIT_SORTS,
  defaultOrder: NEWEST_FIRST,
});
