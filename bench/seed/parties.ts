import { randomUUID } from 'node:crypto';
import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { generateApiKey } from '../../src/api/auth/api-keys.ts';
import { FieldCipher, type FieldKey } from '../../src/db/core/field-cipher.ts';
import { inTenant } from '../../src/db/core/orm.ts';
import { registerCompany } from '../../src/db/identity/companies.ts';
import { CredentialProof } from '../../src/db/identity/credential-proof.ts';
import { createUser } from '../../src/db/identity/users.ts';
import { countAccounts, findAccounts } from '../../src/db/ledger/accounts.ts';
import { seedApiKey, seedPlatform } from '../../src/db/operations/seed.ts';
import { type AdministratorId, type CompanyId, publicId, type UserId } from '../../src/domain/ids.ts';
import type { AccountType } from '../../src/domain/ledger/accounts.ts';
import type { MarketInfo } from '../market.ts';
import { inParallel } from '../measure.ts';
import type { Parties } from './steps.ts';

/** The seeded companies' parties and accounts. */

const SEEDED_AT_ONCE = 4;

export type PartiesOptions = {
  readonly fieldKey: FieldKey;
  /** The company's name: it distinguishes seedings. */
  readonly name: string;
  readonly users: number;
  /** The company's name in addresses. */
  readonly slug?: string;
};

/** Creates the company, its users and their accounts, or finds those of an interrupted run. */
export async function openParties(
  orm: MikroORM,
  { fieldKey, name, users, slug = 'bench' }: PartiesOptions,
): Promise<Parties> {
  const cipher = new FieldCipher([fieldKey]);
  const credentials = new CredentialProof([fieldKey]);
  const platformId = await seedPlatform(orm, credentials, { email: 'platform@bench.example', passwordHash: 'none' });
  const { companyId, administratorId, since } = await openCompany(orm, credentials, name, slug);
  const filter = { type: 'USER', currency: 'USD' } as const;
  const parties = await inTenant(orm, companyId, async (em) => {
    for (let number = await countAccounts(em, companyId, filter); number < users; number += 1)
      await createUser(em, cipher, companyId, uuidv7() as UserId /** made here */, {
        mobileNumber: `+2637${String(number).padStart(8, '0')}`,
        idNumber: String(number),
        firstName: `User ${number}`,
        lastName: null,
        email: null,
        metadata: {},
        customReference: null,
        bankAccount: null,
      });
    const all = await findAccounts(em, companyId, filter, { limit: users, offset: 0 });
    return all.map(({ id, userId }) => ({ user: userId as UserId, account: id })); // users' accounts have users
  });
  const em = orm.em.fork();
  const own = async (companyId: CompanyId, type: AccountType) => {
    const [account] = await findAccounts(em, companyId, { type, currency: 'USD' });
    if (account === undefined) throw new Error(`no ${type} account`);
    return account.id;
  };
  await em.execute(`select intercompany_account(id, 'USD') from unnest(array[?, ?]::uuid[]) c(id)`, [
    companyId,
    platformId,
  ]);
  return {
    companyId,
    administratorId,
    feesSince: since.toISOString(),
    buyers: parties.slice(0, users / 2),
    sellers: parties.slice(users / 2),
    bank: await own(companyId, 'CLEARING_DECLARED'),
    serviceFee: await own(companyId, 'SERVICE_FEE'),
    systemFee: await own(platformId, 'SYSTEM_FEE'),
  };
}

type OpenedCompany = { companyId: CompanyId; administratorId: AdministratorId; since: Date };

async function openCompany(
  orm: MikroORM,
  credentials: CredentialProof,
  name: string,
  slug: string,
): Promise<OpenedCompany> {
  const [known] = await orm.em.fork().execute<{ id: CompanyId; name: string; owner: AdministratorId; at: Date }[]>(
    `select c.id, c.name, a.id as owner, c.created_at as at
       from company c join administrator a on a.company_id = c.id where c.slug = ?`,
    [slug],
  );
  if (known !== undefined) {
    if (known.name !== name)
      throw new Error(`There are entries already: ${known.name}. Remove the directory (BENCH_DIR) to begin afresh.`);
    return { companyId: known.id, administratorId: known.owner, since: new Date(known.at) };
  }
  const { company, administrator } = await registerCompany(orm, credentials, {
    name,
    slug,
    isPlatform: false,
    administrator: {
      firstName: 'Bench',
      lastName: 'Owner',
      email: `owner@${slug}.example`,
      passwordHash: 'none',
      role: 'OWNER',
      mustChangePassword: false,
    },
  });
  return { companyId: company.id, administratorId: administrator.id, since: company.createdAt };
}

/** Where users of a seeded company act: its key, and two of them. */
export type SeededMarket = MarketInfo['demo'] & { readonly parties: Parties };

/**
 * Adds `count` companies, each with an API key and `users`, by the functions that the service writes them with. Their owners have no
 * password, whose hash would take longer than all else.
 */
export async function seedMarkets(
  orm: MikroORM,
  { fieldKey, count, users = 2 }: { readonly fieldKey: FieldKey; readonly count: number; readonly users?: number },
  show: (done: number) => void = () => undefined,
): Promise<SeededMarket[]> {
  const credentials = new CredentialProof([fieldKey]);
  const markets: SeededMarket[] = [];
  await inParallel(count, SEEDED_AT_ONCE, async () => {
    const id = randomUUID();
    const parties = await openParties(orm, { fieldKey, name: `Market ${id}`, users, slug: `bench-${id}` });
    const { key: apiKey, ...stored } = generateApiKey(false);
    await seedApiKey(orm, credentials, parties.companyId, { ...stored, role: 'OWNER' });
    const [buyer, seller] = [parties.buyers[0], parties.sellers[0]];
    if (buyer === undefined || seller === undefined) throw new Error('a market has a buyer and a seller');
    markets.push({
      companyId: publicId('company', parties.companyId),
      apiKey,
      buyerId: publicId('user', buyer.user),
      sellerId: publicId('user', seller.user),
      parties,
    });
    show(markets.length);
  });
  return markets;
}
