import type { Context } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import type { OrderedBy } from '../../domain/escrow/escrow.ts';
import type { AdministratorId } from '../../domain/ids.ts';
import { permits } from '../../domain/roles.ts';
import type { ApiEnv } from '../context.ts';

/** Who acts is who is logged in: requests name an actor, and the credential has to agree. */

/** The credential that orders a payment, for the event that it leads to. */
export function orderedBy(c: Context<ApiEnv>): OrderedBy {
  const { principal } = c.var;
  return principal.kind === 'api_key'
    ? { adminId: null, apiKeyId: principal.apiKeyId }
    : { adminId: principal.administratorId, apiKeyId: null };
}

/** Throws `forbidden` where the credential may not act as ADMIN. */
export function requireAdministrator(c: Context<ApiEnv>): void {
  const { role } = c.var.principal;
  if (!permits(role, 'resolve_disputes')) throw new Refusal('forbidden', `the role ${role} cannot act as ADMIN`);
}

/**
 * Throws `forbidden` where an administrator names another one. A platform administrator may, and an API key, which is nobody in
 * particular, has to; the key is kept with the event.
 */
export function requireOwnName(c: Context<ApiEnv>, adminId: AdministratorId): void {
  const { principal } = c.var;
  if (principal.kind === 'api_key' || principal.role === 'SUPER_ADMIN' || principal.administratorId === adminId) return;
  throw new Refusal('forbidden', 'adminId names another administrator');
}
