import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, DocumentId, UserId } from '../../domain/ids.ts';
import { type IdentityEvidence, KYC_VERIFIED, type KycStatus } from '../../domain/users.ts';
import {
  createListReader,
  type Listed,
  NEWEST_FIRST,
  type Page,
  sumOfCompanyCounts,
  type TimeFilter,
  timeConditions,
  timeSorts,
} from '../core/list-reader.ts';
import { type RecordOf, readModel, time, value } from '../core/read-model.ts';
import { STANDING } from './blacklist.ts';

/** The maximum number of words in a search. Names and numbers have fewer; further words are ignored. */
const MAX_WORDS = 8;

type UserFilter = TimeFilter & {
  readonly mobileNumber?: string | undefined;
  readonly customReference?: string | undefined;
  readonly isBlacklisted?: boolean | undefined;
  readonly isVerified?: boolean | undefined;
  /** The hash of an id number, or an empty text; then patterns that must all match the name, the mobile number, the e-mail or the bank reference. */
  readonly matching?: readonly string[] | undefined;
};

type UserSearch = Omit<UserFilter, 'isBlacklisted' | 'isVerified' | 'matching'> & {
  /** Words that the name, the mobile number, the e-mail and the bank reference together must contain. */
  readonly q?: string | undefined;
  /** The hash of `q`, if it can be an id number. */
  readonly idNumberHash?: string | undefined;
  readonly status?: KycStatus | undefined;
};

export const USER_SORTS = timeSorts('u');

const STATUS_FILTERS = {
  PENDING: { isBlacklisted: false, isVerified: false },
  APPROVED: { isBlacklisted: false, isVerified: true },
  BLACKLISTED: { isBlacklisted: true },
} as const satisfies Record<KycStatus, UserFilter>;

/** Lists have up to 1,000 users, so what they do not show is not read. */
const LISTED = readModel({
  id: value<UserId>('u.id'),
  mobileNumber: value<string | null>('u.mobile_number'),
  firstName: value<string | null>('u.first_name'),
  lastName: value<string | null>('u.last_name'),
  email: value<string | null>('u.email'),
  kycLevel: value<number>('u.kyc_level'),
  identityStatusReason: value<string | null>('u.identity_status_reason'),
  changedSinceApproval: value<IdentityEvidence[]>('u.changed_since_approval'),
  documentId: value<DocumentId | null>('u.document_id'),
  createdAt: time('u.created_at'),
  updatedAt: time('u.updated_at'),
  standing: STANDING,
});
export type ListedUser = RecordOf<typeof LISTED>;

const READER = createListReader<UserFilter, ListedUser, keyof typeof USER_SORTS>({
  table: 'app_user',
  alias: 'u',
  columns: LISTED.columns,
  conditions: {
    mobileNumber: 'u.mobile_number = ?',
    customReference: 'u.custom_reference = ?',
    isBlacklisted: 'is_blacklisted(u.identity_status, u.known_id_hash, u.phone_hash) = ?',
    isVerified: `(u.kyc_level >= ${KYC_VERIFIED}) = ?`,
    matching: `exists (select from (select ?::text[]) f (sought) where u.id_number_hash = f.sought[1]
      or concat_ws(' ', u.first_name, u.last_name, u.mobile_number, u.email, u.custom_reference) ilike all(f.sought[2:]))`,
    ...timeConditions('u'),
  },
  sorts: USER_SORTS,
  defaultOrder: NEWEST_FIRST,
  storedTotal: (companyId, filter) =>
    Object.values(filter).every((value) => value === undefined) ? sumOfCompanyCounts(companyId, ['users']) : null,
  toRecord: LISTED.toRecord,
});

/** The company's matching users, newest first unless the page has another order. */
export function listUsers(
  em: EntityManager,
  companyId: CompanyId,
  { q = '', idNumberHash = '', status, ...filter }: UserSearch,
  page: Page<keyof typeof USER_SORTS>,
): Promise<Listed<ListedUser>> {
  const words = q.split(/\s+/).filter((word) => word !== '');
  return READER.list(
    em,
    companyId,
    {
      ...filter,
      ...(status === undefined ? {} : STATUS_FILTERS[status]),
      ...(words.length === 0
        ? {}
        : { matching: [idNumberHash, ...words.slice(0, MAX_WORDS).map(withoutTrunkPrefix).map(containing)] }),
    },
    page,
  );
}

/**
 * Numbers are stored with their country code: `0775` of a national number, and `00263` of an international one, are `775` and
 * `263`.
 */
function withoutTrunkPrefix(word: string): string {
  return word.replace(/^00?(?=\d{3,}$)/, '');
}

function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
