import { CURRENCY_CODES, type Currency } from '../../../domain/money.ts';
import type { Query } from '../../addresses.ts';
import { confirmation, hidden, select, textField } from '../../components/form.ts';
import { type Html, html, rich } from '../../components/html.ts';
import { isCurrency, money, moneyText } from '../../components/money.ts';
import { percentDigits, percentText } from '../../components/numbers.ts';
import { shortId } from '../../components/parts.ts';
import { time } from '../../components/time.ts';
import { changedMeanwhile, edited, editsOf } from '../../edited.ts';
import { actionField, actions, amountOf, basisPointsOf, chosenId, entered, withFieldNames } from '../../entered.ts';
import { t } from '../../language/message.ts';
import { listPages } from '../../list-page.ts';
import type { Visit } from '../../page.ts';
import { CURRENCY_OPTIONS } from '../filters.ts';

/** All companies, and what the platform sets for each. */

async function readCompanies({ api }: Visit, { limit, after, search }: Query) {
  const { data, hasMore } = await api.get('/v1/platform/companies', { query: { limit: Number(limit), after, search } });
  const last = data.at(-1)?.id;
  return { rows: data, total: null, next: hasMore && last !== undefined ? { after: last } : null };
}

/** Companies whose name or slug contains the one that is looked for. */
const MAX_NAMESAKES = 100;

export const companies = listPages({
  path: '/companies',
  title: t('Companies'),
  lead: t('All tenants of this installation, and the fee that the platform takes from their escrows.'),
  who: 'platform',
  menu: { section: 'Platform', label: t('Companies') },
  rows: readCompanies,
  rowsPerRequest: 100,
  rowsPerPage: 20,
  filters: [{ name: 'search', label: t('Name or slug') }],
  columns: (visit) => [
    {
      title: t('Name'),
      cell: ({ name, slug, id, created_at }) =>
        html`<span class="breakable">${name}</span><br><span class="soft breakable">${slug}<br>${rich('Registered {time}', { time: time(created_at) })}<br>${shortId(id)}</span>`,
    },
    {
      title: t('Fee of the platform'),
      align: 'end',
      rank: 'second',
      cell: ({ system_fee_basis_points: fee }) => percentText(fee),
    },
    {
      title: t('Own fee'),
      align: 'end',
      rank: 'second',
      cell: ({ service_fee_basis_points: fee }) => percentText(fee),
    },
    {
      title: t('Payout limits'),
      align: 'end',
      rank: 'second',
      cell: ({ payout_limits: limits }) => limitsText(limits),
    },
    {
      title: t('Change'),
      cell: ({ id, name, system_fee_basis_points, payout_limits }) =>
        html`<div class="actions"><a class="button small" href="/console/act-for?companyId=${id}">${t('Act for')}</a>${feeForm(visit, { id, name, basisPoints: system_fee_basis_points })}${limitForm(visit, { id, name, limits: payout_limits })}</div>`,
    },
  ],
  empty: { title: t('No companies yet'), text: t('Companies register over the API.') },
  act: actions({
    fee: async ({ api, apiFor }, sent) => {
      const basisPoints = basisPointsOf(sent, 'system_fee_basis_points');
      const id = chosenId(sent, 'id', 'company');
      const saved = await apiFor(id).get('/v1/core/companies/me');
      editsOf(sent, { system_fee_basis_points: percentDigits(saved.system_fee_basis_points) });
      const company = await api.patch('/v1/core/companies/{id}', {
        path: { id },
        idempotencyKey: sent.idempotencyKey,
        body: { system_fee_basis_points: basisPoints },
      });
      return {
        to: '/companies',
        flash: { tone: 'good', text: t('The fee of {company} is changed.', { company: company.name }) },
      };
    },
    limit: async (visit, sent) => {
      const { api } = visit;
      const currency = sent.text('currency');
      if (!isCurrency(currency)) return sent.refuse('currency', t('Must be a currency of the service.'));
      const id = chosenId(sent, 'id', 'company');
      const cents = amountOf(sent, 'limit', currency);
      const saved = (await limitsOf(visit, id))[currency] ?? '0';
      if (saved !== sent.text(knownName(currency)) && saved !== String(cents))
        throw changedMeanwhile([['limit', moneyText(saved, currency)]]);
      const company = await withFieldNames(
        api.patch('/v1/core/companies/{id}', {
          path: { id },
          idempotencyKey: sent.idempotencyKey,
          body: { payout_limits: { [currency]: cents } },
        }),
        (path) => (path.startsWith('payout_limits') ? 'limit' : path),
      );
      return {
        to: '/companies',
        flash: { tone: 'good', text: t('The payout limit of {company} is changed.', { company: company.name }) },
      };
    },
  }),
});

