import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal } from '../../domain/errors.ts';
import type { AccountId, AdministratorId, ApiKeyId, CompanyId } from '../../domain/ids.ts';

export type Freeze = {
  readonly isFrozen: boolean;
  readonly reason: string;
  /** The administrator or key that requested it. */
  readonly actor:
    | { readonly kind: 'administrator'; readonly id: AdministratorId }
    | { readonly kind: 'api_key'; readonly id: ApiKeyId };
};

/**
 * Freezes or unfreezes an account, and records by whom and why. After the commit the ledger refuses new debits and holds;
 * credits, captures of existing holds and voids are still accepted. Returns false if the company has no such account.
 */
export async function freezeAccount(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  { isFrozen, reason, actor }: Freeze,
): Promise<boolean> {
  const rows = await em.execute<{ id: AccountId }[]>(
    `with changed as (
       update account set is_frozen = ?, updated_at = clock_timestamp() where company_id = ? and id = ? returning id, company_id
     )
     insert into account_freeze (id, company_id, account_id, is_frozen, reason, actor_kind, actor_id, created_at)
     select ?, company_id, id, ?, ?, ?, ?, clock_timestamp() from changed returning account_id as id`,
    [isFrozen, companyId, accountId, uuidv7(), isFrozen, reason, actor.kind, actor.id],
  );
  return rows.length > 0;
}

export type LastFreeze = { readonly isFrozen: boolean; readonly reason: string; readonly at: Date };

/** The latest freezing or unfreezing of the account; null if there was none. */
export async function findLastFreeze(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
): Promise<LastFreeze | null> {
  const [row] = await em.execute<{ is_frozen: boolean; reason: string; created_at: Date }[]>(
    `select is_frozen, reason, created_at from account_freeze where company_id = ? and account_id = ?
     order by created_at desc limit 1`,
    [companyId, accountId],
  );
  return row === undefined ? null : { isFrozen: row.is_frozen, reason: row.reason, at: new Date(row.created_at) };
}

/**
 * Locks the account. Throws `wrong_state` if it was frozen or unfrozen after `knownAt`, the last time that the caller knows;
 * null: never.
 */
export async function requireKnownFreeze(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  knownAt: string | null,
): Promise<void> {
  await em.execute('select id from account where company_id = ? and id = ? for update', [companyId, accountId]);
  const last = await findLastFreeze(em, companyId, accountId);
  if ((last?.at.getTime() ?? null) !== (knownAt === null ? null : Date.parse(knownAt)))
    throw new Refusal('wrong_state', 'another request froze or unfroze the account');
}
