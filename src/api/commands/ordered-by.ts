import type { Context } from 'hono';
import { Refusal } from '../../domain/errors.ts';
import type { OrderedBy } from '../../domain/escrow/escrow.ts';
import type { AdministratorId } from '../../domain/ids.ts';
import { mayAct } from '../../domain/roles.ts';
import type { ApiEnv } from '../context.ts';

/** The actor of a request must match its credential: a request names an actor, and the credential has to agree. */

/** The credential that orders a payment, recorded in the resulting event. */
export function orderedBy(c: Context<ApiEnv>): OrderedBy {
  const principal = c.get('principal');
  return principal.kind === 'api_key'
    ? { adminId: null, apiKeyId: principal.apiKeyId }
    : { adminId: principal.administratorId, apiKeyId: null };
}

/** Throws `forbidden` if the credential may not act as ADMIN. */
export function requireAdministrator(c: Context<ApiEnv>): void {
  if (!mayAct(c.get('principal'), 'resolve_disputes'))
    throw new Refusal('forbidden', 'only a credential with the permission resolve_disputes can act as ADMIN');
}

/**
 * Throws `forbidden` if an administrator names another administrator. A platform administrator may do so. An API key has to
 * name one, because it belongs to no person; the key is stored with the event.
 */
export function requireOwnName(c: Context<ApiEnv>, adminId: AdministratorId): void {
  const principal = c.get('principal');
  if (principal.kind === 'api_key' || principal.role === 'SUPER_ADMIN' || principal.administratorId === adminId) return;
  throw new Refusal('forbidden', 'adminId names another administrator');
}
