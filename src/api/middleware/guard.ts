import type { MikroORM } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { readTenant } from '../../db/core/orm.ts';
import { Company } from '../../db/entities/tenancy.ts';
import type { CredentialProof } from '../../db/identity/credential-proof.ts';
import { findAdministrator, findFormerAdministrator, noteSessionUse } from '../../db/identity/sessions.ts';
import type { RequestStore } from '../../db/requests/request-store.ts';
import { Refusal } from '../../domain/errors.ts';
import { type CompanyId, parseId } from '../../domain/ids.ts';
import { mayAct, type Permission } from '../../domain/roles.ts';
import { hashSecret, isKeyShaped, isKeyWorking } from '../auth/api-keys.ts';
import { mustEnrol, type SecondFactor } from '../auth/second-factor.ts';
import type { AccessClaims, Tokens } from '../auth/tokens.ts';
import { incomingOf, receiveBody } from '../bodies/body-limits.ts';
import type { ApiEnv, Principal } from '../context.ts';
import { CHECKED_FOR_MS } from '../limits.ts';
import type { CredentialAccess, Guard } from '../operation.ts';
import { audit, auditAdministrator, auditRefusal, auditUnknownKey } from './audit.ts';
import { MFA_CODE } from './headers.ts';
import { countAddress, countPrincipal, inDownloadTurn, inLongTurn, inUploadTurn } from './rate-limit.ts';

type Credentials = {
  readonly orm: MikroORM;
  readonly requests: RequestStore;
  readonly tokens: Tokens;
  readonly credentials: CredentialProof;
  readonly secondFactor: SecondFactor;
  readonly settings: { readonly isProduction: boolean };
};

/**
 * Authorizes a request, in an order that clients can rely on: credential (401, one message for all failures), `x-company-id`
 * (missing 400, another company's 403), temporary password (403), missing second factor (403), role (403), a key in its grace
 * period that would administer the company (403), existence of the company (404, which only a super administrator can get), and a
 * code of the second factor (403).
 */
export function createGuard(credentials: Credentials): Guard {
  return (access, turnOf) => {
    const identify = access.credential === 'bearer' ? authenticateBearer : authenticate;
    return createMiddleware<ApiEnv>(async (c, next) => {
      const principal = await identify(c, credentials);
      if (principal === undefined) {
        await countAddress(c);
        await auditUnknownKey(c, credentials.requests);
        await auditFormerAdministrator(c, credentials);
        throw new Refusal(
          'unauthenticated',
          keyAsToken(c) ?? (identify === authenticateBearer ? keyInsteadOfToken(c) : undefined),
        );
      }
      const checkedAt = performance.now();
      const isBodyHere = incomingOf(c)?.complete ?? true;
      await countPrincipal(c, principal);
      c.set('principal', principal);
      const checkAgain = async () => {
        const now = await identify(c, credentials);
        const refusal = now === undefined ? new Refusal('unauthenticated') : accessRefusalOf(c, now, access);
        if (refusal !== null) throw refusal;
      };
      c.set('isStillValid', () =>
        checkAgain().then(
          () => true,
          (error: unknown) => {
            if (error instanceof Refusal) return false;
            throw error;
          },
        ),
      );
      // A refusal is recorded in the audit log of the credential's own company.
      c.set('companyId', principal.companyId);
      const audited = <T>(check: Promise<T>) =>
        check.catch(async (error: unknown) => {
          if (error instanceof Refusal) await auditRefusal(c, credentials.requests, error.code);
          throw error;
        });
      c.set('companyId', await audited(admit(c, credentials, principal, access)));
      const limiter = c.get('limiter');
      const serve = async () => {
        await audited(receiveBody(c));
        // The credential may have been revoked while the client sent its body, or while the request waited for its turn.
        const work = async () => {
          if (!isBodyHere || performance.now() - checkedAt > CHECKED_FOR_MS) await audited(checkAgain());
          await next();
        };
        // A long request needs no turn but its own: those that have a turn may wait for a long one. So does a download.
        const turn = turnOf(c);
        if (turn === 'long') await inLongTurn(c, work);
        else if (turn === 'download') await inDownloadTurn(c, principal.companyId, work);
        else await limiter.takeTurn(principal.companyId, work);
      };
      // A body arrives before its request takes a turn, so that only uploads wait for those of the same company that are sent slowly.
      await inUploadTurn(c, 'api', principal.companyId, serve);
      await audit(c, credentials.requests);
    });
  };
}

/** The company for which the request acts. Throws if the principal has no access to it. */
async function admit(
  c: Context<ApiEnv>,
  credentials: Credentials,
  principal: Principal,
  access: CredentialAccess,
): Promise<CompanyId> {
  const companyId = tenantOf(c.req.header('x-company-id'), principal);
  const refusal = accessRefusalOf(c, principal, access);
  if (refusal !== null) throw refusal;
  if (companyId !== principal.companyId) await requireCompany(credentials, companyId);
  if (access.factor === 'fresh') await requireFreshFactor(c, credentials, principal);
  return companyId;
}

/** Throws `mfa_required` if the caller has a second factor and sends no fresh code of it. */
export async function requireFreshFactor(
  c: Context<ApiEnv>,
  { secondFactor }: { readonly secondFactor: SecondFactor },
  principal: Principal,
): Promise<void> {
  if (principal.kind !== 'administrator' || !principal.hasFactor) return;
  const { companyId, administratorId: id, sessionId } = principal;
  await secondFactor.requireFresh({ companyId, id }, sessionId, c.req.header(MFA_CODE));
}

