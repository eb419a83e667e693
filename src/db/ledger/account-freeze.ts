import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as uuidv7 } from 'uuid';
import { Refusal, refusedFor } from '../../domain/errors.ts';
import type { AccountId, AdministratorId, ApiKeyId, CompanyId, TransactionId } from '../../domain/ids.ts';
import type { Role } from '../../domain/roles.ts';

export type Freeze = {
  readonly isFrozen: boolean;
  readonly reason: string;
  readonly actor: Requester & { readonly role: Role };
};

/** The administrator or key that requested it. */
type Requester =
  | { readonly kind: 'administrator'; readonly id: AdministratorId }
  | { readonly kind: 'api_key'; readonly id: ApiKeyId };

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
     insert into account_freeze (id, company_id, account_id, is_frozen, reason, actor_kind, actor_id, actor_role, created_at)
     select ?, company_id, id, ?, ?, ?, ?, ?, clock_timestamp() from changed returning account_id as id`,
    [isFrozen, companyId, accountId, uuidv7(), isFrozen, reason, actor.kind, actor.id, actor.role],
  );
  return rows.length > 0;
}

export type LastFreeze = {
  readonly isFrozen: boolean;
  readonly reason: string;
  readonly at: Date;
  readonly actor: Requester;
  /** Whether the platform froze the account, so that it alone lifts the freeze. */
  readonly isByPlatform: boolean;
};

export type Freezes = {
  /** The latest freezing or unfreezing of the account; null if there was none. */
  readonly last: LastFreeze | null;
  /** The freezes that hold the account: the latest of the platform and the latest of the company, until either is lifted. */
  readonly standing: readonly LastFreeze[];
};

export type FreezeRow = Requester & {
  readonly is_frozen: boolean;
  readonly reason: string;
  readonly created_at: Date;
  readonly is_by_platform: boolean;
};

/** The statement of one account's freezes. */
export const FREEZES = `select * from (
       select distinct on (f.is_frozen, is_by_platform) f.is_frozen, f.reason, f.created_at, f.actor_kind as kind, f.actor_id as id,
         f.actor_role = 'SUPER_ADMIN' as is_by_platform
       from account_freeze f
       where f.company_id = ? and f.account_id = ? and not exists (
         select from account_freeze u where u.company_id = f.company_id and u.account_id = f.account_id
           and not u.is_frozen and u.created_at > f.created_at)
       order by f.is_frozen, is_by_platform, f.created_at desc) latest
     order by created_at desc`;

async function findFreezes(em: EntityManager, companyId: CompanyId, accountId: AccountId): Promise<Freezes> {
  return freezesOf(await em.execute<FreezeRow[]>(FREEZES, [companyId, accountId]));
}

export function freezesOf(rows: readonly FreezeRow[]): Freezes {
  const [last = null, ...earlier] = rows.map(
    ({ is_frozen: isFrozen, reason, created_at: at, is_by_platform: isByPlatform, ...actor }): LastFreeze => {
      return { isFrozen, reason, at: new Date(at), actor, isByPlatform };
    },
  );
  if (last === null) return { last, standing: [] };
  const standing = [last, ...earlier]
    .filter(({ isFrozen }) => isFrozen)
    .sort((one, other) => Number(other.isByPlatform) - Number(one.isByPlatform));
  return { last: { ...last, isByPlatform: standing.some(({ isByPlatform }) => isByPlatform) }, standing };
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
  await lockAccount(em, companyId, accountId);
  const { last } = await findFreezes(em, companyId, accountId);
  if ((last?.at.getTime() ?? null) !== (knownAt === null ? null : Date.parse(knownAt)))
    throw new Refusal('wrong_state', 'another request froze or unfroze the account');
}

/** Locks the account. Throws `forbidden` if the platform froze it, and `role` is not the platform's. */
export async function requireMayUnfreeze(
  em: EntityManager,
  companyId: CompanyId,
  accountId: AccountId,
  role: Role,
): Promise<void> {
  await lockAccount(em, companyId, accountId);
  const { last } = await findFreezes(em, companyId, accountId);
  if (last?.isByPlatform && role !== 'SUPER_ADMIN') throw refusedFor('forbidden', { code: 'platform_froze' });
}

/** Whether the platform froze the account of a withdrawal after it was requested: the platform alone then resumes it. */
export async function isHeldByPlatform(
  em: EntityManager,
  companyId: CompanyId,
  withdrawalId: TransactionId,
): Promise<boolean> {
  const [row] = await em.execute<{ is_held: boolean }[]>(
    `select exists (
       select from account_freeze f join withdrawal w on w.company_id = f.company_id and w.account_id = f.account_id
         join payout_destination d on d.company_id = w.company_id and d.id = w.id
       where w.company_id = ? and w.id = ? and f.is_frozen and f.actor_role = 'SUPER_ADMIN' and f.created_at >= d.created_at
     ) as is_held`,
    [companyId, withdrawalId],
  );
  return row?.is_held === true;
}

async function lockAccount(em: EntityManager, companyId: CompanyId, accountId: AccountId): Promise<void> {
  await em.execute('select id from account where company_id = ? and id = ? for update', [companyId, accountId]);
}
