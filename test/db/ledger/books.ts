import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { connect } from '../../../src/db/core/orm.ts';
import { type OpenedLedger, openCompanyLedger, openUserLedger } from '../../../src/db/ledger/open-ledgers.ts';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { type LedgerVerification, type VerifyOptions, verifyLedger } from '../../../src/db/ledger/verify.ts';
import type { AccountId, CompanyId, HoldId, TransactionId, UserId } from '../../../src/domain/ids.ts';
import type { AccountType } from '../../../src/domain/ledger/accounts.ts';
import { type Leg, type Posting, type PostingResult, posting } from '../../../src/domain/ledger/postings.ts';
import type { Currency } from '../../../src/domain/money.ts';
import { freshDatabase, type TestDatabase } from '../../support/database.ts';

/** A separate database, with a connection for each role. */
export type Books = {
  readonly database: TestDatabase;
  /** Owns the schema: bypasses row-level security, and can disable triggers. */
  readonly owner: MikroORM;
  readonly api: MikroORM;
  readonly worker: MikroORM;
  close(): Promise<void>;
};

export async function openBooks(poolMax = 4): Promise<Books> {
  const database = await freshDatabase();
  const open = (databaseUrl: string) => connect({ databaseUrl, poolMax, applicationName: 'test' });
  const [owner, api, worker] = await Promise.all([
    open(database.ownerUrl),
    open(database.apiUrl),
    open(database.workerUrl),
  ]);
  const close = async () => {
    await Promise.all([owner.close(), api.close(), worker.close()]);
    await eventually(() => database.drop()); // the server may not have noticed yet that our connections ended
  };
  return { database, owner, api, worker, close };
}

/** Audits the books only, because postings of tests have no request or event as their cause. */
export function verifyBooks(
  em: EntityManager,
  companyId: CompanyId | null,
  options: VerifyOptions = {},
): Promise<LedgerVerification> {
  return verifyLedger(em, companyId, { booksOnly: true, ...options });
}

const PATIENCE_MS = 90_000;

/** Retries until it succeeds; throws the last error after the time limit. */
export async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

export type TestCompany = {
  readonly id: CompanyId;
  account(type: AccountType, currency?: Currency): AccountId;
  /** The USD (or other) account of the user with that number. */
  user(number: number, currency?: Currency): AccountId;
};

export async function addCompany(
  em: EntityManager,
  { users = 2, isPlatform = false }: { users?: number; isPlatform?: boolean } = {},
): Promise<TestCompany> {
  const companyId = newId<CompanyId>();
  await em.execute('insert into company (id, name, slug, is_platform) values (?, ?, ?, ?)', [
    companyId,
    'Test',
    companyId,
    isPlatform,
  ]);
  const own = await openCompanyLedger(em, { companyId, name: 'Test', isPlatform });
  const ledgers: OpenedLedger[] = [];
  for (let number = 0; number < users; number += 1) {
    const userId = newId<UserId>();
    await em.execute('insert into app_user (id, company_id, mobile_number, id_number) values (?, ?, ?, ?)', [
      userId,
      companyId,
      `+${number}`,
      `test.${'0'.repeat(40)}`,
    ]);
    ledgers.push(await openUserLedger(em, { companyId, userId, name: `User ${number}` }));
  }
  return {
    id: companyId,
    account: (type, currency = 'USD') => find(own, type, currency),
    user: (number, currency = 'USD') => find(ledgers[number], 'USER', currency),
  };
}

function find(ledger: OpenedLedger | undefined, type: AccountType, currency: Currency): AccountId {
  const account = ledger?.accounts.find((candidate) => candidate.type === type && candidate.currency === currency);
  if (account === undefined) throw new Error(`no ${type} account in ${currency}`);
  return account.id;
}

/** A posting with its own id and key; `fields` overrides what matters to the test. */
export function newPosting(company: TestCompany, fields: Partial<Posting>): Posting {
  return posting({
    transactionId: newId<TransactionId>(),
    companyId: company.id,
    key: uuidv7(),
    type: 'PAYMENT',
    status: 'COMPLETED',
    amountCents: 1n,
    currency: 'USD',
    reference: null,
    escrowId: null,
    metadata: {},
    legs: [],
    holds: [],
    ...fields,
  });
}

export function move(from: AccountId, to: AccountId, amountCents: bigint): Leg[] {
  return [
    { accountId: from, amountCents: -amountCents },
    { accountId: to, amountCents },
  ];
}

/** A company with two users: Ann with 1000 cents, and Bob with nothing. */
export async function addAnnAndBob(em: EntityManager) {
  const company = await addCompany(em, { users: 2 });
  const [ann, bob] = [company.user(0), company.user(1)];
  await fund(em, company, ann, 1_000n);
  return { company, ann, bob };
}

/** Money from the outside world. */
export async function fund(
  em: EntityManager,
  company: TestCompany,
  to: AccountId,
  amountCents: bigint,
  currency: Currency = 'USD',
): Promise<void> {
  const legs = move(company.account('BANK', currency), to, amountCents);
  const outcomes = await postToLedger(em, [newPosting(company, { type: 'DEPOSIT', amountCents, currency, legs })]);
  if (outcomes[0]?.kind !== 'posted') throw new Error(`funding failed: ${JSON.stringify(outcomes)}`);
}

/** `posted`, `duplicate`, or the code of the refusal. */
export function verdict(outcome: PostingResult | undefined): string {
  if (outcome === undefined) return 'missing';
  return outcome.kind === 'refused' ? outcome.code : outcome.kind;
}

export function newHoldId(): HoldId {
  return newId<HoldId>();
}

export function newId<T extends string>(): T {
  return uuidv7() as T; // a fresh id becomes an id of its kind
}

export type Balance = {
  readonly postedCents: bigint;
  readonly heldCents: bigint;
  /** posted − held: the available balance. */
  readonly availableCents: bigint;
};

/** Current balances, unfolded deltas included. Accounts that do not exist or are not visible are missing. */
export async function readBalances(
  em: EntityManager,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, Balance>> {
  const rows = await em.execute<{ id: AccountId; posted: string; held: string }[]>(
    `select a.id, a.held, (a.posted + coalesce(
       (select sum(d.amount) from account_delta d where d.account_id = a.id), 0))::bigint as posted
     from account a where a.id = any (?::uuid[])`,
    [`{${accountIds.join(',')}}`],
  );
  return new Map(
    rows.map((row) => {
      const postedCents = BigInt(row.posted);
      const heldCents = BigInt(row.held);
      return [row.id, { postedCents, heldCents, availableCents: postedCents - heldCents }];
    }),
  );
}

/** The posted, held and available cents of each account. */
export async function balancesOf(em: EntityManager, ...accountIds: readonly AccountId[]): Promise<bigint[][]> {
  const found = await readBalances(em, accountIds);
  return accountIds.map((id) => {
    const balance = found.get(id);
    return balance === undefined ? [] : [balance.postedCents, balance.heldCents, balance.availableCents];
  });
}
