import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId } from '../domain/ids.ts';
import type { Role } from '../domain/roles.ts';

/** Writing the audit log. */

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

/** In `em`'s transaction if it has one. */
export async function writeAuditLines(em: EntityManager, lines: readonly AuditLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = lines.map((line) => ({
    company_id: line.companyId,
    actor_kind: line.actorKind,
    actor_id: line.actorId,
    actor_role: line.actorRole,
    operation: line.operation,
    resource: line.resource,
    status: line.status,
    ip: line.ip,
    request_id: line.requestId,
  }));
  await em.execute('select audit_writes(?::jsonb)', [JSON.stringify(rows)]);
}
