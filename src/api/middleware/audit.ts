import type { Context } from 'hono';
import type { AuditLine } from '../../db/requests/audit-log.ts';
import type { Answer } from '../../db/requests/idempotency.ts';
import type { RequestStore } from '../../db/requests/request-store.ts';
import type { ApiEnv } from '../context.ts';

/**
 * Writes down who did what, from where, to which resource: every request with a credential that is no mere read, whether it was
 * granted or refused. It is written before the answer goes out; where it cannot be, the same line goes to the log as an error.
 * An operation that has written its line with its effect says so, and is left alone.
 */
export async function audit(c: Context<ApiEnv>, requests: RequestStore): Promise<void> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.get('isAudited') === true) return;
  const { status } = c.res;
  const line = auditLineOf(c, { status, body: status === 201 ? await bodyOf(c) : null });
  try {
    await requests.audit(line);
  } catch (error) {
    c.var.log.error({ err: error, audit: line }, 'the audit log could not be written');
  }
}

export function auditLineOf(c: Context<ApiEnv>, { status, body }: Answer): AuditLine {
  const { principal, companyId, clientAddress, requestId } = c.var;
  const [named] = Object.values(c.req.param());
  return {
    companyId,
    actorKind: principal.kind,
    actorId: principal.kind === 'api_key' ? principal.apiKeyId : principal.administratorId,
    actorRole: principal.role,
    operation: `${c.req.method} ${c.req.routePath.replace(/:(\w+)/g, '{$1}')}`,
    // What the path names; else what was made, as its answer says.
    resource: named ?? (status === 201 ? idIn(body) : null),
    status,
    ip: clientAddress,
    requestId,
  };
}

async function bodyOf(c: Context<ApiEnv>): Promise<unknown> {
  return c.get('answer') ?? (await c.res.clone().json());
}

function idIn(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string' ? body.id : null;
}
