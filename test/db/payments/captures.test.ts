import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { inTenant } from '../../../src/db/core/orm.ts';
import { postToLedger } from '../../../src/db/ledger/post.ts';
import { findTransaction } from '../../../src/db/ledger/transactions.ts';
import { verifyLedger } from '../../../src/db/ledger/verify.ts';
import { assignCapture, capture } from '../../../src/db/payments/captures.ts';
import type { Depositor } from '../../../src/db/payments/deposits.ts';
import { reverse } from '../../../src/db/payments/reversals.ts';
import { Refusal } from '../../../src/domain/errors.ts';
import { type AccountId, commandThatMade, type TransactionId, type UserId } from '../../../src/domain/ids.ts';
import {
  addCompany,
  type Books,
  move,
  newId,
  newPosting,
  openBooks,
  readBalances,
  type TestCompany,
} from '../ledger/books.ts';
import { onceOf, openDepositor } from './depositing.ts';

let books: Books;
let company: TestCompany;
let depositor: Depositor;

beforeAll(async () => {
  books = await openBooks();
  depositor = openDepositor(books.api);
});
afterAll(() => books.close());
beforeEach(async () => {
  company = await addCompany(books.owner.em.fork());
});

const asApi = <T>(work: (em: EntityManager) => Promise<T>) => inTenant(books.api, company.id, work);

const receive = (reference: string, amountCents = 500n, transactionId = newId<TransactionId>()) =>
  asApi((em) => capture(em, { transactionId, companyId: company.id, amountCents, currency: 'USD', reference }));

async function userOf(accountId: AccountId): Promise<UserId> {
  const [row] = await books.owner.em
    .fork()
    .execute<{ user_id: UserId }[]>(
      'select l.user_id from account a join ledger l on l.id = a.ledger_id where a.id = ?',
      [accountId],
    );
  if (row === undefined) throw new Error('no such account');
  return row.user_id;
}

async function depositOf(externalReference: string, isTransit: boolean, amountCents = 500n): Promise<TransactionId> {
  const result = await tryDeposit({ externalReference, userReference: null }, isTransit, amountCents);
  if (result instanceof Refusal) throw result;
  return result;
}

async function tryDeposit(
  references: { readonly externalReference: string | null; readonly userReference: string | null },
  isTransit: boolean,
  amountCents = 500n,
): Promise<TransactionId | Refusal> {
  const transactionId = newId<TransactionId>();
  const userId = await userOf(company.user(0));
  const request = { companyId: company.id, userId, amountCents, currency: 'USD', ...references, isTransit } as const;
  const outcome = await depositor(onceOf(company.id, commandThatMade(transactionId)), request);
  return outcome instanceof Refusal ? outcome : transactionId;
}

/** Posted and held cents of each account in the test. */
async function balances() {
  const accounts = {
    user: company.user(0),
    bank: company.account('BANK'),
    declared: company.account('CLEARING_DECLARED'),
    transit: company.account('TRANSIT'),
    suspense: company.account('SUSPENSE'),
  };
  const found = await readBalances(books.owner.em.fork(), Object.values(accounts));
  return Object.fromEntries(
    Object.entries(accounts).map(([name, id]) => {
      const balance = found.get(id);
      return [name, `${balance?.postedCents}/${balance?.heldCents}`];
    }),
  );
}

const statusOf = async (id: TransactionId) => (await asApi((em) => findTransaction(em, company.id, id)))?.status;
const setCustomReference = async (reference: string) =>
  books.owner.em
    .fork()
    .execute('update app_user set custom_reference = ? where id = ?', [reference, await userOf(company.user(0))]);
const reversalOf = (reversedId: TransactionId, transactionId = newId<TransactionId>(), isChargeback = false) =>
  asApi((em) => reverse(em, { transactionId, companyId: company.id, reversedId, isChargeback }));

