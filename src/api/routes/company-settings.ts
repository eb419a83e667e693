import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { AppUser, Company as CompanyRow } from '../../db/entities/tenancy.ts';
import { takeInUser } from '../../db/identity/registrations.ts';
import { setPayoutLimit } from '../../db/treasury/cash-backing.ts';
import { changeFee } from '../../db/treasury/fee-configs.ts';
import { Refusal } from '../../domain/errors.ts';
import { MAX_AUTO_RELEASE_HOURS } from '../../domain/escrow/escrow.ts';
import { publicIdOrNull, type UserId } from '../../domain/ids.ts';
import { lookAlikeKey } from '../../domain/look-alike.ts';
import { CURRENCY_CODES } from '../../domain/money.ts';
import { changedChoices, ORDER_ACT_NAMES } from '../../domain/order-pages.ts';
import { isPhoneRegion } from '../../domain/phone.ts';
import { UTC } from '../../domain/time-zone.ts';
import { isReadableOn, WHITE } from '../checkout/contrast.ts';
import { changeOnce } from '../commands/idempotency.ts';
import type { ApiDependencies, ApiEnv } from '../context.ts';
import { noteChanges } from '../middleware/audit.ts';
import { type Operations, ok, tenant } from '../operation.ts';
import { requireRightTo } from '../orders/requests.ts';
import { cents, id, pathIds, plainWebAddress, storing, text, textOrNull, timeZone } from '../schemas/common.ts';
import { Company, companyName, companyView, email } from '../schemas/company.ts';
import { choicesOf, OrderPageChange } from '../schemas/order-pages.ts';

const tag = 'Companies';
const MAX_FEE_BASIS_POINTS = 5_000;
const MAX_CHECKOUT_HOSTS = 20;
const phoneRegion = () =>
  z
    .string()
    .trim()
    .toUpperCase()
    .refine(isPhoneRegion, 'must be a two-letter country code, such as ZW')
    .openapi({ type: 'string', pattern: '^[A-Za-z]{2}$', example: 'ZW' });
const basisPoints = () => z.int().min(0).max(MAX_FEE_BASIS_POINTS);

