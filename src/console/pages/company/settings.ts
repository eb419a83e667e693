import { permits } from '../../../domain/roles.ts';
import { statusWords } from '../../components/badge.ts';
import { form, textArea, textField } from '../../components/form.ts';
import { html, NOTHING } from '../../components/html.ts';
import { card, definitionList, emptyState, idText } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { time } from '../../components/time.ts';
import { actionField, actions, entered, optional, wholeOf } from '../../entered.ts';
import { objectLink } from '../../object-links.ts';
import type { ConsolePage, Visit } from '../../page.ts';

/** The company’s settings, and the fees and taxes in force. */

const percent = (basisPoints: number) => `${(basisPoints / 100).toFixed(2)} %`;

/** Null clears a setting. The description of the API does not say so for ids and e-mail addresses. */
function orCleared(text: string): string {
  return (optional(text) ?? null) as string; // the API takes null here
}

/** The API names the host that it refuses by its place in the list: `checkout_hosts.1`. */
function hostsError({ attempt }: Visit): string | undefined {
  const wrong = attempt?.problem.errors.filter(({ path }) => path.split('.')[0] === 'checkout_hosts') ?? [];
  const [first] = wrong.map(({ path, message }) => `Line ${Number(path.split('.')[1] ?? 0) + 1} ${message}.`);
  return first;
}

