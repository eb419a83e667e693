import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { permits } from '../../../domain/roles.ts';
import { statusWords } from '../../components/badge.ts';
import { form, textArea, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { percentDigits, percentText } from '../../components/numbers.ts';
import { card, definitionList, emptyState, idText } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { edited, editsOf } from '../../edited.ts';
import { actionField, actions, basisPointsOf, entered, optional, optionalWholeOf } from '../../entered.ts';
import { type Message, type Text, t } from '../../language/message.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';

/** The company’s settings, and the fees and taxes in force. */

type CompanyView = AnswerOf<Operation<'get', '/v1/core/companies/me'>>;
type SettingName = keyof ReturnType<typeof shownValues>;

/** Null clears a setting. The description of the API does not say so for ids and e-mail addresses. */
function orCleared(text: string): string {
  return (optional(text) ?? null) as string; // the API takes null here
}

/** What the fields of the form show. */
function shownValues(company: CompanyView) {
  return {
    name: company.name,
    service_fee_basis_points: percentDigits(company.service_fee_basis_points),
    auto_release_hours: String(company.auto_release_hours ?? ''),
    default_seller_id: company.default_seller_id ?? '',
    default_phone_region: company.default_phone_region ?? '',
    brand_color: company.brand_color ?? '',
    support_email: company.support_email ?? '',
    terms_url: company.terms_url ?? '',
    address: company.address ?? '',
    tax_number: company.tax_number ?? '',
    registration_number: company.registration_number ?? '',
    time_zone: company.time_zone,
    checkout_hosts: company.checkout_hosts.join('\n'),
  };
}

/** The API names the host that it refuses by its place in the list: `checkout_hosts.1`. */
function hostsError({ refused }: Visit): Text | undefined {
  const wrong = refused?.problem.errors.filter(({ path }) => path.split('.')[0] === 'checkout_hosts') ?? [];
  const [first] = wrong.map(({ path, message }) => {
    const [, line] = path.split('.');
    return line === undefined ? message : t('Line {line} {problem}.', { line: Number(line) + 1, problem: message });
  });
  return first;
}

export const settings: ConsolePage = {
  path: '/settings',
  title: t('Settings and fees'),
  who: 'read',
  menu: { section: 'Company', label: t('Settings and fees') },
  show: async (visit) => {
    const { api, session } = visit;
    const [company, fees] = await Promise.all([api.get('/v1/core/companies/me'), api.get('/v1/treasury/configs')]);
    const { error, refused } = entered(visit, 'change');
    const { value, shown } = edited(refused, shownValues(company));
    const canChange = permits(session.role, 'manage_company');
    return {
      main: html`<div class="columns"><div class="stack">${card({
        title: t('Company'),
        body: definitionList([
          [t('Name'), company.name],
          [t('Slug'), company.slug],
          [t('Fee of the platform'), percentText(company.system_fee_basis_points)],
          [t('Fee of the company'), percentText(company.service_fee_basis_points)],
          [
            t('Automatic release'),
            company.auto_release_hours === null ? t('Off') : afterText(company.auto_release_hours),
          ],
          [
            t('Default seller'),
            company.default_seller_id === null ? t('The company') : objectLink(company.default_seller_id),
          ],
          [t('Phone region'), company.default_phone_region],
          [t('Time zone'), company.time_zone],
          [t('Postal address'), company.address],
          [t('Tax number'), company.tax_number],
          [t('Registration number'), company.registration_number],
          [t('Registered'), time(company.created_at)],
          [t('Id'), idText(company.id)],
        ]),
      })}${card({
        title: t('Checkout'),
        body: definitionList([
          [
            t('Logo'),
            company.logo_url === null
              ? t('None. Upload it over the API.')
              : html`<a href="${company.logo_url}" target="_blank" rel="noopener noreferrer">${t('Open the image')}</a>`,
          ],
          [t('Colour of the buttons'), company.brand_color],
          [t('Help for buyers'), company.support_email],
          [t('Terms'), company.terms_url],
          [t('Return addresses may lead to'), company.checkout_hosts.join(', ')],
        ]),
      })}${card({
        title: t('Fees and taxes in force'),
        actions: permits(session.role, 'manage_money')
          ? form({
              action: '/console/settings',
              csrf: visit.csrf,
              fields: actionField('seed'),
              submit: t('Add missing defaults'),
              tone: 'plain',
            })
          : NOTHING,
        body:
          fees.configs.length === 0
            ? emptyState(t('None yet'), t('Escrows then have the fees above, and no transfer tax.'))
            : dataTable({
                caption: t('Fees and taxes'),
                rows: fees.configs,
                columns: [
                  { title: t('Kind'), cell: ({ kind }) => statusWords(kind) },
                  { title: t('Currency'), cell: ({ currency }) => currency },
                  { title: t('Rate'), align: 'end', cell: ({ basis_points }) => percentText(basis_points) },
                  { title: t('Since'), rank: 'second', cell: ({ effective_from }) => time(effective_from) },
                ],
              }),
      })}</div>${
        canChange
          ? card({
              title: t('Change'),
              body: html`<p class="soft">${t('New fees apply to later escrows.')}</p>${form({
                action: '/console/settings',
                csrf: visit.csrf,
                submit: t('Save'),
                fields: [
                  actionField('change'),
                  shown,
                  textField({
                    name: 'name',
                    label: t('Name'),
                    isRequired: true,
                    maxLength: 255,
                    value: value('name'),
                    error: error('name'),
                  }),
                  textField({
                    name: 'service_fee_basis_points',
                    label: t('Fee of the company'),
                    hint: t('For example 2.5'),
                    inputMode: 'decimal',
                    unit: '%',
                    isRequired: true,
                    value: value('service_fee_basis_points'),
                    error: error('service_fee_basis_points'),
                  }),
                  textField({
                    name: 'auto_release_hours',
                    label: t('Automatic release after hours'),
                    hint: t('Empty: never'),
                    type: 'number',
                    min: 1,
                    value: value('auto_release_hours'),
                    error: error('auto_release_hours'),
                  }),
                  textField({
                    name: 'default_seller_id',
                    label: t('Default seller'),
                    hint: t('The id of a user; empty: the company'),
                    value: value('default_seller_id'),
                    error: error('default_seller_id'),
                  }),
                  textField({
                    name: 'default_phone_region',
                    label: t('Phone region'),
                    hint: t('Two letters: ZW'),
                    isRequired: true,
                    maxLength: 2,
                    value: value('default_phone_region'),
                    error: error('default_phone_region'),
                  }),
                  textField({
                    name: 'time_zone',
                    label: t('Time zone'),
                    hint: t('Of all dates that people see: Africa/Harare'),
                    isRequired: true,
                    maxLength: 64,
                    value: value('time_zone'),
                    error: error('time_zone'),
                  }),
                  ...(
                    [
                      ['address', t('Postal address'), 255],
                      ['tax_number', t('Tax number'), 64],
                      ['registration_number', t('Registration number'), 64],
                    ] as const
                  ).map(([name, label, maxLength]) =>
                    textField({
                      ...{ name, label, maxLength, value: value(name), error: error(name) },
                      hint: t('Stands in statements, reports and receipts'),
                    }),
                  ),
                  textField({
                    name: 'brand_color',
                    label: t('Colour of the buttons in the checkout'),
                    hint: t('Such as #0d6a4e. White text has to be readable on it.'),
                    maxLength: 7,
                    value: value('brand_color'),
                    error: error('brand_color'),
                  }),
                  textField({
                    name: 'support_email',
                    label: t('Help for buyers'),
                    hint: t('An e-mail address that the checkout shows'),
                    type: 'email',
                    maxLength: 254,
                    value: value('support_email'),
                    error: error('support_email'),
                  }),
                  textField({
                    name: 'terms_url',
                    label: t('Address of your terms'),
                    type: 'url',
                    maxLength: 2_000,
                    value: value('terms_url'),
                    error: error('terms_url'),
                  }),
                  textArea({
                    name: 'checkout_hosts',
                    label: t('Hosts of return addresses'),
                    hint: t('One in each line: shop.example.com. The checkout leads buyers back to these hosts only.'),
                    value: value('checkout_hosts'),
                    error: hostsError(visit),
                  }),
                ],
              })}`,
            })
          : NOTHING
      }</div>`,
    };
  },
  act: actions({
    change: async ({ api }, sent) => {
      const isEdited = editsOf(sent, shownValues(await api.get('/v1/core/companies/me')));
      const edit = <Value>(name: SettingName, read: () => Value) => (isEdited(name) ? read() : undefined);
      const cleared = (name: SettingName) => edit(name, () => orCleared(sent.text(name)));
      await api.patch('/v1/core/companies/me', {
        idempotencyKey: sent.idempotencyKey,
        body: {
          name: edit('name', () => sent.text('name')),
          service_fee_basis_points: edit('service_fee_basis_points', () =>
            basisPointsOf(sent, 'service_fee_basis_points'),
          ),
          auto_release_hours: edit('auto_release_hours', () => optionalWholeOf(sent, 'auto_release_hours') ?? null),
          default_seller_id: cleared('default_seller_id'),
          default_phone_region: edit('default_phone_region', () => sent.text('default_phone_region')),
          brand_color: cleared('brand_color'),
          support_email: cleared('support_email'),
          terms_url: cleared('terms_url'),
          address: cleared('address'),
          tax_number: cleared('tax_number'),
          registration_number: cleared('registration_number'),
          time_zone: edit('time_zone', () => sent.text('time_zone')),
          checkout_hosts: edit('checkout_hosts', () => [...sent.lines('checkout_hosts')]),
        },
      });
      return { to: '/settings', flash: { tone: 'good', text: t('The settings are saved.') } };
    },
    seed: async ({ api }, sent) => {
      const { seeded } = await api.post('/v1/treasury/seed-configs', { idempotencyKey: sent.idempotencyKey });
      return {
        to: '/settings',
        flash: {
          tone: 'good',
          text: seeded === 0 ? t('Fee configuration was there already.') : t('Fee configuration seeded.'),
        },
      };
    },
  }),
};

/** Whole days in days: 168 hours are 7 days. */
function afterText(hours: number): Message {
  return hours % 24 === 0
    ? t('{days, plural, one {After # day} other {After # days}}', { days: hours / 24 })
    : t('{hours, plural, one {After # hour} other {After # hours}}', { hours });
}
