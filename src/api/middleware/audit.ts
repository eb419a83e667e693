import type { Context } from 'hono';
import { currentSource } from '../../db/core/source.ts';
import type { AuditedAdministrator } from '../../db/identity/sessions.ts';
import type { AuditChange, AuditLine } from '../../db/requests/audit-log.ts';
import type { Answer, RequestStore } from '../../db/requests/request-store.ts';
import type { UnknownLogins } from '../../db/requests/unknown-logins.ts';
import type { RefusalCode } from '../../domain/errors.ts';
import { unwrittenRefusals } from '../../observability/metrics.ts';
import { shownPart } from '../auth/api-keys.ts';
import { foldedEmail } from '../auth/login-guard.ts';
import type { ApiEnv } from '../context.ts';
import { statusOf } from '../problem.ts';
import { networkOf } from './client-address.ts';

/**
 * Records the actor, the source address and the resource of every request with a credential that does more than read, granted
 * or refused. The line is written before the response is sent. If the line of a refusal cannot be written, it is logged as an error;
 * any other request fails then. An operation that wrote its line in the transaction of its effect sets a flag and is skipped.
 */
export async function audit(c: Context<ApiEnv>, requests: RequestStore): Promise<void> {
  if (c.req.method === 'GET' || c.req.method === 'HEAD' || c.get('isAudited') === true) return;
  const { status } = c.res;
  const line = auditLineOf(c, { status, body: c.get('answer') });
  await (status < 400 ? requests.audit(line) : writeRefusal(c, requests, line));
}

/** Records requests that the guard refused by role, company or temporary password, reads included. */
export async function auditRefusal(c: Context<ApiEnv>, requests: RequestStore, code: RefusalCode): Promise<void> {
  await writeRefusal(c, requests, auditLineOf(c, { status: statusOf(code), body: null }));
}

/** Records that an API key was refused, if a company has a key with its prefix: a revoked key, or a guess. */
export async function auditUnknownKey(c: Context<ApiEnv>, requests: RequestStore): Promise<void> {
  const key = c.req.header('x-api-key');
  const found = key === undefined ? null : await requests.findApiKeyByPrefix(shownPart(key));
  if (found === null) return;
  const actor = { companyId: found.companyId, actorKind: 'api_key', actorId: found.id, actorRole: found.role } as const;
  await writeGuess(c, requests, { ...circumstancesOf(c), ...actor, status: statusOf('unauthenticated') });
}

/**
 * Records what an administrator failed to do without an access token: a login, a refresh, a new password. It stands in the audit log
 * of the administrator's company.
 */
export async function auditAdministrator(
  c: Context<ApiEnv>,
  requests: RequestStore,
  { id, companyId, role }: AuditedAdministrator,
  code: RefusalCode,
): Promise<void> {
  const line = { ...administratorLine(c, { id, companyId, role }), status: statusOf(code) };
  // The limit of password tries bounds the lines of wrong passwords, so none of them is left out.
  await (code === 'invalid_credentials' ? writeRefusal(c, requests, line) : writeGuess(c, requests, line));
}

/** The line of what an administrator did without an access token. It is written in the transaction of the change. */
export function administratorLine(c: Context<ApiEnv>, { id, companyId, role }: AuditedAdministrator): AuditLine {
  const actor = { companyId, actorKind: 'administrator', actorId: id, actorRole: role } as const;
  return { ...circumstancesOf(c), ...actor, status: 200 };
}

/** Records a failed login with an e-mail address that no administrator has, in the log of the platform's company. */
export async function auditUnknownLogin(
  c: Context<ApiEnv>,
  unknownLogins: UnknownLogins,
  email: string,
  code: RefusalCode,
): Promise<void> {
  const { operation, ip, requestId, source } = circumstancesOf(c);
  const login = {
    operation,
    ip,
    requestId,
    source,
    email: foldedEmail(email),
    network: networkOf(ip),
    status: statusOf(code),
  };
  try {
    const isWritten = await unknownLogins.note(login);
    c.get('log').warn({ clientAddress: ip, isInAuditLog: isWritten }, 'a login with an unknown e-mail failed');
  } catch (error) {
    c.get('log').error({ err: error, clientAddress: ip }, 'the audit log could not be written');
  }
}

/** Guesses by strangers cannot fill the log: above the limit a line is in the log of the process only. */
async function writeGuess(c: Context<ApiEnv>, requests: RequestStore, line: AuditLine): Promise<void> {
  try {
    if (!(await requests.auditGuess(line))) leaveOut(c, line, 'limit');
  } catch (error) {
    leaveOut(c, line, 'failure', error);
  }
}

/** Only refusals may be left out: in a flood those that find too many waiting before them. */
async function writeRefusal(c: Context<ApiEnv>, requests: RequestStore, line: AuditLine): Promise<void> {
  try {
    if (!(await requests.auditRefusal(line))) leaveOut(c, line, 'crowd');
  } catch (error) {
    leaveOut(c, line, 'failure', error);
  }
}

let leftOut = 0;

/** The process's log has the line, and how many were left out since it started. */
function leaveOut(c: Context<ApiEnv>, line: AuditLine, reason: 'limit' | 'crowd' | 'failure', err?: unknown): void {
  leftOut += 1;
  unwrittenRefusals.inc({ reason });
  const fields = { audit: line, reason, leftOut };
  if (err === undefined) c.get('log').warn(fields, 'the audit log does not have a refusal');
  else c.get('log').error({ ...fields, err }, 'the audit log does not have a refusal');
}

/** Names the fields that the request changed, for its line. Numbers of accounts are masked. */
export function noteChanges(c: Context<ApiEnv>, changes: readonly AuditChange[]): void {
  if (changes.length > 0) c.set('auditChanges', changes);
}

export function auditLineOf(c: Context<ApiEnv>, { status, body }: Answer): AuditLine {
  const principal = c.get('principal');
  const companyId = c.get('companyId');
  const circumstances = circumstancesOf(c);
  return {
    ...circumstances,
    companyId,
    actorKind: principal.kind,
    actorId: principal.kind === 'api_key' ? principal.apiKeyId : principal.administratorId,
    actorRole: principal.role,
    // The id from the path; otherwise the id of the created resource, from the response.
    resource: circumstances.resource ?? (status === 201 ? idIn(body) : null),
    status,
    changes: status < 400 ? (c.get('auditChanges') ?? null) : null,
  };
}

const ID = /^\s*(\w{3,4}_)?[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\s*$/i;

function circumstancesOf(
  c: Context<ApiEnv>,
): Pick<AuditLine, 'operation' | 'resource' | 'requestId' | 'source'> & { readonly ip: string } {
  const [named = null] = Object.values(c.req.param());
  return {
    operation: `${c.req.method} ${c.req.routePath.replace(/:(\w+)/g, '{$1}')}`,
    // People may have sent anything else in its place, and nothing takes it out of the log again.
    resource: named !== null && ID.test(named) ? named.trim().toLowerCase() : null,
    ip: c.get('clientAddress'),
    requestId: c.get('requestId'),
    source: currentSource(),
  };
}

export function idIn(body: unknown): string | null {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string' ? body.id : null;
}
