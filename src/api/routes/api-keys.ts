import { createRoute, z } from '@hono/zod-openapi';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { inTenant } from '../../db/core/orm.ts';
import { ApiKey as ApiKeyRow } from '../../db/entities/tenancy.ts';
import { requirePresent } from '../../db/identity/companies.ts';
import { API_KEY_SORTS, listApiKeys } from '../../db/identity/company-lists.ts';
import type { CredentialProof } from '../../db/identity/credential-proof.ts';
import { Refusal } from '../../domain/errors.ts';
import type { ApiKeyId, CompanyId } from '../../domain/ids.ts';
import { publicId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';
import { generateApiKey } from '../auth/api-keys.ts';
import type { Api, ApiDependencies, Principal } from '../context.ts';
import { describeList } from '../contract/lists.ts';
import { bearer, created, type Guard, json, ok, refusals, tenant } from '../openapi/operation.ts';
import { pathIds, text } from '../schemas/common.ts';
import { ApiKey, apiKeyView } from '../schemas/company.ts';
import { listing, splitQuery } from '../schemas/lists.ts';

const tags = ['API keys'];
const MAX_GRACE_SECONDS = 86_400;

const NewKey = z.object({ name: text() }).openapi('NewApiKey');
const RollRequest = z
  .object({ name: text(), graceSeconds: z.int().min(0).max(MAX_GRACE_SECONDS).nullish() })
  .openapi('RollRequest');
const Rolled = z
  .object({ id: z.string(), key_prefix: z.string(), secret_key: z.string(), message: z.string() })
  .openapi('RolledApiKey');

export function registerApiKeys(app: Api, { orm, settings, credentials }: ApiDependencies, guard: Guard): void {
  const generate = createRoute({
    method: 'post',
    path: '/v1/core/companies/api-keys',
    tags,
    summary: 'Create an API key; only this response contains the raw key',
    ...bearer(guard, 'manage_company'),
    request: json(NewKey),
    responses: { ...created(ApiKey.extend({ key: z.string() })), ...refusals() },
  });
  const list = createRoute({
    method: 'get',
    path: '/v1/core/companies/api-keys',
    tags,
    summary: "The company's keys, newest first",
    ...tenant(guard, 'read'),
    request: { query: listing('array', API_KEY_SORTS, '-createdAt') },
    responses: { ...ok(z.array(ApiKey)), ...refusals() },
  });
  const revoke = createRoute({
    method: 'post',
    path: '/v1/core/companies/api-keys/{id}/revoke',
    tags,
    summary: 'Revoke a key at once; it cannot be restored',
    ...tenant(guard, 'manage_company'),
    request: { params: pathIds({ id: 'apiKey' }) },
    responses: { ...ok(z.object({ success: z.boolean() })), ...refusals('not_found', 'owner_protected') },
  });
  const roll = createRoute({
    method: 'post',
    path: '/v1/core/companies/api-keys/roll',
    tags,
    summary: 'Replace the calling key, at once or after a grace period',
    ...tenant(guard, 'manage_company'),
    request: json(RollRequest),
    responses: { ...created(Rolled), ...refusals('api_key_required', 'wrong_state') },
  });

  app.openapi(generate, async (c) => {
    const { name } = c.req.valid('json');
    const { companyId, principal } = c.var;
    const { row, key } = await inTenant(orm, companyId, (em) =>
      insertKey(em, credentials, { companyId, name, ...ownerOf(principal, companyId) }, settings.isProduction),
    );
    return c.json({ ...apiKeyView(row), key }, 201);
  });

  app.openapi(list, async (c) => {
    const query = c.req.valid('query');
    const { page } = splitQuery(query, API_KEY_SORTS);
    const found = await inTenant(orm, c.var.companyId, (em) => listApiKeys(em, c.var.companyId, {}, page));
    describeList(c, query, found);
    return c.json(found.records.map(apiKeyView), 200);
  });

  app.openapi(revoke, async (c) => {
    const { id } = c.req.valid('param');
    await inTenant(orm, c.var.companyId, async (em) => {
      const row = await em.findOne(ApiKeyRow, { id, companyId: c.var.companyId });
      if (row === null) throw new Refusal('not_found', 'there is no such key');
      if (row.role === 'OWNER' && c.var.principal.role === 'ADMIN')
        throw new Refusal('owner_protected', 'an administrator cannot revoke a key of the owner');
      row.isActive = false;
      row.revokedAt ??= new Date();
      await em.persist(row).flush();
    });
    return c.json({ success: true }, 200);
  });

  app.openapi(roll, async (c) => {
    const { principal, companyId } = c.var;
    const { name, graceSeconds } = c.req.valid('json');
    if (principal.kind !== 'api_key')
      throw new Refusal('api_key_required', 'rolling replaces the key of the call itself');
    const activeUntil = new Date(Date.now() + (graceSeconds ?? 0) * 1000);
    // A super administrator's key stays in its company, whatever tenant the request names.
    const { row, key } = await inTenant(orm, principal.companyId, async (em) => {
      const working = { id: principal.apiKeyId, isActive: true };
      const old = await em.findOne(ApiKeyRow, working, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (old === null) throw new Refusal('unauthenticated'); // rolled or revoked since the guard checked it
      if (old.activeUntil != null) throw new Refusal('wrong_state', 'this key was rolled already: roll the new one');
      Object.assign(old, graceSeconds ? { activeUntil } : { isActive: false, revokedAt: new Date() });
      await em.persist(old).flush();
      const owner = { companyId: principal.companyId, role: old.role, createdBy: old.createdBy ?? null };
      return insertKey(em, credentials, { ...owner, name }, settings.isProduction);
    });
    c.var.log.info({ companyId, apiKeyId: row.id }, 'api key rolled');
    const message = graceSeconds
      ? `The old key works until ${activeUntil.toISOString()}.`
      : 'The old key is revoked. Store this one now: it is not shown again.';
    return c.json({ id: publicId('apiKey', row.id), key_prefix: row.keyPrefix, secret_key: key, message }, 201);
  });
}

/** A key has the role of its creator. A super administrator's key for another company has the role OWNER. */
function ownerOf(principal: Principal, companyId: CompanyId) {
  return {
    role: principal.companyId === companyId ? principal.role : ('OWNER' as const),
    createdBy: principal.kind === 'administrator' ? principal.administratorId : null,
  };
}

async function insertKey(
  em: EntityManager,
  credentials: CredentialProof,
  fields: { companyId: CompanyId; name: string; role: Role; createdBy: ApiKeyRow['createdBy'] },
  isProduction: boolean,
) {
  if (fields.createdBy != null) await requirePresent(em, fields.companyId, fields.createdBy);
  const { key, keyHash, keyPrefix } = generateApiKey(isProduction);
  const id = uuidv7() as ApiKeyId; // made in this function
  const proof = credentials.ofApiKey({ ...fields, id, keyHash });
  const row = em.create(ApiKeyRow, { ...fields, id, keyHash, keyPrefix, proof, createdAt: new Date() });
  await em.persist(row).flush();
  return { row, key };
}
