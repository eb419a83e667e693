import { z } from '@hono/zod-openapi';
import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { readTenant } from '../../db/core/orm.ts';
import type { FullRow } from '../../db/core/read-model.ts';
import { ApiKey as ApiKeyRow } from '../../db/entities/tenancy.ts';
import { noteKeyUses } from '../../db/identity/api-keys.ts';
import { ownersOf, requirePresent } from '../../db/identity/companies.ts';
import { API_KEY_SORTS, listApiKeys } from '../../db/identity/company-lists.ts';
import type { ApiKeyClaims, CredentialProof } from '../../db/identity/credential-proof.ts';
import { Refusal } from '../../domain/errors.ts';
import type { AdministratorId, ApiKeyId, CompanyId } from '../../domain/ids.ts';
import { publicId } from '../../domain/ids.ts';
import {
  isAbove,
  isWithin,
  KEY_ROLE_OF_REQUEST,
  KEY_ROLES,
  MAX_KEY_LIFETIME_DAYS,
  mayAct,
  PERMISSION_NAMES,
  permissionsOf,
  permits,
  type Role,
} from '../../domain/roles.ts';
import { DAY_MS } from '../../domain/time.ts';
import { generateApiKey } from '../auth/api-keys.ts';
import { changeAudited, changeOnce } from '../commands/idempotency.ts';
import type { ApiDependencies, Principal } from '../context.ts';
import { describeList } from '../contract/lists.ts';
import { MAX_ACTIVE_KEYS } from '../limits.ts';
import { bearer, created, type Operations, ok, tenant } from '../operation.ts';
import { defaultsTo, id, note, pathIds, storing, text, textOrNull } from '../schemas/common.ts';
import { ApiKey, apiKeyView } from '../schemas/company.ts';
import { listing, splitQuery } from '../schemas/lists.ts';

const tag = 'API keys';
const MAX_GRACE_SECONDS = 86_400;

const NewKey = z
  .object({
    name: text().describe('Its name.'),
    role: z.enum(KEY_ROLES).nullish().openapi({ description: "The maker's own role if absent. Never a higher one." }),
    permissions: z
      .array(z.enum(PERMISSION_NAMES))
      .min(1)
      .max(PERMISSION_NAMES.length)
      .nullish()
      .openapi({ description: 'All that the role permits if absent. Operations name theirs in `x-permission`.' }),
    expiresAt: z.iso
      .datetime({ offset: true })
      .nullish()
      .openapi({ description: 'When the key stops working. At most ten years ahead.' }),
    expiresInDays: z
      .int()
      .min(1)
      .max(MAX_KEY_LIFETIME_DAYS)
      .nullish()
      .openapi({ description: 'Instead of `expiresAt`.' }),
    note: note().nullish().describe('Words of yours about the key.'),
  })
  .refine(({ expiresAt, expiresInDays }) => expiresAt == null || expiresInDays == null, {
    message: 'must not be sent together with expiresAt',
    path: ['expiresInDays'],
  })
  .refine(({ expiresAt }) => expiresAt == null || isWithinLifetime(expiresAt), {
    message: 'must be in the future, and at most ten years ahead',
    path: ['expiresAt'],
  })
  .openapi('NewApiKey');
type NewKey = z.infer<typeof NewKey>;
const RollRequest = z
  .object({
    id: id('apiKey')
      .nullish()
      .openapi({ ...textOrNull, description: 'With a bearer token: the key to replace. A key replaces itself alone.' }),
    name: text().describe('A label, for people.'),
    graceSeconds: defaultsTo(z.int().min(0).max(MAX_GRACE_SECONDS), 0).describe(
      'How long the old key still works. By default not at all.',
    ),
  })
  .openapi('RollRequest');
const Rolled = z
  .object({
    id: z.string().describe('Its id.'),
    key_prefix: z.string().describe('The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart.'),
    secret_key: z.string().describe('The new key. Shown only in this response.'),
    message: z.string().describe('What was done, in words.'),
  })
  .openapi('RolledApiKey');

