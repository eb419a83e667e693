import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import type { AccountId } from '../../../src/domain/ids.ts';
import { ACCOUNT_TYPES } from '../../../src/domain/ledger/accounts.ts';
import type { HoldChange, Posting } from '../../../src/domain/ledger/postings.ts';
import { MAX_TOTAL_CENTS } from '../../../src/domain/money.ts';
import {
  addAnnAndBob,
  addCompany,
  type Books,
  balancesOf,
  fund,
  move,
  newHoldId,
  newId,
  newPosting,
  openBooks,
  type TestCompany,
  verdict,
} from './books.ts';

let books: Books;
let em: EntityManager;
let company: TestCompany;
let ann: AccountId;
let bob: AccountId;

beforeAll(async () => {
  books = await openBooks();
});
afterAll(() => books.close());
beforeEach(async () => {
  em = books.owner.em.fork();
  ({ company, ann, bob } = await addAnnAndBob(em));
});

async function verdicts(...postings: Partial<Posting>[]): Promise<string[]> {
  const outcomes = await postToLedger(
    em,
    postings.map((fields) => newPosting(company, fields)),
  );
  return outcomes.map(verdict);
}

const balances = (...accounts: AccountId[]) => balancesOf(em, ...accounts);

const place = (amountCents: bigint, holdId = newHoldId(), accountId = ann): HoldChange => ({
  kind: 'place',
  holdId,
  accountId,
  amountCents,
});
const count = async (table: string) => {
  const [row] = await em.execute<{ rows: number }[]>(
    `select count(*)::integer as rows from ${table} where company_id = ?`,
    [company.id],
  );
  return row?.rows;
};

describe('moving money', () => {
  test('changes both balances, and the entries record the new balances', async () => {
    expect(await verdicts({ amountCents: 300n, legs: move(ann, bob, 300n) })).toEqual(['posted']);
    expect(await balances(ann, bob)).toEqual([
      [700n, 0n, 700n],
      [300n, 0n, 300n],
    ]);
    const entries = await em.execute(
      'select account_id, amount, balance_after from entry where account_id in (?, ?) order by id',
      [ann, bob],
    );
    expect(entries).toEqual([
      { account_id: ann, amount: '1000', balance_after: '1000' },
      { account_id: ann, amount: '-300', balance_after: '700' },
      { account_id: bob, amount: '300', balance_after: '300' },
    ]);
  });

  test('later postings of a batch see earlier ones, and a refused one fails alone', async () => {
    const outcome = await verdicts(
      { legs: move(bob, ann, 1n) },
      { legs: move(ann, bob, 1_000n) },
      { legs: move(ann, bob, 1n) },
      { legs: move(bob, ann, 400n) },
    );
    expect(outcome).toEqual(['insufficient_funds', 'posted', 'insufficient_funds', 'posted']);
    expect(await balances(ann, bob)).toEqual([
      [400n, 0n, 400n],
      [600n, 0n, 600n],
    ]);
  });

  test('a refused posting leaves no trace', async () => {
    const before = await Promise.all([count('ledger_transaction'), count('entry'), count('hold')]);
    const legs = [...move(ann, bob, 1_000n), ...move(ann, bob, 1n)];
    expect(await verdicts({ legs, holds: [place(1n)] })).toEqual(['insufficient_funds']);
    expect(await Promise.all([count('ledger_transaction'), count('entry'), count('hold')])).toEqual(before);
    expect(await balances(ann, bob)).toEqual([
      [1_000n, 0n, 1_000n],
      [0n, 0n, 0n],
    ]);
  });

  test('a refusal for insufficient funds says what was available, and what the posting needed', async () => {
    const outcomes = await postToLedger(em, [
      newPosting(company, { legs: move(ann, bob, 400n), holds: [place(100n)] }),
      newPosting(company, { legs: move(ann, bob, 300n), holds: [place(201n)] }),
      newPosting(company, { legs: move(ann, bob, 501n) }),
    ]);
    expect(outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome.details : outcome.kind))).toEqual([
      'posted',
      { available: '500', requested: '501', currency: 'USD' },
      { available: '500', requested: '501', currency: 'USD' },
    ]);
  });

  test('checks the sum of a posting on an account, not the order of its legs', async () => {
    expect(await verdicts({ legs: [...move(bob, ann, 5n), ...move(ann, bob, 5n)] })).toEqual(['posted']);
  });

  test('posts nothing in a transaction that is rolled back', async () => {
    const kept = newPosting(company, { legs: move(ann, bob, 5n) });
    const fork = books.owner.em.fork();
    await fork.begin();
    expect((await postToLedger(fork, [kept])).map(verdict)).toEqual(['posted']);
    await fork.rollback();
    expect((await postToLedger(em, [kept])).map(verdict)).toEqual(['posted']);
  });

  test('a savepoint around a refused posting changes nothing about it', async () => {
    await books.owner.em.fork().transactional((outer) =>
      outer.transactional(async (inner) => {
        const refused = newPosting(company, { legs: move(bob, ann, 5n) });
        expect((await postToLedger(inner, [refused])).map(verdict)).toEqual(['insufficient_funds']);
      }),
    );
    expect(await count('ledger_transaction')).toBe(1);
  });

  test('busy accounts are credited without a lock, and the credits can be spent', async () => {
    const revenue = company.account('SERVICE_FEE');
    const locker = books.owner.em.fork();
    await locker.begin();
    await locker.execute('select from account where id = ? for update', [revenue]);
    expect(await verdicts({ legs: move(ann, revenue, 40n) })).toEqual(['posted']);
    await locker.rollback();
    expect(await balances(revenue)).toEqual([[40n, 0n, 40n]]);
    expect(await verdicts({ legs: move(revenue, bob, 41n) }, { legs: move(revenue, bob, 40n) })).toEqual([
      'insufficient_funds',
      'posted',
    ]);
    expect(await balances(revenue, bob)).toEqual([
      [0n, 0n, 0n],
      [40n, 0n, 40n],
    ]);
  });
});