/** Why the principal may not do what the operation does; null if it may. */
function accessRefusalOf(
  c: Context<ApiEnv>,
  principal: Principal,
  { permission, temporaryPassword, missingFactor, graceKey }: CredentialAccess,
): Refusal | null {
  if (principal.kind === 'administrator') {
    const isRead = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (principal.mustChangePassword && !isRead && temporaryPassword !== 'accepted')
      return new Refusal('password_change_required', 'change the temporary password with POST /v1/auth/password');
    if (principal.mustEnrol && missingFactor !== 'accepted')
      return new Refusal('mfa_required', 'set up a second factor with POST /v1/auth/totp');
  }
  if (!mayAct(principal, permission)) return lacks(permission);
  if (principal.kind === 'api_key' && principal.isInGrace && permission === 'manage_company' && graceKey !== 'accepted')
    return new Refusal(
      'forbidden',
      'a replaced key cannot change keys, administrators or webhooks during its grace period',
    );
  return null;
}

export function lacks(permission: Permission): Refusal {
  return new Refusal('forbidden', `the credential lacks the permission ${permission}`);
}

function tenantOf(header: string | undefined, principal: Principal): CompanyId {
  if (header === undefined || header.trim() === '') throw new Refusal('missing_header', 'x-company-id is required');
  const companyId = parseId('company', header.trim());
  if (companyId !== undefined && (companyId === principal.companyId || principal.role === 'SUPER_ADMIN'))
    return companyId;
  throw new Refusal('company_mismatch', 'x-company-id and the credential name different companies');
}

async function requireCompany({ orm }: Credentials, companyId: CompanyId): Promise<void> {
  const found = await readTenant(orm, companyId, (em) => em.count(Company, { id: companyId }));
  if (found === 0) throw new Refusal('not_found', 'x-company-id does not name a company');
}

async function authenticate(c: Context<ApiEnv>, credentials: Credentials): Promise<Principal | undefined> {
  const key = c.req.header('x-api-key');
  return key === undefined ? authenticateBearer(c, credentials) : authenticateKey(c, key, credentials);
}

async function authenticateKey(
  c: Context<ApiEnv>,
  key: string,
  { requests }: Credentials,
): Promise<Principal | undefined> {
  const found = await requests.findApiKey(hashSecret(key));
  if (found === null || !isKeyWorking(found)) return undefined;
  const { id: apiKeyId, companyId, role, permissions, activeUntil } = found;
  // Not awaited: the request does not depend on it.
  if (!found.isUseNoted)
    requests
      .noteKeyUse(found)
      .catch((error: unknown) => c.var.log.warn({ err: error }, 'the last use of a credential was not recorded'));
  return { kind: 'api_key', apiKeyId, companyId, role, permissions, isInGrace: activeUntil !== null };
}

/** Explains the refusal of an API key in the place of a token, whether or not the key is good. */
function keyAsToken(c: Context<ApiEnv>): string | undefined {
  const isKey = isKeyShaped(tokenOf(c) ?? '');
  return isKey ? 'an API key goes into the header x-api-key; Authorization: Bearer takes an access token' : undefined;
}

/** Explains the refusal of an API key where only a session is accepted, whether or not the key is good. */
function keyInsteadOfToken(c: Context<ApiEnv>): string | undefined {
  if (c.req.header('x-api-key') === undefined || c.req.header('authorization') !== undefined) return undefined;
  return "this operation needs an administrator's access token in Authorization: Bearer; it takes no API key";
}

async function authenticateBearer(
  c: Context<ApiEnv>,
  { orm, tokens, credentials, settings }: Credentials,
): Promise<Principal | undefined> {
  const claims = await claimsOf(c, tokens);
  if (claims === undefined) return undefined;
  const { administratorId, sessionId } = claims;
  const found = await findAdministrator(orm.em.fork(), credentials, { id: administratorId, sessionId });
  if (found === null || !found.isSessionOpen || found.tokenVersion !== claims.tokenVersion) return undefined;
  const { companyId, role, mustChangePassword, totpEnabled: hasFactor } = found;
  if (!found.isSessionNoted)
    // Not awaited: the request does not depend on it.
    noteSessionUse(orm.em.fork(), companyId, sessionId).catch((error: unknown) =>
      c.var.log.warn({ err: error }, 'the last use of a session was not recorded'),
    );
  return {
    kind: 'administrator',
    ...{ administratorId, sessionId, companyId, role, permissions: null, mustChangePassword, hasFactor },
    mustEnrol: mustEnrol(found, settings.isProduction),
  };
}

function tokenOf(c: Context<ApiEnv>): string | undefined {
  return /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

async function claimsOf(c: Context<ApiEnv>, tokens: Tokens): Promise<AccessClaims | undefined> {
  const token = tokenOf(c);
  return token === undefined ? undefined : await tokens.verifyAccessToken(token);
}

/** Records the use of an access token whose administrator was removed. */
async function auditFormerAdministrator(c: Context<ApiEnv>, { orm, tokens, requests }: Credentials): Promise<void> {
  const claims = await claimsOf(c, tokens);
  const former =
    claims === undefined ? null : await findFormerAdministrator(orm.em.fork(), { id: claims.administratorId });
  if (former !== null) await auditAdministrator(c, requests, former, 'unauthenticated');
}