export function registerApiKeys(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, settings, credentials, mails } = dependencies;
  const tellOwners = async (em: EntityManager, row: ApiKeyRow) => {
    const owners = await ownersOf(em, row.companyId);
    return () => mails.newKey(owners, row);
  };

  operation(
    {
      method: 'post',
      path: '/v1/core/companies/api-keys',
      tag,
      summary: 'Create an API key; only this response contains the raw key',
      description: 'Needs a bearer token. The key has the role of its creator, or a lower one, for this company alone.',
      access: bearer('manage_company', { factor: 'fresh' }),
      idempotency: 'accepted',
      body: NewKey,
      success: created(ApiKey.extend({ key: z.string().describe('The key. Shown only in this response.') })),
      refusals: ['already_exists', 'limit_reached'],
    },
    async ({ body, companyId, principal, c }) => {
      const fields = newKeyOf(body, ownerOf(principal, companyId));
      let tell: () => void = () => undefined;
      const made = await changeOnce(
        c,
        { orm },
        async (em) => {
          await requireRoom(em, companyId);
          const { row, key } = await insertKey(em, credentials, { companyId, ...fields }, settings.isProduction);
          tell = await tellOwners(em, row);
          return { ...apiKeyView(row), key };
        },
        { keeps: 'id' },
      );
      tell();
      return made;
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/core/companies/api-keys',
      tag,
      summary: "The company's keys, newest first",
      description: 'Revoked ones are listed too. The raw keys are never shown again.',
      access: tenant('read'),
      query: listing('array', API_KEY_SORTS, '-createdAt'),
      success: ok(z.array(ApiKey)),
    },
    async ({ query, companyId, c }) => {
      const { page } = splitQuery(query, API_KEY_SORTS);
      const found = await readTenant(orm, companyId, (em) => listApiKeys(em, companyId, {}, page));
      describeList(c, query, found);
      return found.records.map(apiKeyView);
    },
  );

  operation(
    {
      method: 'post',
      path: '/v1/core/companies/api-keys/{id}/revoke',
      tag,
      summary: 'Revoke a key at once; it cannot be restored',
      description: 'Requests with it are refused with 401 from then on.',
      access: tenant('manage_company', { factor: 'fresh' }),
      idempotency: 'accepted',
      params: pathIds({ id: 'apiKey' }),
      success: ok(z.object({ success: z.boolean().describe('Always true.') })),
      refusals: ['not_found', 'owner_protected'],
    },
    ({ params: { id }, companyId, principal, c }) =>
      changeOnce(c, { orm }, async (em) => {
        const row = await em.findOne(ApiKeyRow, { id, companyId: companyId });
        if (row === null) throw new Refusal('not_found', 'key not found');
        requireReach(principal, row);
        row.isActive = false;
        row.revokedAt ??= new Date();
        await em.persist(row).flush();
        return { success: true };
      }),
  );

  operation(
    {
      method: 'post',
      path: '/v1/core/companies/api-keys/roll',
      tag,
      summary: 'Replace a key, at once or after a grace period',
      description:
        'A key replaces itself; an administrator names in `id` a key that they may revoke. In its grace period the old key ' +
        'administers nothing: it is refused (403) wherever keys, administrators, webhooks or settings of the company are changed, ' +
        'and it cannot be rolled again (409).',
      access: tenant('manage_company', { graceKey: 'accepted', factor: 'fresh' }),
      body: RollRequest,
      success: created(Rolled),
      refusals: ['api_key_required', 'not_found', 'owner_protected', 'wrong_state'],
    },
    async ({ body: { id: named, name, graceSeconds }, companyId, principal, c }) => {
      const calling = principal.kind === 'api_key' ? principal.apiKeyId : null;
      const chosen = named ?? calling;
      if (chosen === null) throw new Refusal('api_key_required', 'name the key to replace in `id`');
      if (calling !== null && chosen !== calling) throw new Refusal('forbidden', 'an API key can roll only itself');
      const activeUntil = new Date(Date.now() + graceSeconds * 1000);
      // A super administrator's key stays in its company, even if the request names another tenant.
      let tell: () => void = () => undefined;
      const roll = async (em: EntityManager) => {
        const one = calling === null ? { id: chosen, companyId } : { id: chosen, isActive: true };
        const old = await em.findOne(ApiKeyRow, one, { lockMode: LockMode.PESSIMISTIC_WRITE });
        if (old === null && calling === null) throw new Refusal('not_found', 'key not found');
        if (old === null) throw new Refusal('unauthenticated'); // rolled or revoked since the guard checked it
        if (calling === null) requireReach(principal, old);
        if (old.activeUntil != null)
          throw new Refusal('wrong_state', 'this key was rolled already; roll its successor');
        if (!old.isActive || (old.expiresAt != null && old.expiresAt <= new Date()))
          throw new Refusal('wrong_state', 'the key was revoked or has expired');
        // Without a grace period the end of the grace is that of the key: it was replaced, and not revoked by somebody.
        Object.assign(old, { activeUntil }, graceSeconds ? {} : { isActive: false, revokedAt: activeUntil });
        await em.persist(old).flush();
        // What notes the uses of keys skips this one, which the transaction locks.
        if (calling !== null) await noteKeyUses(em, [old]);
        // The new key may do what the old one may, and as long.
        const { companyId: own, role, permissions = null, expiresAt = null, note = null } = old;
        // Who gets to know a key has made it.
        const createdBy = principal.kind === 'administrator' ? principal.administratorId : (old.createdBy ?? null);
        const fields = { companyId: own, role, permissions, expiresAt, note, createdBy, name };
        const { row, key } = await insertKey(em, credentials, fields, settings.isProduction);
        tell = await tellOwners(em, row);
        const ends = expiresAt !== null && expiresAt < activeUntil ? expiresAt : activeUntil;
        return { id: publicId('apiKey', row.id), key_prefix: row.keyPrefix, secret_key: key, ends };
      };
      const { ends, ...made } = await changeAudited(
        c,
        { orm },
        roll,
        calling === null ? companyId : principal.companyId,
      );
      tell();
      c.var.log.info({ companyId, apiKeyId: made.id }, 'api key rolled');
      const message = graceSeconds
        ? `The old key works until ${ends.toISOString()}.`
        : 'The old key is revoked. Store this one now: it is not shown again.';
      return { ...made, message };
    },
  );
}

