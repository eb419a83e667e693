import type { Context } from 'hono';
import type { AuditLine, RequestStore } from '../../db/request-store.ts';
import type { ApiEnv } from '../context.ts';

/**
 * Writes down who did what, from where, to which resource: every request with a credential that is no mere read, whether it was
 * granted or refused. It is written before the answer goes out; where it cannot be, the same line goes to the log as an error.
 */
export async function audit(c: Context<ApiEnv>, requests: RequestStore): Promise<void> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return;
  const { principal, companyId, clientAddress, requestId } = c.var;
  const actorId = principal.kind === 'api_key' ? principal.apiKeyId : principal.administratorId;
  const line: AuditLine = {
    companyId,
    actorKind: principal.kind,
    actorId,
    actorRole: principal.role,
    operation: `${c.req.method} ${c.req.routePath.replace(/:(\w+)/g, '{$1}')}`,
    resource: await resourceOf(c),
    status: c.res.status,
    ip: clientAddress,
    requestId,
  };
  try {
    await requests.audit(line);
  } catch (error) {
    c.var.log.error({ err: error, audit: line }, 'the audit log could not be written');
  }
}

/** What the path names; else what was made, as its answer says. */
async function resourceOf(c: Context<ApiEnv>): Promise<string | null> {
  const [named] = Object.values(c.req.param());
  if (named !== undefined) return named;
  if (c.res.status !== 201) return null;
  const body: unknown = c.get('answer') ?? (await c.res.clone().json());
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string' ? body.id : null;
}