function feeForm(
  visit: Visit,
  { id, name, basisPoints }: { readonly id: string; readonly name: string; readonly basisPoints: number },
): Html {
  const { error, isRefused, refused } = entered(visit, 'fee', id);
  const { value, shown } = edited(refused, { system_fee_basis_points: percentDigits(basisPoints) });
  const field = textField({
    name: 'system_fee_basis_points',
    id: `fee-${id}`,
    label: t('Fee of the platform'),
    hint: t('For example 2.5'),
    inputMode: 'decimal',
    unit: '%',
    value: value('system_fee_basis_points'),
    error: error('system_fee_basis_points'),
    isRequired: true,
  });
  return confirmation({
    label: t('Fee'),
    consequence: t('Later escrows of {company} pay this fee. Escrows that exist keep theirs.', { company: name }),
    action: '/console/companies',
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: html`${actionField('fee')}${hidden('id', id)}${shown}${field}`,
    confirm: t('Change the fee'),
  });
}

type Limits = Readonly<Partial<Record<Currency, string>>>;

/** The field with the limit that the page shows. */
const knownName = (currency: Currency) => `known.${currency}`;

/** Only the list of companies has the limits, so the company is looked up there by its slug. */
async function limitsOf({ api, apiFor }: Visit, companyId: string): Promise<Limits> {
  const { slug } = await apiFor(companyId).get('/v1/core/companies/me');
  const { data } = await api.get('/v1/platform/companies', { query: { search: slug, limit: MAX_NAMESAKES } });
  return data.find(({ id }) => id === companyId)?.payout_limits ?? {};
}

function limitsText(limits: Limits) {
  const shown = CURRENCY_CODES.flatMap((currency) => {
    const cents = limits[currency];
    return cents === undefined || cents === '0' ? [] : [html`${money(cents, currency)}<br>`];
  });
  return shown.length === 0 ? '–' : html`${shown}`;
}

function limitForm(
  visit: Visit,
  { id, name, limits }: { readonly id: string; readonly name: string; readonly limits: Limits },
): Html {
  const { value, error, isRefused } = entered(visit, 'limit', id);
  return confirmation({
    label: t('Payout limit'),
    consequence: t('{company} may pay out this much more than the money that came in for it. 0: nothing more.', {
      company: name,
    }),
    action: '/console/companies',
    csrf: visit.csrf,
    isOpen: isRefused,
    fields: [
      actionField('limit'),
      hidden('id', id),
      html`${CURRENCY_CODES.map((code) => hidden(knownName(code), limits[code] ?? '0'))}`,
      select({
        name: 'currency',
        id: `limit-currency-${id}`,
        label: t('Currency'),
        isRequired: true,
        options: CURRENCY_OPTIONS,
        value: value('currency'),
        error: error('currency'),
      }),
      textField({
        name: 'limit',
        id: `limit-${id}`,
        label: t('Amount'),
        inputMode: 'decimal',
        isRequired: true,
        value: value('limit'),
        error: error('limit'),
      }),
    ],
    confirm: t('Change the limit'),
  });
}
