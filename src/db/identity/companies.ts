import { type EntityManager, LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { AdministratorId, ApiKeyId, CompanyId } from '../../domain/ids.ts';
import { lookAlikeKey } from '../../domain/look-alike.ts';
import { type Authority, isWithin, type Role } from '../../domain/roles.ts';
import { violatedUnique } from '../core/database-errors.ts';
import { inTenant } from '../core/orm.ts';
import { Administrator, ApiKey, Company } from '../entities/tenancy.ts';
import { openCompanyLedger } from '../ledger/open-ledgers.ts';
import type { CredentialProof } from './credential-proof.ts';

/** The columns of an administrator without a second factor. */
export const NO_FACTOR = { totpSecret: null, totpEnabled: false, recoveryHashes: [], totpUsedStep: 0 };

const MAX_SLUG_CHARACTERS = 60;
const SLUG_ATTEMPTS = 5;
const MAX_OWNERS = 20;

type NewAdministrator = {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly mustChangePassword: boolean;
};

type Registered = { readonly company: Company; readonly administrator: Administrator };

type NewCompany = {
  readonly name: string;
  /** If it is taken, the company is refused. Absent: derived from the name, and made unique. */
  readonly slug: string | null;
  readonly isPlatform: boolean;
  readonly administrator: NewAdministrator;
};

/**
 * Creates a tenant with all that it needs: company, ledger with its accounts, first administrator. Throws `already_exists` for
 * a slug or an e-mail address that is taken. `record` runs in the transaction.
 */
export async function registerCompany(
  orm: MikroORM,
  credentials: CredentialProof,
  input: NewCompany,
  record: (em: EntityManager, made: Registered) => Promise<void> = async () => undefined,
): Promise<Registered> {
  for (let attempt = 1; ; attempt++) {
    const companyId = uuidv7() as CompanyId; // made in this function
    const slug = input.slug ?? slugOf(input.name, attempt === 1 ? '' : companyId.slice(-6));
    try {
      return await inTenant(orm, companyId, async (em) => {
        const made = await insertCompany(em, credentials, companyId, slug, input);
        await record(em, made);
        return made;
      });
    } catch (error) {
      const constraint = violatedUnique(error);
      if (constraint === undefined) throw error;
      const isOurSlug = constraint === 'company_slug_key' && input.slug === null;
      if (!isOurSlug || attempt === SLUG_ATTEMPTS)
        throw new Refusal(
          'already_exists',
          constraint === 'company_slug_key' ? 'the slug is taken' : 'the e-mail is taken',
        );
    }
  }
}

async function insertCompany(
  em: EntityManager,
  credentials: CredentialProof,
  companyId: CompanyId,
  slug: string,
  input: NewCompany,
) {
  const now = new Date();
  const company = em.create(Company, {
    id: companyId,
    name: input.name,
    nameKey: lookAlikeKey(input.name),
    slug,
    isPlatform: input.isPlatform,
    createdAt: now,
    updatedAt: now,
  });
  await em.persist(company).flush();
  await openCompanyLedger(em, { companyId, name: input.name, isPlatform: input.isPlatform });
  return { company, administrator: await addAdministrator(em, credentials, companyId, input.administrator) };
}

/** Adds an administrator to a company. Throws `already_exists` if any company has an administrator with this e-mail address. */
export async function addAdministrator(
  em: EntityManager,
  credentials: CredentialProof,
  companyId: CompanyId,
  input: NewAdministrator,
): Promise<Administrator> {
  const row = {
    id: uuidv7() as AdministratorId, // made in this function
    companyId,
    ...input,
    tokenVersion: 1,
    ...NO_FACTOR,
    factorVersion: 0,
    createdAt: new Date(),
  };
  const administrator = em.create(Administrator, { ...row, proof: credentials.ofAdministrator(row) });
  await em.persist(administrator).flush();
  return administrator;
}

/**
 * Removes an administrator, ends their tokens, and revokes the keys that they created. Returns the ids of the revoked keys.
 * Throws `not_found`, `owner_protected`, and `forbidden` for an administrator who may do what `own` may not.
 */
export async function removeAdministrator(
  em: EntityManager,
  companyId: CompanyId,
  id: AdministratorId,
  own: Authority,
): Promise<ApiKeyId[]> {
  const lockMode = LockMode.PESSIMISTIC_WRITE; // waits for keys that the administrator is creating, see `requirePresent`
  const row = await em.findOne(Administrator, { id, companyId, removedAt: null }, { lockMode });
  if (row === null) throw new Refusal('not_found', 'administrator not found');
  if (row.role === 'OWNER' || row.role === 'SUPER_ADMIN') throw new Refusal('owner_protected');
  // Otherwise a restricted key could revoke keys with more permissions than its own.
  if (!isWithin({ role: row.role, permissions: null }, own))
    throw new Refusal('forbidden', 'this key may not remove an administrator with more permissions than its own');
  const now = new Date();
  em.assign(row, { removedAt: now, tokenVersion: row.tokenVersion + 1 }); // not signed again: nobody gets in with it
  const keys = await em.find(ApiKey, { companyId, createdBy: id, isActive: true }, { orderBy: { createdAt: 'asc' } });
  for (const key of keys) em.assign(key, { isActive: false, revokedAt: now });
  await em.flush();
  return keys.map((key) => key.id);
}

/**
 * Prevents the removal of an administrator until `em`'s transaction ends. Throws `unauthenticated` if the administrator has
 * been removed. A key is created in this transaction, so that no key outlives its creator.
 */
export async function requirePresent(em: EntityManager, companyId: CompanyId, id: AdministratorId): Promise<void> {
  const lockMode = LockMode.PESSIMISTIC_READ;
  const row = await em.findOne(Administrator, { id, companyId }, { lockMode });
  if (row?.removedAt != null) throw new Refusal('unauthenticated');
}

/** The e-mail addresses of the company's owners; of the platform, those of its super administrators. */
export async function ownersOf(em: EntityManager, companyId: CompanyId): Promise<string[]> {
  const owners = { companyId, role: { $in: ['OWNER', 'SUPER_ADMIN'] as Role[] }, removedAt: null };
  const rows = await em.find(Administrator, owners, { fields: ['email'], limit: MAX_OWNERS });
  return rows.map(({ email }) => email);
}

/** Lower-case letters, digits and single dashes. */
function slugOf(name: string, suffix: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARACTERS)
    .replace(/^-+|-+$/g, '');
  return [plain === '' ? 'company' : plain, suffix].filter((part) => part !== '').join('-');
}

/** A logo by the hex of its SHA-256, before the tenant is known. It is a PNG image. */
export async function findLogo(em: EntityManager, digest: string): Promise<Buffer | null> {
  const [row] = await em.execute<{ content: Buffer | null }[]>('select company_logo_by_digest(?) as content', [digest]);
  return row?.content ?? null;
}
