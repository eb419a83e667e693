import type { MikroORM } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Batcher } from '../src/db/core/batcher.ts';
import { postToLedger } from '../src/db/ledger/post.ts';
import type { AccountId, CompanyId, TransactionId } from '../src/domain/ids.ts';
import { type Posting, posting } from '../src/domain/ledger/postings.ts';

/** Posts one cent from one account to another. Concurrent postings share a batch, as in the service. */
export function poster(orm: MikroORM, companyId: CompanyId): (from: AccountId, to: AccountId) => Promise<void> {
  const batcher = new Batcher((postings: readonly Posting[]) => postToLedger(orm.em.fork(), postings), {
    maxItems: 100,
    maxInFlight: 2,
  });
  return async (from, to) => {
    const transactionId = uuidv7() as TransactionId;
    await batcher.submit(
      posting({
        transactionId,
        companyId,
        key: `bench/${transactionId}`,
        type: 'ADJUSTMENT',
        status: 'COMPLETED',
        amountCents: 1n,
        currency: 'USD',
        reference: null,
        escrowId: null,
        metadata: {},
        legs: [
          { accountId: from, amountCents: -1n },
          { accountId: to, amountCents: 1n },
        ],
        holds: [],
      }),
    );
  };
}

export function any<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T; // the lists are not empty
}