describe('a receipt', () => {
  test('settles the deposit in transit that equals it, and the money may be spent', async () => {
    const depositId = await depositOf('INV-1', true);
    expect(await balances()).toEqual({
      user: '500/500',
      bank: '0/0',
      declared: '0/0',
      transit: '-500/0',
      suspense: '0/0',
    });

    const captured = await receive('INV-1');

    expect(captured).toMatchObject({ matchedKind: 'TRANSIT_DEPOSIT', matchedId: depositId, possibleDuplicateOf: null });
    expect(await balances()).toEqual({
      user: '500/0',
      bank: '-500/0',
      declared: '0/0',
      transit: '0/0',
      suspense: '0/0',
    });
    expect(await statusOf(depositId)).toBe('COMPLETED');
  });

  test.each([
    ['another reference', 'INV-2', 500n],
    ['another amount', 'INV-1', 501n],
  ])('with %s settles nothing: it waits in SUSPENSE', async (_what, reference, amountCents) => {
    const depositId = await depositOf('INV-1', true);
    expect(await receive(reference, amountCents)).toMatchObject({
      matchedKind: 'SUSPENSE',
      matchedId: company.account('SUSPENSE'),
      possibleDuplicateOf: null,
    });
    expect(await statusOf(depositId)).toBe('PROCESSING');
  });

  test('with the custom reference of a user is credited to the user every time', async () => {
    await setCustomReference('RENT-7');
    for (const _month of [1, 2]) expect(await receive('RENT-7')).toMatchObject({ matchedKind: 'USER' });
    expect(await balances()).toEqual({
      user: '1000/0',
      bank: '-1000/0',
      declared: '0/0',
      transit: '0/0',
      suspense: '0/0',
    });
  });

  test('that equals a credited deposit is not credited twice, for any owner of its reference', async () => {
    await setCustomReference('RENT-7');
    const depositId = await depositOf('RENT-7', false);
    expect(await receive('RENT-7')).toMatchObject({ matchedKind: 'SUSPENSE', possibleDuplicateOf: depositId });
    expect(await balances()).toMatchObject({ user: '500/0', suspense: '500/0' });
  });

  test('under the same id is booked once', async () => {
    const id = newId<TransactionId>();
    const [first, again] = [await receive('INV-9', 500n, id), await receive('INV-9', 500n, id)];
    expect(again).toEqual(first);
    expect(await balances()).toMatchObject({ suspense: '500/0' });
  });

  test('of several that race for one deposit, one settles it and the rest wait in SUSPENSE', async () => {
    const depositId = await depositOf('INV-1', true);
    const captured = await Promise.all([1, 2, 3, 4].map(() => receive('INV-1')));
    const kinds = captured.map(({ matchedKind, possibleDuplicateOf }) => [matchedKind, possibleDuplicateOf]);
    expect(kinds.sort()).toEqual([...[1, 2, 3].map(() => ['SUSPENSE', depositId]), ['TRANSIT_DEPOSIT', null]]);
    expect(await balances()).toEqual({
      user: '500/0',
      bank: '-2000/0',
      declared: '0/0',
      transit: '0/0',
      suspense: '1500/0',
    });
  });
});

/** A deposit has the reference as its `externalReference`, which is unique, or as its `userReference`. */
type Act = 'named' | 'noted' | 'noted in transit' | 'capture';

/** What a deposit or capture of one reference must become, by the pairs that were formed before it. */
class PairingModel {
  readonly #deposits: { readonly id: TransactionId; isTransit: boolean; isPaired: boolean }[] = [];
  #unpairedCaptures = 0;

  expectedCapture(hasOwner: boolean): { kind: string; deposit: TransactionId | null } {
    const free = this.#deposits.filter(({ isPaired }) => !isPaired);
    const counterpart = free.find(({ isTransit }) => isTransit) ?? free[0];
    if (counterpart !== undefined) {
      counterpart.isPaired = true;
      return { kind: counterpart.isTransit ? 'TRANSIT_DEPOSIT' : 'SUSPENSE', deposit: counterpart.id };
    }
    this.#unpairedCaptures += 1;
    return { kind: hasOwner ? 'USER' : 'SUSPENSE', deposit: null };
  }

  /** Whether a deposit must be refused. */
  get isCaptured(): boolean {
    return this.#unpairedCaptures > 0;
  }

