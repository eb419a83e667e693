import type { EntityManager } from '@mikro-orm/postgresql';
import type { Party } from '../../domain/escrow/escrow.ts';
import type { CompanyId, EscrowId } from '../../domain/ids.ts';
import type { Locale } from '../../domain/locale.ts';

/** The pages of the parties of an escrow. Only hashes of their tokens are stored. */

type OrderPage = {
  readonly escrowId: EscrowId;
  readonly companyId: CompanyId;
  readonly party: Party;
  readonly version: number;
};

/** The page with the token of this SHA-256, before the tenant is known. Its row must have this hash too: `hasHash`. */
export async function findOrderPage(em: EntityManager, hash: string): Promise<OrderPage | null> {
  const [row] = await em.execute<{ id: EscrowId; company_id: CompanyId; party: Party; version: number }[]>(
    'select * from order_page_by_hash(?)',
    [hash],
  );
  return row === undefined
    ? null
    : { escrowId: row.id, companyId: row.company_id, party: row.party, version: row.version };
}

/** Whether the page's own row has this hash. The directory is a copy, which no audit compares. */
export async function hasHash(em: EntityManager, page: OrderPage, hash: string): Promise<boolean> {
  const { companyId, escrowId, party } = page;
  const [row] = await em.execute<{ hash: string | null }[]>(
    `select case ? when 'BUYER' then buyer_hash else seller_hash end as hash from order_page where company_id = ? and id = ?`,
    [party, companyId, escrowId],
  );
  return row?.hash === hash;
}

type Page = { readonly companyId: CompanyId; readonly escrowId: EscrowId };
/** The hashes of a version's tokens; null for a party without a page. */
export type HashesOf = (version: number) => Readonly<Record<Party, string | null>>;

/** Makes the pages of a new escrow, or leaves them as they are. Returns their version. */
export async function openOrderPages(em: EntityManager, page: Page, hashesOf: HashesOf): Promise<number> {
  const known = await lockedVersion(em, page);
  return known ?? store(em, page, 1, hashesOf);
}

/** Gives the pages new tokens. The old ones stop to work at once. Returns the new version. */
export async function renewOrderPages(em: EntityManager, page: Page, hashesOf: HashesOf): Promise<number> {
  return store(em, page, ((await lockedVersion(em, page)) ?? 0) + 1, hashesOf);
}

/** Ends the pages. */
export async function revokeOrderPages(em: EntityManager, page: Page): Promise<void> {
  const known = await lockedVersion(em, page);
  if (known !== null) await store(em, page, known, () => ({ BUYER: null, SELLER: null }));
}

/** Remembers the language in which a party uses its page, for messages. */
export async function noteLocale(em: EntityManager, { companyId, escrowId, party }: OrderPage, locale: Locale) {
  const column = party === 'BUYER' ? 'buyer_locale' : 'seller_locale';
  await em.execute(
    `update order_page set ${column} = ?, updated_at = now() where company_id = ? and id = ? and ${column} is distinct from ?`,
    [locale, companyId, escrowId, locale],
  );
}

async function lockedVersion(em: EntityManager, { companyId, escrowId }: Page): Promise<number | null> {
  const [row] = await em.execute<{ version: number }[]>(
    'select version from order_page where company_id = ? and id = ? for update',
    [companyId, escrowId],
  );
  return row?.version ?? null;
}

async function store(
  em: EntityManager,
  { companyId, escrowId }: Page,
  version: number,
  hashesOf: HashesOf,
): Promise<number> {
  const { BUYER, SELLER } = hashesOf(version);
  await em.execute(
    `insert into order_page (company_id, id, version, buyer_hash, seller_hash) values (?, ?, ?, ?, ?)
     on conflict (company_id, id) do update set version = excluded.version, buyer_hash = excluded.buyer_hash,
       seller_hash = excluded.seller_hash, updated_at = now()`,
    [companyId, escrowId, version, BUYER, SELLER],
  );
  return version;
}
