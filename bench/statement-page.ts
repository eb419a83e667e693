import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountId, CompanyId } from '../src/domain/ids.ts';
import { readStatement } from '../test/support/whole-statement.ts';

/** The approximate number of entries on a page of a statement. */
const PAGE_ENTRIES = 100;

/** An account, and the times of its entries in ms since 1970. */
export type Span = {
  readonly account: AccountId;
  readonly entries: number;
  readonly from: number;
  readonly to: number;
};

export async function spanOf(em: EntityManager, account: AccountId): Promise<Span> {
  const [row] = await em.execute<{ entries: string; from: string; to: string }[]>(
    `select count(*) as entries, extract(epoch from min(created_at)) * 1000 as from, extract(epoch from max(created_at)) * 1000 as to
     from entry where account_id = ?`,
    [account],
  );
  return { account, entries: Number(row?.entries), from: Number(row?.from), to: Number(row?.to) };
}

export function randomMoment({ from, to }: Span): Date {
  return new Date(from + Math.random() * (to - from));
}

/** Reads a window of about a hundred entries that ends at a random time. */
export function readPage(em: EntityManager, companyId: CompanyId, span: Span): Promise<unknown> {
  const lengthMs = ((span.to - span.from) / span.entries) * PAGE_ENTRIES;
  const to = randomMoment(span);
  return readStatement(em, companyId, span.account, { from: new Date(to.getTime() - lengthMs), to });
}