describe('refusals', () => {
  test.each([
    ['an account that is not there', () => move(ann, newId<AccountId>(), 1n), 'unknown_account'],
    ['an account of another currency', () => move(ann, company.user(1, 'ZIG'), 1n), 'currency_mismatch'],
    ['more than there is', () => move(ann, bob, 1_001n), 'insufficient_funds'],
    ['more than the ledger counts', () => move(company.account('BANK'), bob, MAX_TOTAL_CENTS + 1n), 'amount_too_large'],
    ['more than a number holds', () => move(company.account('BANK'), bob, 10n ** 30n), 'amount_too_large'],
    [
      'a sum past what the ledger counts',
      () => move(company.account('BANK'), ann, MAX_TOTAL_CENTS),
      'amount_too_large',
    ],
  ])('%s', async (_, legs, expected) => {
    expect(await verdicts({ legs: legs() })).toEqual([expected]);
  });

  test('an amount beyond the ledger maximum', async () => {
    expect(await verdicts({ amountCents: 10n ** 30n })).toEqual(['amount_too_large']);
  });

  test('the largest total is kept to the cent, on locked and on appending accounts', async () => {
    const rest = MAX_TOTAL_CENTS - 1_000n;
    const bank = company.account('BANK');
    const own = company.account('COMPANY');
    expect(await verdicts({ legs: move(bank, ann, rest) }, { legs: move(bank, ann, 1n) })).toEqual([
      'posted',
      'amount_too_large',
    ]);
    expect(await verdicts({ legs: move(ann, own, MAX_TOTAL_CENTS) }, { legs: move(bank, own, 1n) })).toEqual([
      'posted',
      'amount_too_large',
    ]);
    expect(await verdicts({ holds: [place(MAX_TOTAL_CENTS, newHoldId(), bob)] })).toEqual(['insufficient_funds']);
  });

  test("another company's accounts count as unknown, except that the platform's fee account accepts credits", async () => {
    const other = await addCompany(em, { users: 1 });
    await fund(em, other, other.user(0), 100n);
    expect(await verdicts({ legs: move(other.user(0), ann, 1n) }, { legs: move(ann, other.user(0), 1n) })).toEqual([
      'unknown_account',
      'unknown_account',
    ]);
    await em.execute('update company set is_platform = false');
    const platform = await addCompany(em, { isPlatform: true });
    const fee = platform.account('SYSTEM_FEE');
    expect(await verdicts({ legs: move(ann, fee, 3n) }, { legs: move(fee, ann, 1n) })).toEqual([
      'posted',
      'unknown_account',
    ]);
    expect(await balances(fee)).toEqual([[3n, 0n, 3n]]);
    await em.execute('update company set is_platform = false');
  });
});

