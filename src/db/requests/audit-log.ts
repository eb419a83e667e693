import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';

/** Who did what, from where, to which resource. */
export type AuditLine = {
  readonly companyId: CompanyId;
  readonly actorKind: 'api_key' | 'administrator';
  readonly actorId: string;
  readonly actorRole: Role;
  readonly operation: string;
  readonly resource: string | null;
  readonly status: number;
  readonly ip: string;
  readonly requestId: string;
};

export type AuditRecord = Omit<AuditLine, 'companyId' | 'ip'> & {
  readonly id: string;
  readonly at: Date;
  readonly ip: string | null;
};

/** Writes lines, in `em`'s transaction if it has one. */
export async function writeAuditLines(em: EntityManager, lines: readonly AuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  await em.execute('select audit_writes(?::jsonb)', [JSON.stringify(lines.map(auditJson))]);
}

/** A line as `audit_writes` takes it. */
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
  };
}

export type AuditFilter = {
  readonly actorId?: string | undefined;
  readonly operation?: string | undefined;
  readonly startDate?: Date | undefined;
  /** Exclusive. */
  readonly endDate?: Date | undefined;
};

const CONDITIONS = {
  actorId: 'actor_id = ?',
  operation: 'operation = ?',
  startDate: 'at >= ?',
  endDate: 'at < ?',
} as const satisfies Record<keyof AuditFilter, string>;

type Row = {
  id: string;
  at: Date;
  actor_kind: AuditRecord['actorKind'];
  actor_id: string;
  actor_role: Role;
  operation: string;
  resource: string | null;
  status: number;
  ip: string | null;
  request_id: string;
};

/** What was done in the company, latest first, and how much of it there is. */
export async function findAuditLog(
  em: EntityManager,
  companyId: CompanyId,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ records: AuditRecord[]; total: number }> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined) as [
    keyof AuditFilter,
    string | Date,
  ][]; // Object.entries forgets the keys
  const where = ['company_id = ?', ...given.map(([name]) => CONDITIONS[name])].join(' and ');
  const values = [companyId, ...given.map(([, value]) => value)];
  const rows = await em.execute<Row[]>(
    `select id::text as id, at, actor_kind, actor_id, actor_role, operation, resource, status, ip, request_id
     from audit_log where ${where} order by id desc limit ? offset ?`,
    [...values, page.limit, page.offset],
  );
  const [count] = await em.execute<{ total: number }[]>(
    `select count(*)::integer as total from audit_log where ${where}`,
    values,
  );
  const records = rows.map((row) => ({
    id: row.id,
    at: new Date(row.at),
    actorKind: row.actor_kind,
    actorId: row.actor_id,
    actorRole: row.actor_role,
    operation: row.operation,
    resource: row.resource,
    status: row.status,
    ip: row.ip,
    requestId: row.request_id,
  }));
  return { records, total: count?.total ?? 0 };
}
