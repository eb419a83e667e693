import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
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
     insert into account_freeze (id, company_id, account_id, is_frozen, reason, actor_kind, actor_id)
     select ?, company_id, id, ?, ?, ?, ? from changed returning account_id as id`,
    [isFrozen, companyId, accountId, uuidv7(), isFrozen, reason, actor.kind, actor.id],
  );
  return rows.length > 0;
}
