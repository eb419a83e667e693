import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import type { ApiKeyId, CompanyId, UserId } from '../../domain/ids.ts';
import type { FieldCipher } from '../core/field-cipher.ts';
import { inTenant } from '../core/orm.ts';
import { Administrator, ApiKey, AppUser } from '../entities/tenancy.ts';
import { registerCompany } from '../identity/companies.ts';
import type { CredentialProof } from '../identity/credential-proof.ts';
import { personHashes } from '../identity/person-hashes.ts';
import { findPlatformCompany } from '../identity/platform-company.ts';
import { findAdministrator } from '../identity/sessions.ts';
import { createUser } from '../identity/users.ts';

/** The data that registration requires, and demo data for new users. */

type PlatformAdministrator = { readonly email: string; readonly passwordHash: string };

/** Creates the platform's own company with its administrator, once. Returns its id, whether it was created now or before. */
export async function seedPlatform(
  orm: MikroORM,
  credentials: CredentialProof,
  administrator: PlatformAdministrator,
): Promise<CompanyId> {
  const existing = await findPlatformCompany(orm.em.fork());
  if (existing !== null) return existing;
  const { company } = await registerCompany(orm, credentials, {
    name: 'Platform',
    slug: 'platform',
    isPlatform: true,
    administrator: {
      firstName: 'Platform',
      lastName: 'Administrator',
      email: administrator.email,
      passwordHash: administrator.passwordHash,
      role: 'SUPER_ADMIN',
      mustChangePassword: false,
    },
  });
  return company.id;
}

/** Creates a demo company with an owner, a buyer and a seller, once. */
export async function seedDemo(
  orm: MikroORM,
  credentials: CredentialProof,
  cipher: FieldCipher,
  owner: { readonly email: string; readonly passwordHash: string },
): Promise<{ companyId: CompanyId; buyerId: UserId; sellerId: UserId }> {
  await personHashes(orm.em.fork(), cipher); // makes their key, which needs a connection beside that of a transaction
  const known = await findAdministrator(orm.em.fork(), credentials, { email: owner.email });
  const companyId =
    known?.companyId ??
    (
      await registerCompany(orm, credentials, {
        name: 'Demo Market',
        slug: null,
        isPlatform: false,
        administrator: { firstName: 'Demo', lastName: 'Owner', role: 'OWNER', mustChangePassword: false, ...owner },
      })
    ).company.id;
  const buyerId = await seedUser(orm, cipher, companyId, {
    mobileNumber: '+263771000001', // not one that the sandbox answers in a fixed way
    firstName: 'Demo',
    lastName: 'Buyer',
  });
  const sellerId = await seedUser(orm, cipher, companyId, {
    mobileNumber: '+263771000002',
    firstName: 'Demo',
    lastName: 'Seller',
  });
  return { companyId, buyerId, sellerId };
}

async function seedUser(
  orm: MikroORM,
  cipher: FieldCipher,
  companyId: CompanyId,
  person: { readonly mobileNumber: string; readonly firstName: string; readonly lastName: string },
): Promise<UserId> {
  return inTenant(orm, companyId, async (em) => {
    const known = await em.findOne(AppUser, { companyId, mobileNumber: person.mobileNumber });
    if (known !== null) return known.id;
    const user = await createUser(em, cipher, companyId, uuidv7() as UserId /** made in this function */, {
      ...person,
      idNumber: 'DEMO-0000',
      email: null,
      metadata: {},
      customReference: null,
      bankAccount: null,
    });
    return user.id;
  });
}

/** Makes sure that a company's key exists and is active: the embedded stack keeps its keys in a file. */
export async function seedApiKey(
  orm: MikroORM,
  credentials: CredentialProof,
  companyId: CompanyId,
  key: { readonly keyHash: Buffer; readonly keyPrefix: string; readonly role: 'OWNER' | 'SUPER_ADMIN' },
): Promise<void> {
  await inTenant(orm, companyId, async (em) => {
    if ((await em.count(ApiKey, { companyId, keyHash: key.keyHash })) > 0) return;
    const maker = await em.findOneOrFail(Administrator, { companyId, role: key.role, removedAt: null });
    const row = {
      id: uuidv7() as ApiKeyId, // made in this function
      companyId,
      name: 'Embedded stack',
      ...key,
      permissions: null,
      expiresAt: null,
      isActive: true,
      createdBy: maker.id,
      createdAt: new Date(),
    };
    await em.insert(ApiKey, { ...row, proof: credentials.ofApiKey(row) });
  });
}
