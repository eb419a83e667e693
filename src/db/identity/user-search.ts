import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql';
import type { CompanyId } from '../../domain/ids.ts';
import { KYC_VERIFIED, type KycStatus } from '../../domain/users.ts';
import { AppUser } from '../entities/tenancy.ts';

/** More words than a name and a number have say nothing more. */
const MAX_WORDS = 8;

const STATUS_FILTERS = {
  ALL: {},
  PENDING: { identityStatus: 'CLEAR', kycLevel: { $lt: KYC_VERIFIED } },
  APPROVED: { identityStatus: 'CLEAR', kycLevel: { $gte: KYC_VERIFIED } },
  BLACKLISTED: { identityStatus: 'BLACKLISTED' },
} as const satisfies Record<KycStatus | 'ALL', FilterQuery<AppUser>>;

/** Users whose name or mobile number contains every word of `search`, newest first, and how many there are. */
export async function findUsersForAdmin(
  em: EntityManager,
  companyId: CompanyId,
  filter: { readonly search: string; readonly status: KycStatus | 'ALL' },
  page: { readonly limit: number; readonly offset: number },
): Promise<[AppUser[], number]> {
  const words = filter.search.split(/\s+/).filter((word) => word !== '');
  return em.findAndCount(
    AppUser,
    { companyId, ...STATUS_FILTERS[filter.status], $and: words.slice(0, MAX_WORDS).map(hasWord) },
    { ...page, orderBy: { createdAt: 'desc', id: 'desc' } },
  );
}

function hasWord(word: string): FilterQuery<AppUser> {
  const $ilike = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
  return { $or: [{ firstName: { $ilike } }, { lastName: { $ilike } }, { mobileNumber: { $ilike } }] };
}