const host = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^(?!-)[a-z0-9-]{1,63}(\.(?!-)[a-z0-9-]{1,63})+$/, 'must be a host name, such as shop.example.com')
    .openapi({ type: 'string', pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+$', example: 'shop.example.com' });
const color = () =>
  z
    .string()
    .trim()
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, 'must be a colour, such as #0d6a4e')
    .openapi({ type: 'string', pattern: '^#[0-9A-Fa-f]{6}$', example: '#0d6a4e' });

/** Absent fields stay unchanged; null disables a setting. */
const CompanySettings = z
  .object({
    name: companyName().optional().describe('Its name. It stands in messages: without addresses and phone numbers.'),
    service_fee_basis_points: basisPoints()
      .optional()
      .describe("The company's own fee on later escrows, in hundredths of a per cent."),
    auto_release_hours: z
      .int()
      .min(1)
      .max(MAX_AUTO_RELEASE_HOURS)
      .nullish()
      .describe('Hours after which a covered order is released by itself. Null: never.'),
    default_seller_id: id('user')
      .nullish()
      .openapi({ ...textOrNull, description: 'The seller of payment links that name none. Null: the company itself.' }),
    default_phone_region: phoneRegion()
      .nullish()
      .openapi({
        ...textOrNull,
        description: 'The region of phone numbers without a plus, such as ZW. Null: the default of the service.',
      }),
    checkout_hosts: z
      .array(host())
      .max(MAX_CHECKOUT_HOSTS)
      .optional()
      .describe('The hosts that `successUrl` and `cancelUrl` of payment links may name.'),
    brand_color: color()
      .nullish()
      .openapi({
        ...textOrNull,
        description:
          'The colour of the buttons in the checkout. White text on it needs a contrast of 4.5 to 1 (WCAG AA).',
      }),
    settlement_references: z
      .object({
        card: text().nullish().describe('The text that names settlements of the card gateway.'),
        mobile: text().nullish().describe('The text that names settlements of mobile money.'),
      })
      .optional()
      .openapi({
        description:
          "The texts by which the bank's statement names the payments of the card gateway and of mobile money. Merged field by field.",
      }),
    settlement_fee_basis_points: basisPoints().optional().openapi({
      description: "The part of a settlement that may be missing as the gateway's fee.",
    }),
    support_email: email().nullish().openapi({ description: 'Where buyers get help. Shown in the checkout.' }),
    require_mfa: z.boolean().optional().openapi({ description: 'Whether administrators need a second factor.' }),
    terms_url: plainWebAddress(/^https$/)
      .nullish()
      .openapi({ description: "The https address of the company's terms, linked in the checkout." }),
    address: text().nullish().describe('The postal address on one line, in PDF files. Null: none.'),
    tax_number: text(64).nullish().describe('The number at the tax office, in PDF files. Null: none.'),
    registration_number: text(64)
      .nullish()
      .describe('The number in the register of companies, in PDF files. Null: none.'),
    order_pages: OrderPageChange.optional().describe('Merged field by field.'),
    time_zone: timeZone()
      .nullish()
      .openapi({ ...textOrNull, description: 'An IANA name, for the dates that people see and type. Null: UTC.' }),
  })
  .openapi('CompanySettings');
const PlatformSettings = z
  .object({
    system_fee_basis_points: basisPoints()
      .optional()
      .describe("The platform's fee on later escrows, in hundredths of a per cent."),
    payout_limits: z.partialRecord(z.enum(CURRENCY_CODES), cents(0)).optional().openapi({
      description: 'Cents per currency that may be paid out beyond the money that came in for the company.',
    }),
  })
  .refine((body) => body.system_fee_basis_points !== undefined || body.payout_limits !== undefined, {
    message: 'must change at least one field',
    path: ['system_fee_basis_points'],
  })
  .openapi('CompanyPlatformSettings');

/** The other two settings are merged, and looked up. */
const settingsOf = storing<Omit<z.infer<typeof CompanySettings>, 'order_pages' | 'default_seller_id'>, CompanyRow>({
  settlement_references: 'settlementCardReference',
})((input) => ({
  name: input.name,
  serviceFeeBasisPoints: input.service_fee_basis_points,
  autoReleaseHours: input.auto_release_hours,
  defaultPhoneRegion: input.default_phone_region,
  checkoutHosts: input.checkout_hosts,
  brandColor: input.brand_color,
  settlementCardReference: input.settlement_references?.card,
  settlementMobileReference: input.settlement_references?.mobile,
  settlementFeeBasisPoints: input.settlement_fee_basis_points,
  supportEmail: input.support_email,
  termsUrl: input.terms_url,
  address: input.address,
  taxNumber: input.tax_number,
  registrationNumber: input.registration_number,
  timeZone: input.time_zone === null ? UTC : input.time_zone,
  requireMfa: input.require_mfa,
}));

export function registerCompanySettings(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, cipher, settings } = dependencies;

  operation(
    {
      method: 'patch',
      path: '/v1/core/companies/me',
      tag,
      summary: 'Change the settings of the company; new fees apply to later escrows',
      description:
        'Fields that are left out stay as they are; null clears. Setting an act of the order pages to `direct` needs what approving it needs.',
      access: tenant('manage_company', { factor: 'of the act' }),
      idempotency: 'accepted',
      body: CompanySettings,
      success: ok(Company),
      refusals: ['too_many_requests', 'unknown_user', 'contrast_too_low'],
    },
    async ({ body: { default_seller_id: sellerId, order_pages: orderPages, ...input }, companyId, c }) => {
      if (input.brand_color != null && !isReadableOn(WHITE, input.brand_color)) throw new Refusal('contrast_too_low');
      for (const act of ORDER_ACT_NAMES)
        if (orderPages?.acts?.[act] === 'direct') await requireRightTo(c, dependencies, act);
      const defaultSellerId = sellerId == null ? sellerId : await takeInUser(orm, cipher, companyId, sellerId);
      return changeOnce(c, dependencies, async (em) => {
        if (
          defaultSellerId != null &&
          (await em.count(AppUser, { id: defaultSellerId, companyId, erasedAt: null })) === 0
        )
          throw new Refusal('unknown_user', 'default_seller_id does not name a user of the company');
        const changes = { ...settingsOf(input), defaultSellerId };
        const row = await em.findOneOrFail(CompanyRow, { id: companyId });
        if (orderPages !== undefined)
          em.assign(row, { orderPages: changedChoices(row.orderPages, choicesOf(orderPages)) });
        noteSettings(c, row, changes);
        const { serviceFeeBasisPoints } = changes;
        if (serviceFeeBasisPoints !== undefined) await changeFee(em, companyId, 'SERVICE_FEE', serviceFeeBasisPoints);
        const nameKey = input.name === undefined ? row.nameKey : lookAlikeKey(input.name);
        return companyView(em.assign(row, { ...given(changes), nameKey, updatedAt: new Date() }), settings);
      });
    },
  );

  operation(
    {
      method: 'patch',
      path: '/v1/core/companies/{id}',
      tag,
      summary: "Change the platform's fee on the later escrows of a company",
      description: 'Escrows that exist keep the fee they were created with.',
      access: tenant('platform'),
      idempotency: 'accepted',
      params: pathIds({ id: 'company' }),
      body: PlatformSettings,
      success: ok(Company),
      refusals: ['not_found'],
    },
    async ({ params: { id: companyId }, body, c }) => {
      const { system_fee_basis_points: systemFeeBasisPoints, payout_limits: limits = {} } = body;
      const change = async (em: EntityManager) => {
        const row = await em.findOne(CompanyRow, { id: companyId });
        if (row === null) throw new Refusal('not_found', 'company not found');
        for (const currency of CURRENCY_CODES) {
          const limitCents = limits[currency];
          if (limitCents !== undefined) await setPayoutLimit(em, companyId, currency, limitCents);
        }
        if (systemFeeBasisPoints === undefined) return row;
        await changeFee(em, companyId, 'SYSTEM_FEE', systemFeeBasisPoints);
        return em.assign(row, { systemFeeBasisPoints, updatedAt: new Date() });
      };
      return changeOnce(c, dependencies, async (em) => companyView(await change(em), settings), {
        tenant: companyId,
      });
    },
  );
}

/** What the audit log says of the settings that decide where money goes or what it costs. */
function noteSettings(
  c: Context<ApiEnv>,
  before: CompanyRow,
  { defaultSellerId, checkoutHosts, serviceFeeBasisPoints }: Partial<CompanyRow>,
): void {
  const sellerOf = (id: UserId | null | undefined) => publicIdOrNull('user', id ?? null);
  const settings = [
    ['default_seller_id', sellerOf(before.defaultSellerId), defaultSellerId, sellerOf(defaultSellerId)],
    ['checkout_hosts', before.checkoutHosts.join(', '), checkoutHosts, checkoutHosts?.join(', ')],
    ['service_fee_basis_points', `${before.serviceFeeBasisPoints}`, serviceFeeBasisPoints, `${serviceFeeBasisPoints}`],
  ] as const;
  noteChanges(
    c,
    settings.flatMap(([field, old, given, after = null]) =>
      given === undefined || old === after ? [] : [{ field, before: old, after }],
    ),
  );
}

/** The settings that the request contains. */
function given<T extends object>(settings: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof T]?: Exclude<T[Name], undefined> }; // fromEntries loses the key types
}