  deposited(id: TransactionId, isTransit: boolean): void {
    this.#deposits.push({ id, isTransit, isPaired: false });
  }
}

test('deposits and receipts of one reference pair one to one, oldest first, in any order', async () => {
  const acts = fc.array(fc.constantFrom<Act>('named', 'noted', 'noted in transit', 'capture', 'capture'), {
    minLength: 4,
    maxLength: 12,
  });
  const lives = fc.sample(fc.tuple(acts, fc.boolean()), { numRuns: 30, seed: 7 });
  for (const [index, [life, hasOwner]] of lives.entries()) {
    const reference = `INV-${index}`;
    if (hasOwner) await setCustomReference(reference);
    const model = new PairingModel();
    for (const [step, act] of life.entries()) {
      const at = { life, step, hasOwner };
      if (act === 'capture') {
        const expected = model.expectedCapture(hasOwner);
        const { matchedKind, matchedId, possibleDuplicateOf } = await receive(reference);
        expect({ ...at, kind: matchedKind }).toEqual({ ...at, kind: expected.kind });
        const named = matchedKind === 'TRANSIT_DEPOSIT' ? matchedId : possibleDuplicateOf;
        if (expected.deposit !== null) expect({ ...at, named }).toEqual({ ...at, named: expected.deposit });
        continue;
      }
      if (act === 'named' && life.indexOf('named') < step) continue;
      const references = act === 'named' ? [reference, null] : [null, reference];
      const [externalReference = null, userReference = null] = references;
      const isTransit = act === 'noted in transit';
      const result = await tryDeposit({ externalReference, userReference }, isTransit);
      expect({ ...at, isRefused: result instanceof Refusal }).toEqual({ ...at, isRefused: model.isCaptured });
      if (!(result instanceof Refusal)) model.deposited(result, isTransit);
    }
  }
});

describe('a receipt in SUSPENSE', () => {
  const assign = async (captureId: TransactionId, transactionId = newId<TransactionId>()) => {
    const userId = await userOf(company.user(0));
    return asApi((em) => assignCapture(em, { transactionId, companyId: company.id, captureId, userId }));
  };

  test('is credited to its user once under concurrent assignments', async () => {
    const { id } = await receive('who knows');
    const outcomes = await Promise.allSettled([assign(id), assign(id), assign(id)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'wrong_state' });
    expect(await balances()).toMatchObject({ user: '500/0', suspense: '0/0' });
  });

  test('assigned again under the same id answers the same', async () => {
    const { id } = await receive('who knows');
    const command = newId<TransactionId>();
    const [first, again] = [await assign(id, command), await assign(id, command)];
    expect(again).toEqual(first);
    expect(first).toMatchObject({ matchedKind: 'USER', accountId: company.user(0) });
  });

  test('cannot be assigned to a user of another company', async () => {
    const { id } = await receive('who knows');
    const request = { transactionId: newId<TransactionId>(), companyId: company.id, captureId: id };
    await expect(asApi((em) => assignCapture(em, { ...request, userId: newId() }))).rejects.toMatchObject({
      code: 'unknown_user',
    });
  });
});