/** The fields of a new key. Throws `forbidden` for a role above the maker's, or a permission that its role does not have. */
const newKeyOf = storing<NewKey, ApiKeyRow>({ expiresInDays: 'expiresAt' })(
  (input, maker: { role: Role; createdBy: AdministratorId | null }) => {
    const { name, expiresAt, expiresInDays } = input;
    const role = input.role == null ? maker.role : KEY_ROLE_OF_REQUEST[input.role];
    if (!isWithin({ role, permissions: null }, { role: maker.role, permissions: null }))
      throw new Refusal('forbidden', `a key of the role ${maker.role} cannot have the role ${role}`);
    const asked = input.permissions ?? null;
    const missing = asked?.find((permission) => !permits(role, permission));
    if (missing !== undefined)
      throw new Refusal('forbidden', `the role ${role} does not have the permission ${missing}`);
    const lifetimeMs = expiresInDays == null ? null : expiresInDays * DAY_MS;
    return {
      ...{ name, role, createdBy: maker.createdBy, note: input.note ?? null },
      permissions: asked === null ? null : PERMISSION_NAMES.filter((permission) => asked.includes(permission)),
      expiresAt:
        lifetimeMs === null ? (expiresAt == null ? null : new Date(expiresAt)) : new Date(Date.now() + lifetimeMs),
    };
  },
);

/** Throws `owner_protected` for a key of a role above the caller's, and `forbidden` for one with a permission that the caller lacks. */
function requireReach(principal: Principal, { role, permissions = null }: ApiKeyRow): void {
  if (isAbove(role, principal.role))
    throw new Refusal('owner_protected', `${principal.role} cannot end a key of ${role}`);
  const missing = permissionsOf({ role, permissions }).find((permission) => !mayAct(principal, permission));
  if (missing !== undefined)
    throw new Refusal('forbidden', `the key has the permission ${missing}, which the credential lacks`);
}

function isWithinLifetime(expiresAt: string): boolean {
  const leftMs = Date.parse(expiresAt) - Date.now();
  return leftMs > 0 && leftMs <= MAX_KEY_LIFETIME_DAYS * DAY_MS;
}

/** A key has the role of its creator or a lower one. A super administrator's key for another company has at most the role OWNER. */
function ownerOf(principal: Principal, companyId: CompanyId) {
  return {
    role: principal.companyId === companyId ? principal.role : ('OWNER' as const),
    createdBy: principal.kind === 'administrator' ? principal.administratorId : null,
  };
}

/** Throws `limit_reached`. Keys of one company are created one after the other, so that the count holds. */
async function requireRoom(em: EntityManager, companyId: CompanyId): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`api_key:${companyId}`]);
  const [active] = await em.execute<{ count: number }[]>(
    `select count(*)::integer as count from api_key where company_id = ? and is_active
     and coalesce(expires_at, 'infinity') > now() and coalesce(active_until, 'infinity') > now()`,
    [companyId],
  );
  if ((active?.count ?? 0) >= MAX_ACTIVE_KEYS)
    throw new Refusal('limit_reached', `a company has at most ${MAX_ACTIVE_KEYS} active keys`);
}

async function insertKey(
  em: EntityManager,
  credentials: CredentialProof,
  fields: Omit<ApiKeyClaims, 'id' | 'keyHash'> & {
    readonly name: string;
    readonly note: string | null;
    readonly createdBy: AdministratorId | null;
  },
  isProduction: boolean,
) {
  if (fields.createdBy != null) await requirePresent(em, fields.companyId, fields.createdBy);
  const { key, keyHash, keyPrefix } = generateApiKey(isProduction);
  const id = uuidv7() as ApiKeyId; // made in this function
  const proof = credentials.ofApiKey({ ...fields, id, keyHash });
  const permissions = fields.permissions === null ? null : [...fields.permissions];
  const made: FullRow<ApiKeyRow> = {
    ...{ ...fields, id, keyHash, keyPrefix, proof, permissions },
    ...{ isActive: true, lastUsedAt: null, activeUntil: null, revokedAt: null, createdAt: new Date() },
  };
  const row = em.create(ApiKeyRow, made);
  await em.persist(row).flush();
  return { row, key };
}