describe('holds', () => {
  test('lock an amount, are captured in parts, and give back the rest', async () => {
    const holdId = newHoldId();
    const capture = (amountCents: bigint): HoldChange => ({ kind: 'capture', holdId, accountId: ann, amountCents });
    const release: HoldChange = { kind: 'void', holdId, accountId: ann };

    expect(await verdicts({ type: 'ESCROW_HOLD', holds: [place(800n, holdId)] })).toEqual(['posted']);
    expect(await balances(ann)).toEqual([[1_000n, 800n, 200n]]);
    expect(await verdicts({ legs: move(ann, bob, 201n) })).toEqual(['insufficient_funds']);
    expect(await verdicts({ legs: move(ann, bob, 300n), holds: [capture(300n)] })).toEqual(['posted']);
    expect(await balances(ann)).toEqual([[700n, 500n, 200n]]);
    expect(await verdicts({ legs: move(ann, bob, 501n), holds: [capture(501n)] })).toEqual(['hold_exceeded']);
    expect(await verdicts({ legs: move(ann, bob, 400n), holds: [capture(400n), release] })).toEqual(['posted']);
    expect(await balances(ann, bob)).toEqual([
      [300n, 0n, 300n],
      [700n, 0n, 700n],
    ]);
    expect(await verdicts({ holds: [release] }, { legs: move(ann, bob, 1n), holds: [capture(1n)] })).toEqual([
      'hold_not_open',
      'hold_not_open',
    ]);
    const [hold] = await em.execute('select amount, remaining, status from hold where id = ?', [holdId]);
    expect(hold).toEqual({ amount: '800', remaining: '0', status: 'CLOSED' });
  });

  test('a hold can be placed on the credit of the same posting, used and closed within one batch', async () => {
    const holdId = newHoldId();
    const placed = place(50n, holdId, bob);
    const postings = [
      { legs: move(ann, bob, 50n), holds: [placed] },
      { legs: move(bob, ann, 1n) },
      { legs: move(bob, ann, 20n), holds: [{ kind: 'capture', holdId, accountId: bob, amountCents: 20n }] },
      { holds: [{ kind: 'void', holdId, accountId: bob }] },
      { holds: [{ kind: 'void', holdId, accountId: bob }] },
    ] satisfies Partial<Posting>[];
    expect(await verdicts(...postings)).toEqual(['posted', 'insufficient_funds', 'posted', 'posted', 'hold_not_open']);
    expect(await balances(bob)).toEqual([[30n, 0n, 30n]]);
  });

  test('a posting that fails restores every hold it touched', async () => {
    const [first, second] = [newHoldId(), newHoldId()];
    expect(await verdicts({ holds: [place(100n, first)] })).toEqual(['posted']);
    const holds: HoldChange[] = [
      { kind: 'capture', holdId: first, accountId: ann, amountCents: 60n },
      place(10n, second),
      { kind: 'void', holdId: second, accountId: ann },
      { kind: 'void', holdId: first, accountId: ann },
      { kind: 'void', holdId: first, accountId: ann },
    ];
    expect(await verdicts({ holds }, { holds: [place(5n, second)] })).toEqual(['hold_not_open', 'posted']);
    expect(await balances(ann)).toEqual([[1_000n, 105n, 895n]]);
  });

  test('a hold belongs to its account', async () => {
    const holdId = newHoldId();
    expect(
      await verdicts({ holds: [place(5n, holdId)] }, { holds: [{ kind: 'void', holdId, accountId: bob }] }),
    ).toEqual(['posted', 'hold_not_open']);
  });
});

describe('a frozen account', () => {
  test('refuses new debits and holds; credits, captures of existing holds and voids pass', async () => {
    const holdId = newHoldId();
    await verdicts({ holds: [place(500n, holdId)] });
    await em.execute('update account set is_frozen = true where id = ?', [ann]);
    const capture = (amountCents: bigint): HoldChange => ({ kind: 'capture', holdId, accountId: ann, amountCents });
    expect(
      await verdicts(
        { legs: move(ann, bob, 1n) },
        { holds: [place(1n)] },
        { legs: move(company.account('BANK'), ann, 1n) },
        { legs: move(ann, bob, 11n), holds: [capture(10n)] },
        { legs: move(ann, bob, 10n), holds: [capture(10n)] },
        { holds: [{ kind: 'void', holdId, accountId: ann }] },
      ),
    ).toEqual(['account_frozen', 'account_frozen', 'posted', 'account_frozen', 'posted', 'posted']);
    expect(await balances(ann)).toEqual([[991n, 0n, 991n]]);
  });

  test('holds only the amount that the same posting credits', async () => {
    await em.execute('update account set is_frozen = true where id = ?', [ann]);
    const legs = move(company.account('TRANSIT'), ann, 500n);
    expect(
      await verdicts(
        { legs, holds: [place(501n)] },
        { legs, holds: [place(250n), place(251n)] },
        { legs, holds: [place(500n)] },
      ),
    ).toEqual(['account_frozen', 'account_frozen', 'posted']);
    expect(await balances(ann)).toEqual([[1_500n, 500n, 1_000n]]);
  });

  test('can be an appending account, which is never locked', async () => {
    await em.execute('update account set is_frozen = true where id = ?', [company.account('COMPANY')]);
    expect(await verdicts({ legs: move(company.account('COMPANY'), ann, 1n) })).toEqual(['account_frozen']);
    expect(await verdicts({ legs: move(ann, company.account('COMPANY'), 1n) })).toEqual(['posted']);
  });
});

