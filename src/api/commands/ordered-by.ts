import type { MikroORM } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { inTenant } from '../../db/core/orm.ts';
import { Administrator } from '../../db/entities/tenancy.ts';
import { Refusal } from '../../domain/errors.ts';
import type { OrderedBy } from '../../domain/escrow/escrow.ts';
import type { AdministratorId } from '../../domain/ids.ts';
import { mayAct } from '../../domain/roles.ts';
import type { ApiEnv, Principal } from '../context.ts';

/** The actor of a request must match its credential: a request names an actor, and the credential has to agree. */

/** The credential that orders a payment, recorded in the resulting event. */
export function orderedBy(c: Context<ApiEnv>): OrderedBy {
  const principal = c.get('principal');
  return principal.kind === 'api_key'
    ? { adminId: null, apiKeyId: principal.apiKeyId }
    : { adminId: principal.administratorId, apiKeyId: null };
}

/** The administrator or the API key of a credential. */
export function actorIn(principal: Principal) {
  return principal.kind === 'api_key'
    ? ({ kind: 'api_key', id: principal.apiKeyId } as const)
    : ({ kind: 'administrator', id: principal.administratorId } as const);
}

/** Throws `forbidden` if the credential may not act as ADMIN. */
export function requireAdministrator(c: Context<ApiEnv>): void {
  if (!mayAct(c.get('principal'), 'resolve_disputes'))
    throw new Refusal('forbidden', 'only a credential with the permission resolve_disputes can act as ADMIN');
}

/**
 * Throws `forbidden` if an administrator names another administrator. A platform administrator may do so. An API key belongs to
 * no person, so it names an administrator of its own company, and is stored with the event; `unknown_admin` for any other.
 */
export async function requireNameable(c: Context<ApiEnv>, orm: MikroORM, adminId: AdministratorId): Promise<void> {
  const principal = c.get('principal');
  if (principal.kind === 'api_key') {
    const { companyId } = principal;
    const found = await inTenant(orm, companyId, (em) =>
      em.count(Administrator, { id: adminId, companyId, removedAt: null }),
    );
    if (found === 0) throw new Refusal('unknown_admin', 'adminId does not name an administrator of the company');
    return;
  }
  if (principal.role === 'SUPER_ADMIN' || principal.administratorId === adminId) return;
  throw new Refusal('forbidden', 'adminId names another administrator');
}
