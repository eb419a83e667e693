import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId, UserId } from '../../domain/ids.ts';
import type { IdentityStatus } from '../../domain/users.ts';
import type { Field, SqlRow } from '../core/read-model.ts';

/**
 * Who is blacklisted: a person, in the rows of all companies. A row is blacklisted by the platform's status operation; every row with
 * the same id number or phone is refused alike. The same bank account alone is a match that a person looks at.
 */

export const BLACKLIST_MATCHES = ['BANK_ACCOUNT'] as const;

export type IdentityStanding = {
  readonly identityStatus: IdentityStatus;
  /** What a row shares with a blacklisted one without being blacklisted; null if nothing. */
  readonly blacklistMatch: { readonly kind: (typeof BLACKLIST_MATCHES)[number] } | null;
};

const CLEAR: IdentityStanding = { identityStatus: 'CLEAR', blacklistMatch: null };

const IS_BLACKLISTED = 'is_blacklisted(u.identity_status, u.known_id_hash, u.phone_hash)';
const MATCHES = `exists (select from blacklist_mark m where m.kind = 'BANK_ACCOUNT' and m.hash = u.bank_account_hash)`;

/** The standing of the row `u` of `app_user`. */
export const STANDING: Field<IdentityStanding> = {
  columns: () => [
    { sql: IS_BLACKLISTED, as: 'blacklisted' },
    { sql: MATCHES, as: 'matches' },
  ],
  read: ({ blacklisted, matches }) => {
    if (blacklisted === true) return { identityStatus: 'BLACKLISTED', blacklistMatch: null };
    return matches === true ? { identityStatus: 'CLEAR', blacklistMatch: { kind: 'BANK_ACCOUNT' } } : CLEAR;
  },
};

/** Of a user of the company; clear if there is none. */
export async function identityStandingOf(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
): Promise<IdentityStanding> {
  const [row] = await em.execute<SqlRow[]>(
    `select ${IS_BLACKLISTED} as blacklisted, ${MATCHES} as matches from app_user u where u.company_id = ? and u.id = ?`,
    [companyId, id],
  );
  return row === undefined ? CLEAR : STANDING.read(row, '');
}

/** Throws `unknown_user`, for an erased person too, or `user_blacklisted`. */
export function assertNotBlacklisted(em: EntityManager, companyId: CompanyId, id: UserId): Promise<void> {
  return assertClear(em, companyId, id, { isErasedKnown: false });
}

/** The same before a payout: a payment that comes back after the person was erased is still their money. */
export function assertMayBePaid(em: EntityManager, companyId: CompanyId, id: UserId): Promise<void> {
  return assertClear(em, companyId, id, { isErasedKnown: true });
}

async function assertClear(
  em: EntityManager,
  companyId: CompanyId,
  id: UserId,
  { isErasedKnown }: { readonly isErasedKnown: boolean },
): Promise<void> {
  const [user] = await em.execute<{ blacklisted: boolean; erased: boolean }[]>(
    `select is_blacklisted(u.identity_status, u.known_id_hash, u.phone_hash) as blacklisted, u.erased_at is not null as erased
     from app_user u where u.company_id = ? and u.id = ?`,
    [companyId, id],
  );
  if (user === undefined || (user.erased && !isErasedKnown)) throw new Refusal('unknown_user');
  if (user.blacklisted) throw new Refusal('user_blacklisted');
}

/** The blacklisted persons whom a company may find among the people it enters in a day. Whoever tries people finds more. */
export const MAX_MATCHES_PER_DAY = 20;
const MATCHES_WINDOW = '24 hours';

/**
 * Who enters people into a company, each with a bound of their own. What visitors type at the company's links must not keep the
 * company from entering anybody.
 */
export type EnteredBy = 'company' | 'visitors';

/**
 * Throws `too_many_requests` for a company that has found too many blacklisted persons. Call it before a person is entered, whoever
 * it is: only refusing those who match would still answer the question. After the first match, the company's transactions that enter
 * persons wait for each other here, so that none misses what another counts.
 */
export async function assertNoProbing(em: EntityManager, companyId: CompanyId, by: EnteredBy): Promise<void> {
  const key = matchesKey(companyId, by);
  const count = async () => {
    const [row] = await em.execute<{ tries: number }[]>('select login_tries(?) as tries', [key]);
    return row?.tries ?? 0;
  };
  if ((await count()) === 0) return;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`blacklist/${by}/${companyId}`]);
  if ((await count()) >= MAX_MATCHES_PER_DAY)
    throw new Refusal('too_many_requests', 'too many blacklisted persons were entered today; ask the platform');
}

/** Counts a person who was entered if that person is blacklisted, or has the bank account of one and did not have it `before`. */
export async function countMatch(
  em: EntityManager,
  companyId: CompanyId,
  by: EnteredBy,
  { now, before = CLEAR }: { readonly now: IdentityStanding; readonly before?: IdentityStanding },
): Promise<void> {
  const isNewMatch = now.blacklistMatch !== null && before.blacklistMatch === null;
  if (now.identityStatus === 'BLACKLISTED' || isNewMatch)
    await em.execute('select login_try_counted(?, ?::integer, ?::interval)', [
      matchesKey(companyId, by),
      MAX_MATCHES_PER_DAY,
      MATCHES_WINDOW,
    ]);
}

/** The database derives the company's key too, in `platform_concerns`. */
function matchesKey(companyId: CompanyId, by: EnteredBy): Buffer {
  const matches = by === 'company' ? 'blacklist matches' : 'blacklist matches of visitors';
  return createHash('sha256').update(`${matches} ${companyId}`).digest();
}