describe('a reversal', () => {
  test('takes a settled deposit back from its account', async () => {
    const depositId = await depositOf('INV-1', false);
    await reversalOf(depositId);
    expect(await balances()).toEqual({ user: '0/0', bank: '0/0', declared: '0/0', transit: '0/0', suspense: '0/0' });
    expect(await statusOf(depositId)).toBe('REVERSED');
  });

  test('takes a deposit in transit back from its hold, and marks it as failed', async () => {
    const depositId = await depositOf('INV-1', true);
    await reversalOf(depositId);
    expect(await balances()).toEqual({ user: '0/0', bank: '0/0', declared: '0/0', transit: '0/0', suspense: '0/0' });
    expect(await statusOf(depositId)).toBe('FAILED');
    expect(await receive('INV-1')).toMatchObject({ matchedKind: 'SUSPENSE', possibleDuplicateOf: null });
  });

  test('takes a deposit that a receipt settled back from BANK, not from TRANSIT', async () => {
    const depositId = await depositOf('INV-1', true);
    const { id: captureId } = await receive('INV-1');
    await reversalOf(depositId);
    expect(await balances()).toEqual({ user: '0/0', bank: '0/0', declared: '0/0', transit: '0/0', suspense: '0/0' });
    await expect(reversalOf(captureId)).rejects.toMatchObject({ code: 'wrong_state' });
  });

  test('takes a receipt back from the account that has its money now', async () => {
    const { id } = await receive('who knows');
    const userId = await userOf(company.user(0));
    await asApi((em) => assignCapture(em, { transactionId: newId(), companyId: company.id, captureId: id, userId }));
    await reversalOf(id);
    expect(await balances()).toEqual({ user: '0/0', bank: '0/0', declared: '0/0', transit: '0/0', suspense: '0/0' });
  });

  test('is refused if the money was spent, and changes nothing', async () => {
    const depositId = await depositOf('INV-1', false);
    const legs = move(company.user(0), company.user(1), 1n);
    await postToLedger(books.owner.em.fork(), [newPosting(company, { legs })]);
    await expect(reversalOf(depositId)).rejects.toMatchObject({ code: 'insufficient_funds' });
    expect(await statusOf(depositId)).toBe('COMPLETED');
    expect(await balances()).toMatchObject({ user: '499/0', bank: '0/0', declared: '-500/0' });
  });

  test.each([
    ['spent in part', 200n, false, ['0/0', -200n]],
    ['spent', 500n, false, ['0/0', -500n]],
    ['there', 0n, false, ['0/0', 0n]],
    ['on a frozen account', 0n, true, ['500/0', -500n]],
  ] as const)(
    'for a chargeback takes what there is of money that is %s; the rest is owed',
    async (_, spent, isFrozen, left) => {
      const depositId = await depositOf('INV-1', false);
      if (spent > 0n)
        await postToLedger(books.owner.em.fork(), [
          newPosting(company, { legs: move(company.user(0), company.user(1), spent) }),
        ]);
      if (isFrozen)
        await books.owner.em.fork().execute('update account set is_frozen = true where id = ?', [company.user(0)]);
      await reversalOf(depositId, newId(), true);
      expect(await statusOf(depositId)).toBe('REVERSED');
      const [owed] = await books.owner.em.fork().execute<{ cents: string }[]>(
        `select coalesce(sum(e.amount), 0)::text as cents from account a join entry e on e.account_id = a.id
         where a.company_id = ? and a.type = 'RECEIVABLE'`,
        [company.id],
      );
      const { user, bank, declared } = await balances();
      expect([user, BigInt(owed?.cents ?? 0)]).toEqual(left);
      expect([bank, declared]).toEqual(['0/0', '0/0']);
      await expect(reversalOf(depositId, newId(), true)).rejects.toMatchObject({ code: 'wrong_state' });
    },
  );

  test('happens once, for repeated and simultaneous requests', async () => {
    const depositId = await depositOf('INV-1', false);
    const command = newId<TransactionId>();
    await Promise.all([reversalOf(depositId, command), reversalOf(depositId, command)]);
    await expect(reversalOf(depositId)).rejects.toMatchObject({ code: 'wrong_state' });
    expect(await balances()).toMatchObject({ user: '0/0', bank: '0/0', declared: '0/0' });
  });

  test('is possible for receipts only', async () => {
    const { id } = await receive('who knows');
    const assignment = newId<TransactionId>();
    const userId = await userOf(company.user(0));
    await asApi((em) => assignCapture(em, { transactionId: assignment, companyId: company.id, captureId: id, userId }));
    await expect(reversalOf(assignment)).rejects.toMatchObject({ code: 'wrong_state' });
    await expect(reversalOf(newId())).rejects.toMatchObject({ code: 'not_found' });
  });
});

test('the books balance at the end', async () => {
  expect(await verifyLedger(books.worker.em.fork(), null, { booksOnly: true })).toMatchObject({
    ok: true,
    mismatches: [],
  });
});
