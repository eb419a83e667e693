import { z } from '@hono/zod-openapi';
import type {
  Administrator as AdministratorRow,
  ApiKey as ApiKeyRow,
  Company as CompanyRow,
} from '../../db/entities/tenancy.ts';
import type { CompanyRecord, ListedCompany } from '../../db/operations/platform.ts';
import { publicId, publicIdOrNull } from '../../domain/ids.ts';
import { asRead } from '../../domain/look-alike.ts';
import { CURRENCY_CODES } from '../../domain/money.ts';
import { orderPageSettings } from '../../domain/order-pages.ts';
import { PERMISSION_NAMES, permissionsOf, ROLES } from '../../domain/roles.ts';
import { isKeyWorking } from '../auth/api-keys.ts';
import { isGuessable, isOwnEmail, MAX_PASSWORD_CHARACTERS, MIN_PASSWORD_CHARACTERS } from '../auth/passwords.ts';
import type { ApiDependencies } from '../context.ts';
import { answering, centsText, secret, text, timestamp } from './common.ts';
import { OrderPageSettings, settingsView } from './order-pages.ts';

/** Companies, administrators and keys as clients see them, and the functions that build each from its row. */

const summaryFields = {
  id: z.string().describe('Its id.'),
  name: z.string().describe('The name that buyers see.'),
  slug: z.string().describe('The name in addresses.'),
  system_fee_basis_points: z.int().describe("The platform's fee, in hundredths of a per cent."),
  service_fee_basis_points: z.int().describe("The company's own fee, in hundredths of a per cent."),
  auto_release_hours: z
    .int()
    .nullable()
    .describe('Hours after which a covered order is released by itself. Null: never.'),
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
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('CompanySummary');

export function companySummaryView(row: ListedCompany): z.infer<typeof CompanySummary> {
  const limits = Object.entries(row.payoutLimitsCents).map(([code, cents]) => [code, cents.toString()]);
  return { ...summaryOf(row), payout_limits: Object.fromEntries(limits), created_at: row.createdAt.toISOString() };
}

export const Company = z
  .object({
    ...summaryFields,
    default_seller_id: z
      .string()
      .nullable()
      .describe('The seller of payment links that name none. Null: the company itself.'),
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
    settlement_references: z
      .object({
        card: z.string().nullable().describe('The text that names settlements of the card gateway.'),
        mobile: z.string().nullable().describe('The text that names settlements of mobile money.'),
      })
      .describe("The texts by which the bank's statement names their payments."),
    settlement_fee_basis_points: z.int().describe("The part of a settlement that may be missing as the gateway's fee."),
    support_email: z.string().nullable().describe('Shown to buyers who need help.'),
    terms_url: z.string().nullable().describe('The terms that the checkout links to.'),
    address: z.string().nullable().describe('The postal address, in PDF files.'),
    tax_number: z.string().nullable().describe('The number at the tax office, in PDF files.'),
    registration_number: z.string().nullable().describe('The number in the register of companies, in PDF files.'),
    time_zone: z.string().openapi({
      description: 'An IANA name. Console, checkout and PDFs show times in this zone; the API answers in UTC.',
      example: 'Africa/Harare',
    }),
    order_pages: OrderPageSettings.describe('The pages on which buyers and sellers follow their orders.'),
    require_mfa: z.boolean().describe('Whether administrators need a second factor.'),
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('Company');

type CompanyViewSettings = Pick<ApiDependencies['settings'], 'defaultPhoneRegion' | 'checkoutUrl'>;

export const companyView = answering<CompanyRow, z.infer<typeof Company>>({
  isPlatform: null,
  nameKey: null,
  logoDigest: 'logo_url',
  settlementCardReference: 'settlement_references',
  settlementMobileReference: 'settlement_references',
  updatedAt: null,
})((row, settings: CompanyViewSettings) => ({
  ...summaryOf(row),
  default_seller_id: publicIdOrNull('user', row.defaultSellerId ?? null),
  default_phone_region: row.defaultPhoneRegion ?? settings.defaultPhoneRegion,
  checkout_hosts: row.checkoutHosts,
  brand_color: row.brandColor ?? null,
  logo_url: row.logoDigest == null ? null : `${settings.checkoutUrl}/${logoPath(row.logoDigest)}`,
  settlement_references: {
    card: row.settlementCardReference ?? null,
    mobile: row.settlementMobileReference ?? null,
  },
  settlement_fee_basis_points: row.settlementFeeBasisPoints,
  support_email: row.supportEmail ?? null,
  terms_url: row.termsUrl ?? null,
  address: row.address ?? null,
  tax_number: row.taxNumber ?? null,
  registration_number: row.registrationNumber ?? null,
  time_zone: row.timeZone,
  order_pages: settingsView(orderPageSettings(row.orderPages)),
  require_mfa: row.requireMfa,
  created_at: row.createdAt.toISOString(),
}));

/** Below the address of the checkout. */
export function logoPath(digest: string): string {
  return `assets/logo-${digest}.png`;
}

export const Administrator = z
  .object({
    id: z.string().describe('The administrator.'),
    firstName: z.string().describe('The first name.'),
    lastName: z.string().describe('The last name.'),
    email: z.string().describe('The e-mail address.'),
    role: z.enum(ROLES),
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('Administrator', { description: 'A person who acts for a company.' });

export const administratorView = answering<AdministratorRow, z.infer<typeof Administrator>>({
  companyId: null,
  passwordHash: null,
  mustChangePassword: null,
  tokenVersion: null,
  totpSecret: null,
  totpEnabled: null,
  recoveryHashes: null,
  factorVersion: null,
  totpUsedStep: null,
  proof: null,
  removedAt: null,
})((row) => ({
  id: publicId('administrator', row.id),
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  role: row.role,
  created_at: row.createdAt.toISOString(),
}));

export const ApiKey = z
  .object({
    id: z.string().describe('The key, for revoking it.'),
    name: z.string().describe('A label, for people.'),
    key_prefix: z.string().describe('The first eight characters after `esc_t_` or `esc_l_`, to tell keys apart.'),
    is_active: z.boolean().describe('Whether the key works.'),
    role: z.enum(ROLES).describe('The role of its creator at that time.'),
    permissions: z.array(z.enum(PERMISSION_NAMES)).openapi({ description: 'Everything that the key may do.' }),
    expires_at: timestamp().nullable().openapi({ description: 'Null: it works until it is revoked.' }),
    active_until: timestamp().nullable().openapi({
      description: 'The end of the grace period of a rolled key: at once without one. Null: it was not rolled.',
    }),
    revoked_at: timestamp().nullable().describe('When it was revoked. Null: not.'),
    note: z.string().nullable().describe('Words of yours about the key.'),
    last_used_at: timestamp().nullable().openapi({ description: 'To the minute. Null: never used.' }),
    created_by: z
      .string()
      .nullable()
      .openapi({ description: 'The administrator who made the key, or made the key that it was rolled from.' }),
    created_at: timestamp().describe('When it was made.'),
  })
  .openapi('ApiKey');

export const apiKeyView = answering<ApiKeyRow, z.infer<typeof ApiKey>>({
  companyId: null,
  keyHash: null,
  proof: null,
})((row) => ({
  id: publicId('apiKey', row.id),
  name: row.name,
  key_prefix: row.keyPrefix,
  is_active: isKeyWorking(row),
  role: row.role,
  permissions: permissionsOf({ role: row.role, permissions: row.permissions ?? null }),
  expires_at: row.expiresAt?.toISOString() ?? null,
  active_until: row.activeUntil?.toISOString() ?? null,
  revoked_at: row.revokedAt?.toISOString() ?? null,
  note: row.note ?? null,
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  created_by: publicIdOrNull('administrator', row.createdBy ?? null),
  created_at: row.createdAt.toISOString(),
}));

/** A new password. It is not trimmed: outer white space is refused, because people lose it when they copy a password. */
export const newPassword = () =>
  secret({ min: MIN_PASSWORD_CHARACTERS, max: MAX_PASSWORD_CHARACTERS })
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
const HAS_ADDRESS = /:\/\/|www\.|[\p{L}\p{N}][.。．｡][\p{L}\p{N}]{2,}/iu;
const HAS_NUMBER = /\p{Nd}{7}/u;
/** What stands between the digits of a phone number. */
const BETWEEN_DIGITS = /[\s\p{P}\p{S}]/gu;
const TURNS = /\p{Bidi_Control}/u;

/** The name of a company. It stands in messages to people, where an address or a phone number would be somebody's bait. */
export const companyName = () =>
  text()
    .refine((name) => !TURNS.test(name), 'must not contain direction marks')
    .refine((name) => !HAS_ADDRESS.test(asRead(name)), 'must not contain an address of the web')
    .refine(
      (name) => !HAS_NUMBER.test(asRead(name).replace(BETWEEN_DIGITS, '')),
      'must not contain seven digits in a row',
    );

export function hasOwnPassword({ email, password }: { email: string; password?: string | null | undefined }): boolean {
  return password == null || !isOwnEmail(password, email);
}
export const email = () => z.string().trim().max(254).pipe(z.email()).openapi({ format: 'email' });
