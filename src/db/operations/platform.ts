import type { EntityManager } from '@mikro-orm/postgresql';
import type { CompanyId, IdKind } from '../../domain/ids.ts';
import type { Currency } from '../../domain/money.ts';
import { textArray } from '../core/bound.ts';
import type { Company } from '../entities/tenancy.ts';
import { MAX_MATCHES_PER_DAY } from '../identity/blacklist.ts';

/** What the platform reads about all companies, and about the service as a whole. */

export type CompanyRecord = Pick<
  Company,
  'id' | 'name' | 'slug' | 'systemFeeBasisPoints' | 'serviceFeeBasisPoints' | 'autoReleaseHours' | 'createdAt'
>;

/** A company in the platform's list. */
export type ListedCompany = CompanyRecord & {
  /** What may be paid out beyond the money that came in; a currency without a limit is absent. */
  readonly payoutLimitsCents: Readonly<Partial<Record<Currency, bigint>>>;
};

type CompanyRow = {
  id: CompanyId;
  name: string;
  slug: string;
  system_fee_basis_points: number;
  service_fee_basis_points: number;
  auto_release_hours: number | null;
  created_at: Date;
};

/** Newest first, after the company `after`. */
export async function listCompanies(
  em: EntityManager,
  { search, after, limit }: { search: string | null; after: CompanyId | null; limit: number },
): Promise<ListedCompany[]> {
  const rows = await em.execute<CompanyRow[]>(
    `select id, name, slug, system_fee_basis_points, service_fee_basis_points, auto_release_hours, created_at
     from platform_companies(?::text, ?::uuid, ?::integer)`,
    [search, after, limit],
  );
  const limits = await em.execute<{ company_id: CompanyId; currency: Currency; cents: string }[]>(
    'select company_id, currency, amount_cents::text as cents from platform_payout_limits(?::uuid[])',
    [textArray(rows.map(({ id }) => id))],
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    slug: row.slug,
    systemFeeBasisPoints: row.system_fee_basis_points,
    serviceFeeBasisPoints: row.service_fee_basis_points,
    autoReleaseHours: row.auto_release_hours,
    createdAt: new Date(row.created_at),
    payoutLimitsCents: Object.fromEntries(
      limits.flatMap(({ company_id, currency, cents }) => (company_id === row.id ? [[currency, BigInt(cents)]] : [])),
    ),
  }));
}

type Metric = { readonly metric: string; readonly label: string | null; readonly value: number };
type KeptAudit = { readonly seq: string; readonly at: Date; readonly isFull: boolean; readonly root: string };
type Concern = {
  readonly kind: string;
  readonly companyId: CompanyId;
  readonly object: Extract<IdKind, 'company' | 'paymentLink' | 'transaction' | 'user'>;
  readonly objectId: string;
  readonly at: Date;
};

type ServiceState = {
  readonly metrics: readonly Metric[];
  readonly audits: readonly KeptAudit[];
  readonly concerns: readonly Concern[];
};

const MAX_AUDITS = 10;
const MAX_CONCERNS_OF_A_KIND = 50;

export async function readServiceState(em: EntityManager): Promise<ServiceState> {
  const metrics = await em.execute<Metric[]>(
    'select metric, label, value from platform_operations() order by metric, label',
  );
  const audits = await em.execute<{ seq: string; at: Date; is_full: boolean; root: string }[]>(
    'select seq, at, is_full, root from platform_audits(?::integer)',
    [MAX_AUDITS],
  );
  const concerns = await em.execute<
    { kind: string; company_id: CompanyId; object: Concern['object']; object_id: string; at: Date }[]
  >('select kind, company_id, object, object_id, at from platform_concerns(?::integer, ?::integer) order by at desc', [
    MAX_CONCERNS_OF_A_KIND,
    MAX_MATCHES_PER_DAY,
  ]);
  return {
    metrics,
    audits: audits.map(({ seq, at, is_full: isFull, root }) => ({ seq: String(seq), at: new Date(at), isFull, root })),
    concerns: concerns.map((row) => ({
      kind: row.kind,
      companyId: row.company_id,
      object: row.object,
      objectId: row.object_id,
      at: new Date(row.at),
    })),
  };
}