describe('the database itself refuses', () => {
  test.each([
    ['a changed entry', 'update entry set amount = amount + 1', 'never changed'],
    ['a deleted entry', 'delete from entry', 'never changed'],
    ['an emptied table of entries', 'truncate entry', 'never changed'],
    ['a deleted transaction', 'delete from ledger_transaction', 'never deleted'],
    ['a changed transaction', 'update ledger_transaction set amount = amount + 1', 'only the status'],
    ['a status that goes back', `update ledger_transaction set status = 'PENDING'`, 'cannot go from'],
    ['a deleted account', 'delete from account', 'never changed'],
    ['an overdrawn balance', `update account set posted = -1 where type = 'USER'`, 'account_not_overdrawn'],
    [
      'a user who may go negative',
      `update account set may_go_negative = true where type = 'USER'`,
      'account_contra_side',
    ],
    [
      'an unbalanced transaction',
      `insert into entry (transaction_id, account_id, company_id, amount, currency, created_at)
       select transaction_id, account_id, company_id, 1, currency, created_at from entry limit 1`,
      'not balanced',
    ],
  ])('%s, even to its owner', async (_, statement, message) => {
    await expect(em.execute(statement)).rejects.toThrow(message);
  });

  test('an unbalanced posting', async () => {
    const broken = { ...newPosting(company, {}), legs: [{ accountId: bob, amountCents: 1n }] };
    await expect(postToLedger(em, [broken])).rejects.toThrow('not balanced');
  });

  test('a status moves forward only: PROCESSING to COMPLETED to REVERSED', async () => {
    const posting = newPosting(company, { status: 'PROCESSING' });
    await postToLedger(em, [posting]);
    const to = (status: string) =>
      em.execute('update ledger_transaction set status = ? where id = ?', [status, posting.transactionId]);
    await to('COMPLETED');
    await to('REVERSED');
    await expect(to('COMPLETED')).rejects.toThrow('cannot go from REVERSED to COMPLETED');
  });

  test('a status of a withdrawal that goes back to PROCESSING; the bank may pay one that failed or was returned', async () => {
    const posting = newPosting(company, { status: 'PROCESSING', type: 'WITHDRAWAL' });
    await postToLedger(em, [posting]);
    const to = (status: string) =>
      em.execute('update ledger_transaction set status = ? where id = ?', [status, posting.transactionId]);
    for (const status of ['FAILED', 'COMPLETED', 'REVERSED', 'COMPLETED']) await to(status);
    await expect(to('PROCESSING')).rejects.toThrow('cannot go from COMPLETED to PROCESSING');
    await expect(to('FAILED')).rejects.toThrow('cannot go from COMPLETED to FAILED');
  });
});

test('the chart of accounts in code and the rows it makes agree', async () => {
  const rows = await em.execute<{ type: keyof typeof ACCOUNT_TYPES; may_go_negative: boolean; appends: boolean }[]>(
    'select distinct type, may_go_negative, appends from account where company_id = ?',
    [company.id],
  );
  for (const row of rows) {
    const { mayGoNegative, appends } = ACCOUNT_TYPES[row.type];
    expect(row).toEqual({ type: row.type, may_go_negative: mayGoNegative, appends });
  }
  expect(rows.map((row) => row.type).sort()).toEqual([
    'BANK',
    'CLEARING_CARD',
    'CLEARING_DECLARED',
    'CLEARING_MOBILE',
    'COMPANY',
    'SERVICE_FEE',
    'SUSPENSE',
    'TAX',
    'TRANSIT',
    'USER',
  ]);
});
