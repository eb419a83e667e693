import type { AccountId, HoldId, TransactionId } from '../../../src/domain/ids.ts';
import type { Posting, PostingRefusal } from '../../../src/domain/ledger/postings.ts';

type ModelAccount = { posted: bigint; held: bigint; isFrozen: boolean; readonly mayGoNegative: boolean };
type ModelHold = { readonly accountId: AccountId; readonly remaining: bigint; readonly isOpen: boolean };

export type ModelOutcome =
  | { readonly kind: 'posted' | 'duplicate'; readonly transactionId: TransactionId }
  | { readonly kind: 'refused'; readonly code: PostingRefusal; readonly accountId: AccountId };

/** A second, simple implementation of the posting rules, one posting at a time. The database is compared with it. */
export class LedgerModel {
  readonly accounts = new Map<AccountId, ModelAccount>();
  readonly holds = new Map<HoldId, ModelHold>();
  readonly posted = new Map<string, Posting>();

  /** All outcomes of a batch, or `conflict`: then nothing was posted. */
  postBatch(batch: readonly Posting[]): ModelOutcome[] | 'conflict' {
    const before = this.copy();
    const outcomes: ModelOutcome[] = [];
    for (const posting of batch) {
      const earlier = this.posted.get(posting.key);
      if (earlier === undefined) {
        outcomes.push(this.post(posting));
      } else if (content(earlier) === content(posting)) {
        outcomes.push({ kind: 'duplicate', transactionId: earlier.transactionId });
      } else {
        this.restore(before);
        return 'conflict';
      }
    }
    return outcomes;
  }

  private post(posting: Posting): ModelOutcome {
    const before = this.copy();
    const refusal = this.apply(posting) ?? this.check(posting);
    if (refusal !== undefined) {
      this.restore(before);
      return { kind: 'refused', ...refusal };
    }
    this.posted.set(posting.key, posting);
    return { kind: 'posted', transactionId: posting.transactionId };
  }

  private apply(posting: Posting): { code: PostingRefusal; accountId: AccountId } | undefined {
    for (const { accountId, amountCents } of posting.legs) {
      const account = this.accounts.get(accountId);
      if (account === undefined) return { code: 'unknown_account', accountId };
      account.posted += amountCents;
    }
    for (const change of posting.holds) {
      const { holdId, accountId } = change;
      const account = this.accounts.get(accountId);
      if (account === undefined) return { code: 'unknown_account', accountId };
      if (change.kind === 'place') {
        if (account.isFrozen && placed(posting, accountId) > broughtIn(posting, accountId))
          return { code: 'account_frozen', accountId };
        account.held += change.amountCents;
        this.holds.set(holdId, { accountId, remaining: change.amountCents, isOpen: true });
        continue;
      }
      const hold = this.holds.get(holdId);
      if (!hold?.isOpen || hold.accountId !== accountId) return { code: 'hold_not_open', accountId };
      const taken = change.kind === 'void' ? hold.remaining : change.amountCents;
      if (taken > hold.remaining) return { code: 'hold_exceeded', accountId };
      account.held -= taken;
      this.holds.set(holdId, { accountId, remaining: hold.remaining - taken, isOpen: change.kind === 'capture' });
    }
    return undefined;
  }

  private check(posting: Posting): { code: PostingRefusal; accountId: AccountId } | undefined {
    const isOverdrawn = (id: AccountId) => {
      const account = this.accounts.get(id);
      return account !== undefined && !account.mayGoNegative && account.posted < account.held;
    };
    for (const { accountId, amountCents } of posting.legs) {
      if (amountCents > 0n) continue;
      if (this.accounts.get(accountId)?.isFrozen && newlyTaken(posting, accountId) > 0n)
        return { code: 'account_frozen', accountId };
      if (isOverdrawn(accountId)) return { code: 'insufficient_funds', accountId };
    }
    const change = posting.holds.find(({ accountId }) => isOverdrawn(accountId));
    return change && { code: 'insufficient_funds', accountId: change.accountId };
  }

  private copy() {
    return {
      accounts: new Map([...this.accounts].map(([id, account]) => [id, { ...account }])),
      holds: new Map(this.holds),
      posted: new Map(this.posted),
    };
  }

  private restore(copy: ReturnType<LedgerModel['copy']>): void {
    replace(this.accounts, copy.accounts);
    replace(this.holds, copy.holds);
    replace(this.posted, copy.posted);
  }
}

/** What a posting takes from an account beyond the holds it captures. */
function newlyTaken(posting: Posting, accountId: AccountId): bigint {
  let taken = 0n;
  for (const leg of posting.legs) if (leg.accountId === accountId) taken -= leg.amountCents;
  for (const change of posting.holds)
    if (change.kind === 'capture' && change.accountId === accountId) taken -= change.amountCents;
  return taken;
}

function content({ type, status, amountCents, currency, reference, escrowId, legs, holds }: Posting): string {
  const parts = [type, status, amountCents, currency, reference, escrowId, legs, holds];
  return JSON.stringify(parts, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
}

function replace<K, V>(target: Map<K, V>, source: Map<K, V>): void {
  target.clear();
  for (const [key, value] of source) target.set(key, value);
}

function broughtIn({ legs }: Posting, accountId: AccountId): bigint {
  return legs.reduce((sum, leg) => (leg.accountId === accountId ? sum + leg.amountCents : sum), 0n);
}

function placed({ holds }: Posting, accountId: AccountId): bigint {
  return holds.reduce(
    (sum, change) => (change.accountId === accountId && change.kind === 'place' ? sum + change.amountCents : sum),
    0n,
  );
}
