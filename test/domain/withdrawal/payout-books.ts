import type { Posting } from '../../../src/domain/ledger/postings.ts';
import { withReceivable } from '../../../src/domain/withdrawal/postings.ts';
import {
  debitCents,
  type Withdrawal,
  type WithdrawalEvent,
  type WithdrawalTerms,
} from '../../../src/domain/withdrawal/withdrawal.ts';

/** A ledger in memory for one withdrawal: keys, balances, one hold, and accounts from which others spend. */
export class Books {
  readonly #posted = new Map<string, string>();
  readonly #balances = new Map<string, bigint>([
    ['account', 20_000n],
    ['tax', 0n],
  ]);
  readonly #spent = new Map<string, bigint>();
  /** What the account could not pay of the latest payment. */
  #debtCents = 0n;
  #held = 0n;
  #isHoldOpen = false;

  /** Others spend the available money of the account and the tax account, or return it. */
  spend(account: boolean, tax: boolean): void {
    for (const [name, isSpent, locked] of [
      ['account', account, this.#held],
      ['tax', tax, 0n],
    ] as const) {
      const free = this.#balanceOf(name) - locked;
      const change = isSpent ? -free : (this.#spent.get(name) ?? 0n);
      this.#balances.set(name, this.#balanceOf(name) + change);
      this.#spent.set(name, (this.#spent.get(name) ?? 0n) - change);
    }
  }

  /** The event's postings with the part that is a receivable, as the database divides them. */
  divide(postings: readonly Posting[], { type }: WithdrawalEvent, terms: WithdrawalTerms): readonly Posting[] {
    if (type !== 'SETTLED_LATE' && type !== 'RETURNED') return postings;
    const shortCents = debitCents(terms) - (this.#balanceOf('account') - this.#held);
    const newDebtCents = type === 'SETTLED_LATE' && shortCents > 0n ? shortCents : 0n;
    const dividedCents = type === 'SETTLED_LATE' ? newDebtCents : this.#debtCents;
    this.#debtCents = newDebtCents;
    return postings.map((one) => withReceivable(one, terms, dividedCents));
  }

  accepts(postings: readonly Posting[]): boolean {
    return postings.every(({ key, legs, holds }) => {
      if (this.#posted.has(key)) return true;
      const captured = holds.some(({ kind }) => kind === 'capture');
      return legs.every(({ accountId, amountCents }) => {
        if (amountCents > 0n || accountId === 'bank' || accountId === 'receivable') return true;
        const locked = accountId === 'account' && !captured ? this.#held : 0n;
        return this.#balanceOf(accountId) + amountCents >= locked;
      });
    });
  }

  post(postings: readonly Posting[]): void {
    for (const { key, legs, holds, type } of postings) {
      const content = JSON.stringify([type, legs, holds], (_name, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      );
      const before = this.#posted.get(key);
      if (before !== undefined && before !== content) throw new Error(`${key} was posted with other content`);
      if (before !== undefined) continue;
      this.#posted.set(key, content);
      for (const { accountId, amountCents } of legs)
        this.#balances.set(accountId, this.#balanceOf(accountId) + amountCents);
      for (const change of holds) {
        if (change.kind === 'place') {
          if (this.#isHoldOpen) throw new Error('held twice');
          this.#isHoldOpen = true;
          this.#held = change.amountCents;
        } else {
          if (!this.#isHoldOpen) throw new Error('unlocked twice');
          this.#held = change.kind === 'void' ? 0n : this.#held - change.amountCents;
          this.#isHoldOpen = change.kind !== 'void';
        }
      }
    }
  }

  /** Throws if the money does not agree with the status. */
  check({ status, terms, owedTaxId }: Withdrawal): void {
    const own = (name: string) => this.#balanceOf(name) + (this.#spent.get(name) ?? 0n);
    const isPaid = status === 'COMPLETED';
    const expected = {
      held: status === 'PROCESSING' ? debitCents(terms) : 0n,
      account: 20_000n - (isPaid ? debitCents(terms) - this.#debtCents : 0n),
      bank: isPaid ? terms.amountCents : 0n,
      // Only the latest verdict of the bank can leave an open debt: it settles the debt of an earlier one.
      receivable: isPaid ? -this.#debtCents : owedTaxId === null ? 0n : -terms.taxCents,
      tax: isPaid || owedTaxId !== null ? terms.taxCents : 0n,
    };
    const actual = {
      held: this.#held,
      account: own('account'),
      bank: own('bank'),
      receivable: own('receivable'),
      tax: own('tax'),
    };
    for (const name of ['held', 'account', 'bank', 'receivable', 'tax'] as const)
      if (actual[name] !== expected[name])
        throw new Error(`${status}: ${name} is ${actual[name]}, not ${expected[name]}`);
    const others = own('tax') + own('receivable') + own('account') - 20_000n + own('bank');
    if (others !== 0n) throw new Error(`the books are off by ${others}`);
  }

  #balanceOf(name: string): bigint {
    return this.#balances.get(name) ?? 0n;
  }
}
