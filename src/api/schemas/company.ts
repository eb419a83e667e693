import { z } from '@hono/zod-openapi';
import type {
  Administrator as AdministratorRow,
  ApiKey as ApiKeyRow,
  Company as CompanyRow,
} from '../../db/entities/tenancy.ts';
import type { CompanyRecord, ListedCompany } from '../../db/operations/platform.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { CURRENCY_CODES } from '../../domain/money.ts';
import { PERMISSION_NAMES, permissionsOf, ROLES } from '../../domain/roles.ts';
import { isKeyWorking } from '../auth/api-keys.ts';
import { isGuessable, isOwnEmail, MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../auth/passwords.ts';
import type { ApiDependencies } from '../context.ts';
import { centsText, timestamp } from './common.ts';

/** Companies, administrators and keys as clients see them, and the functions that build each from its row. */

const summaryFields = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  system_fee_basis_points: z.int(),
  service_fee_basis_points: z.int(),
  auto_release_hours: z.int().nullable(),
};

const summaryOf = (row: CompanyRecord) => ({
  id: publicId('company', row.id),
  name: row.name,
  slug: row.slug,
  system_fee_basis_points: row.systemFeeBasisPoints,
  service_fee_basis_points: row.serviceFeeBasisPoints,
  auto_release_hours: row.autoReleaseHours ?? null,
});

/** A company in the platform's list. */
export const CompanySummary = z
  .object({
    ...summaryFields,
    payout_limits: z.partialRecord(z.enum(CURRENCY_CODES), centsText()).openapi({
      description: 'Integer cents per currency that may be paid out beyond the money that came in for the company.',
    }),
    created_at: timestamp(),
  })
  .openapi('CompanySummary');

export function companySummaryView(row: ListedCompany): z.infer<typeof CompanySummary> {
  const limits = Object.entries(row.payoutLimitsCents).map(([code, cents]) => [code, cents.toString()]);
  return { ...summaryOf(row), payout_limits: Object.fromEntries(limits), created_at: row.createdAt.toISOString() };
}

export const Company = z
  .object({
    ...summaryFields,
    default_seller_id: z.string().nullable(),
    default_phone_region: z
      .string()
      .openapi({ description: 'The region of phone numbers without a plus.', example: 'ZW' }),
    checkout_hosts: z
      .array(z.string())
      .openapi({ description: 'The hosts that `successUrl` and `cancelUrl` of payment links may name.' }),
    brand_color: z.string().nullable().openapi({ description: "The colour of the checkout's buttons." }),
    logo_url: z
      .string()
      .nullable()
      .openapi({ description: 'The public address of the logo. It changes with the image.' }),
    support_email: z.string().nullable(),
    terms_url: z.string().nullable(),
    created_at: timestamp(),
  })
  .openapi('Company');

export type CompanyViewSettings = Pick<ApiDependencies['settings'], 'defaultPhoneRegion' | 'checkoutUrl'>;

export function companyView(row: CompanyRow, settings: CompanyViewSettings): z.infer<typeof Company> {
  return {
    ...summaryOf(row),
    default_seller_id: publicIdOrNull('user', row.defaultSellerId ?? null),
    default_phone_region: row.defaultPhoneRegion ?? settings.defaultPhoneRegion,
    checkout_hosts: row.checkoutHosts,
    brand_color: row.brandColor ?? null,
    logo_url: row.logoDigest == null ? null : `${settings.checkoutUrl}/${logoPath(row.logoDigest)}`,
    support_email: row.supportEmail ?? null,
    terms_url: row.termsUrl ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** Below the address of the checkout. */
export function logoPath(digest: string): string {
  return `assets/logo-${digest}.png`;
}

export const Administrator = z
  .object({
    id: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    created_at: timestamp(),
  })
  .openapi('Administrator');

export function administratorView(row: AdministratorRow): z.infer<typeof Administrator> {
  return {
    id: publicId('administrator', row.id),
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    role: row.role,
    created_at: row.createdAt.toISOString(),
  };
}

export const ApiKey = z
  .object({
    id: z.string(),
    name: z.string(),
    key_prefix: z.string(),
    is_active: z.boolean(),
    role: z.enum(ROLES),
    permissions: z.array(z.enum(PERMISSION_NAMES)).openapi({ description: 'Everything that the key may do.' }),
    expires_at: timestamp().nullable().openapi({ description: 'Null: it works until it is revoked.' }),
    active_until: timestamp()
      .nullable()
      .openapi({ description: 'The end of the grace period of a rolled key. Null: it was not rolled with one.' }),
    note: z.string().nullable(),
    last_used_at: timestamp().nullable().openapi({ description: 'To the minute. Null: never used.' }),
    created_by: z
      .string()
      .nullable()
      .openapi({ description: 'The administrator who made the key, or made the key that it was rolled from.' }),
    created_at: timestamp(),
  })
  .openapi('ApiKey');

export function apiKeyView(row: ApiKeyRow): z.infer<typeof ApiKey> {
  return {
    id: publicId('apiKey', row.id),
    name: row.name,
    key_prefix: row.keyPrefix,
    is_active: isKeyWorking(row),
    role: row.role,
    permissions: permissionsOf({ role: row.role, permissions: row.permissions ?? null }),
    expires_at: row.expiresAt?.toISOString() ?? null,
    active_until: row.activeUntil?.toISOString() ?? null,
    note: row.note ?? null,
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    created_by: publicIdOrNull('administrator', row.createdBy ?? null),
    created_at: row.createdAt.toISOString(),
  };
}

/** A new password. It is not trimmed: outer white space is refused, because people lose it when they copy a password. */
export const newPassword = () =>
  z
    .string()
    .min(MIN_PASSWORD_CHARACTERS, { abort: true })
    .max(MAX_PASSWORD_CHARACTERS, { abort: true })
    .refine((password) => password === password.trim(), {
      message: 'must not begin or end with white space',
      abort: true,
    })
    .refine((password) => !isGuessable(password), {
      message: `must show at least ${MIN_PASSWORD_CHARACTERS} characters and must not be one of the 10,000 most common passwords`,
      abort: true,
    });

export const NOT_THE_EMAIL = 'must not be the e-mail address, or its first part with a number';
/** For an object with both. */
export function hasOwnPassword({ email, password }: { email: string; password?: string | null | undefined }): boolean {
  return password == null || !isOwnEmail(password, email);
}
export const email = () => z.string().trim().max(254).pipe(z.email());