export const settings: ConsolePage = {
  path: '/settings',
  title: 'Settings and fees',
  who: 'read',
  menu: { section: 'Company', label: 'Settings and fees' },
  show: async (visit) => {
    const { api, session } = visit;
    const [company, fees] = await Promise.all([api.get('/v1/core/companies/me'), api.get('/v1/treasury/configs')]);
    const { value, error } = entered(visit, 'change');
    const canChange = permits(session.role, 'manage_company');
    return {
      main: html`<div class="columns"><div class="stack">${card({
        title: 'Company',
        body: definitionList([
          ['Name', company.name],
          ['Slug', company.slug],
          ['Fee of the platform', percent(company.system_fee_basis_points)],
          ['Fee of the company', percent(company.service_fee_basis_points)],
          [
            'Automatic release',
            company.auto_release_hours === null ? 'Off' : `After ${company.auto_release_hours} hours`,
          ],
          [
            'Default seller',
            company.default_seller_id === null ? 'The company' : objectLink(company.default_seller_id),
          ],
          ['Phone region', company.default_phone_region],
          ['Registered', time(company.created_at)],
          ['Id', idText(company.id)],
        ]),
      })}${card({
        title: 'Checkout',
        body: definitionList([
          [
            'Logo',
            company.logo_url === null
              ? 'None. It is sent over the API.'
              : html`<a href="${company.logo_url}" target="_blank" rel="noopener noreferrer">Open the image</a>`,
          ],
          ['Colour of the buttons', company.brand_color],
          ['Help for buyers', company.support_email],
          ['Terms', company.terms_url],
          ['Return addresses may lead to', company.checkout_hosts.join(', ')],
        ]),
      })}${card({
        title: 'Fees and taxes in force',
        actions: permits(session.role, 'manage_money')
          ? form({
              action: '/console/settings',
              csrf: visit.csrf,
              fields: actionField('seed'),
              submit: 'Add missing defaults',
              tone: 'plain',
            })
          : NOTHING,
        body:
          fees.configs.length === 0
            ? emptyState('None yet', 'Escrows then have the fees above, and no transfer tax.')
            : dataTable({
                caption: 'Fees and taxes',
                rows: fees.configs,
                columns: [
                  { title: 'Kind', cell: ({ kind }) => statusWords(kind) },
                  { title: 'Currency', cell: ({ currency }) => currency },
                  { title: 'Rate', align: 'end', cell: ({ basis_points }) => percent(basis_points) },
                  { title: 'Since', rank: 'second', cell: ({ effective_from }) => time(effective_from) },
                ],
              }),
      })}</div>${
        canChange
          ? card({
              title: 'Change',
              body: html`<p class="soft">New fees apply to later escrows.</p>${form({
                action: '/console/settings',
                csrf: visit.csrf,
                submit: 'Save',
                fields: [
                  actionField('change'),
                  textField({
                    name: 'name',
                    label: 'Name',
                    isRequired: true,
                    maxLength: 255,
                    value: value('name', company.name),
                    error: error('name'),
                  }),
                  textField({
                    name: 'service_fee_basis_points',
                    label: 'Fee of the company, in basis points',
                    hint: '100 are 1 %',
                    type: 'number',
                    min: 0,
                    max: 5_000,
                    isRequired: true,
                    value: value('service_fee_basis_points', String(company.service_fee_basis_points)),
                    error: error('service_fee_basis_points'),
                  }),
                  textField({
                    name: 'auto_release_hours',
                    label: 'Automatic release after hours',
                    hint: 'Empty: never',
                    type: 'number',
                    min: 1,
                    value: value(
                      'auto_release_hours',
                      company.auto_release_hours === null ? '' : String(company.auto_release_hours),
                    ),
                    error: error('auto_release_hours'),
                  }),
                  textField({
                    name: 'default_seller_id',
                    label: 'Default seller',
                    hint: 'The id of a user; empty: the company',
                    value: value('default_seller_id', company.default_seller_id),
                    error: error('default_seller_id'),
                  }),
                  textField({
                    name: 'default_phone_region',
                    label: 'Phone region',
                    hint: 'Two letters: ZW',
                    isRequired: true,
                    maxLength: 2,
                    value: value('default_phone_region', company.default_phone_region),
                    error: error('default_phone_region'),
                  }),
                  textField({
                    name: 'brand_color',
                    label: 'Colour of the buttons in the checkout',
                    hint: 'Such as #0d6a4e. White text has to be readable on it.',
                    maxLength: 7,
                    value: value('brand_color', company.brand_color),
                    error: error('brand_color'),
                  }),
                  textField({
                    name: 'support_email',
                    label: 'Help for buyers',
                    hint: 'An e-mail address that the checkout shows',
                    type: 'email',
                    maxLength: 254,
                    value: value('support_email', company.support_email),
                    error: error('support_email'),
                  }),
                  textField({
                    name: 'terms_url',
                    label: 'Address of your terms',
                    type: 'url',
                    maxLength: 2_000,
                    value: value('terms_url', company.terms_url),
                    error: error('terms_url'),
                  }),
                  textArea({
                    name: 'checkout_hosts',
                    label: 'Hosts of return addresses',
                    hint: 'One in each line: shop.example.com. The checkout leads buyers back to these hosts only.',
                    value: value('checkout_hosts', company.checkout_hosts.join('\n')),
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
      await api.patch('/v1/core/companies/me', {
        body: {
          name: sent.text('name'),
          service_fee_basis_points: wholeOf(sent, 'service_fee_basis_points'),
          auto_release_hours: sent.text('auto_release_hours') === '' ? null : wholeOf(sent, 'auto_release_hours'),
          default_seller_id: orCleared(sent.text('default_seller_id')),
          default_phone_region: sent.text('default_phone_region'),
          brand_color: orCleared(sent.text('brand_color')),
          support_email: orCleared(sent.text('support_email')),
          terms_url: orCleared(sent.text('terms_url')),
          checkout_hosts: sent
            .text('checkout_hosts')
            .split(/\r?\n/)
            .map((host) => host.trim())
            .filter((host) => host !== ''),
        },
      });
      return { to: '/settings', flash: { tone: 'good', text: 'The settings are saved.' } };
    },
    seed: async ({ api }) => {
      const { message } = await api.post('/v1/treasury/seed-configs');
      return { to: '/settings', flash: { tone: 'good', text: `${message}.` } };
    },
  }),
};
