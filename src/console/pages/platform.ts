import type { AnswerOf, Operation } from '../../../clients/typescript/src/types.ts';
import { badge, statusWords } from '../components/badge.ts';
import { confirmation, form, textField } from '../components/form.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { card, emptyState, figures, notice } from '../components/parts.ts';
import { dataTable } from '../components/table.ts';
import { spanText, time } from '../components/time.ts';
import { actionField, actions, entered } from '../entered.ts';
import { listPages, type Query } from '../list-page.ts';
import type { ConsolePage, Visit } from '../page.ts';

/** The platform's own pages: the state of the service, and all companies. */

type State = AnswerOf<Operation<'get', '/v1/platform/state'>>;

type Gauge = {
  readonly metric: string;
  readonly name: string;
  readonly unit: 'count' | 'age';
  /** From here on the figure is marked: a person should look. Of the alerts in docs/operations.md. */
  readonly alarmFrom: number;
  /** Where to look. */
  readonly href?: string;
};

const DAY_SECONDS = 86_400;
const GAUGES: readonly Gauge[] = [
  {
    metric: 'oldest_dispute_seconds',
    name: 'Oldest dispute',
    unit: 'age',
    alarmFrom: 3 * DAY_SECONDS,
    href: '/console/disputes',
  },
  { metric: 'open_withdrawals', name: 'Payouts at the bank', unit: 'count', alarmFrom: Number.POSITIVE_INFINITY },
  { metric: 'oldest_withdrawal_seconds', name: 'Oldest payout at the bank', unit: 'age', alarmFrom: DAY_SECONDS },
  { metric: 'pending_payments', name: 'Payments at a provider', unit: 'count', alarmFrom: Number.POSITIVE_INFINITY },
  { metric: 'oldest_payment_seconds', name: 'Oldest payment at a provider', unit: 'age', alarmFrom: 7_200 },
  { metric: 'unsealed_transactions', name: 'Transactions not sealed', unit: 'count', alarmFrom: 10_000 },
  { metric: 'seal_lag_seconds', name: 'The sealer is behind by', unit: 'age', alarmFrom: 60 },
  { metric: 'event_lag_seconds', name: 'Events are behind by', unit: 'age', alarmFrom: 60 },
  { metric: 'events_set_aside', name: 'Events set aside', unit: 'count', alarmFrom: 1 },
  { metric: 'webhook_lag_seconds', name: 'Webhooks are behind by', unit: 'age', alarmFrom: 3_600 },
  { metric: 'webhooks_failing', name: 'Endpoints that fail', unit: 'count', alarmFrom: 1 },
];

const state: ConsolePage = {
  path: '/platform',
  title: 'State of the service',
  who: 'platform',
  menu: { section: 'Platform', label: 'State of the service' },
  show: async (visit) => {
    const found = await visit.api.get('/v1/platform/state');
    return {
      main: html`<div class="stack">${card({ title: 'What waits', body: figures(GAUGES.map((gauge) => figureOf(gauge, found))) })}
${card({ title: 'Open escrows', body: openEscrows(found) })}
${card({ title: 'Payments and payouts that need a person', body: concerns(found) })}
${card({ title: 'Audits', body: audits(found, visit) })}
${card({ title: 'By symptom', body: symptoms(visit) })}</div>`,
    };
  },
  act: async ({ api }) => {
    const { ok, checkedAccounts, checkedTransactions, mismatches, durationMs } = await api.get(
      '/v1/ledger/verify-ledger-integrity',
    );
    const checked = `${checkedAccounts} accounts and ${checkedTransactions} transactions in ${durationMs} ms`;
    return {
      to: '/platform',
      flash: ok
        ? { tone: 'good', text: `The books agree: ${checked}.` }
        : { tone: 'bad', text: `The books do not agree: ${mismatches.length} mismatches in ${checked}. Stop payouts.` },
    };
  },
};

function figureOf({ metric, name, unit, alarmFrom, href }: Gauge, { metrics }: State) {
  const value = metrics.find((one) => one.metric === metric)?.value ?? 0;
  const text =
    unit === 'count' ? new Intl.NumberFormat('en').format(value) : value === 0 ? 'nothing' : spanText(value * 1_000);
  const shown = href === undefined ? text : html`<a href="${href}">${text}</a>`;
  return { name, value: shown, ...(value >= alarmFrom ? { note: badge('Look at this', 'warn') } : {}) };
}

function openEscrows({ metrics }: State): Html {
  const rows = metrics.filter(({ metric }) => metric === 'open_escrows');
  return rows.length === 0
    ? emptyState('None', 'No escrow is open.')
    : figures(
        rows.map(({ label, value }) => ({
          name: statusWords(label ?? ''),
          value: new Intl.NumberFormat('en').format(value),
        })),
      );
}

/** What a concern means, and what to do. */
const CONCERNS: Readonly<Record<string, string>> = {
  LATE_MONEY: 'The payment came after the link had ended. It is on the buyer’s balance: tell the buyer.',
  PAYMENT_MISMATCHED: 'The gateway took another amount. Ask the gateway which.',
  REVIEW_NEEDED: 'The bank’s answer is unclear. Book what the bank’s statement shows.',
  SETTLED_LATE: 'The bank paid after the money was given back. The customer owes it.',
  PAYOUT_FAILED: 'The bank rejected the payment. The money is back on the account.',
  PAYOUT_REVERSED: 'The bank returned the payment. The money is back on the account.',
};

function concerns({ concerns: all }: State): Html {
  if (all.length === 0) return emptyState('Nothing', 'No payment and no payout needs a person.');
  return dataTable({
    caption: 'Payments and payouts that need a person',
    rows: all,
    columns: [
      { title: 'What', cell: ({ kind }) => badge(statusWords(kind), 'warn') },
      { title: 'Means', cell: ({ kind }) => CONCERNS[kind] ?? '' },
      { title: 'Object', cell: ({ objectId }) => html`<code class="id">${objectId}</code>` },
      { title: 'Company', rank: 'second', cell: ({ companyId }) => html`<code class="id">${companyId}</code>` },
      { title: 'Time', rank: 'second', cell: ({ at }) => time(at) },
    ],
  });
}

function audits({ audits: kept }: State, { csrf }: Visit): Html {
  const now = form({ action: '/console/platform', csrf, fields: NOTHING, submit: 'Audit now', tone: 'plain' });
  if (kept.length === 0)
    return html`${notice({ tone: 'warn', text: 'No audit has been kept yet. Workers audit what is new every 15 minutes.' })}${now}`;
  return html`${dataTable({
    caption: 'Audits that found nothing',
    rows: kept,
    columns: [
      { title: 'Time', cell: ({ at }) => time(at) },
      { title: 'Of', cell: ({ isFull }) => (isFull ? 'Everything' : 'What was new') },
      { title: 'Number', rank: 'second', align: 'end', cell: ({ seq }) => seq },
      { title: 'Root over the heads of all chains', cell: ({ root }) => html`<code>${root.slice(0, 16)}…</code>` },
    ],
  })}${now}`;
}

type Symptom = { readonly seen: string; readonly links: readonly (readonly [label: string, href: string])[] };

/** The symptoms of docs/operations.md, and where to look. `temporal` searches in the Temporal UI. */
function symptoms({ settings }: Visit): Html {
  const { temporalUiUrl, temporalNamespace } = settings;
  const temporal = (label: string, query: string) =>
    temporalUiUrl === null
      ? []
      : [
          [
            label,
            `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}/workflows?${new URLSearchParams({ query })}`,
          ] as const,
        ];
  const all: readonly Symptom[] = [
    {
      seen: 'The API answers 503, or the database or Temporal is down',
      links: [
        ['Readiness', '/health/ready'],
        ['Serving', '/health/serving'],
      ],
    },
    {
      seen: 'A workflow task fails, a run is missing, behind or stuck',
      links: temporal('Sweeps', 'WorkflowType = "rebuildWorkflow"'),
    },
    {
      seen: 'A step waits for a privilege (database_denies)',
      links: temporal('Runs', 'EscrowAttention = "database_denies"'),
    },
    { seen: 'A release is blocked', links: temporal('Runs', 'EscrowAttention = "release_blocked"') },
    { seen: 'A signal was refused', links: temporal('Runs', 'EscrowAttention = "signal_refused"') },
    {
      seen: 'The books do not agree',
      links: [...temporal('Audits', 'WorkflowType = "auditWorkflow"'), ['Audit log', '/console/audit']],
    },
    {
      seen: 'A company gets no webhooks, or they come late',
      links: [
        ['Webhooks', '/console/webhooks'],
        ['Events', '/console/events'],
      ],
    },
    { seen: 'Withdrawals are stuck', links: [['Withdrawals at the bank', '/console/withdrawals?status=PROCESSING']] },
    { seen: 'Payments are stuck', links: [['Links with a payment at work', '/console/links?status=PROCESSING']] },
    { seen: 'Money whose owner is unknown', links: [['Receipts in suspense', '/console/receipts?matchedTo=SUSPENSE']] },
    { seen: 'Somebody guesses passwords or codes', links: [['Audit log', '/console/audit']] },
  ];
  return dataTable({
    caption: 'By symptom',
    rows: all,
    columns: [
      { title: 'What you see', cell: ({ seen }) => seen },
      {
        title: 'Look at',
        cell: ({ links }) =>
          links.length === 0
            ? 'Temporal’s UI'
            : html`${links.map(([label, href]) => html`<a class="button small" href="${href}">${label}</a> `)}`,
      },
    ],
  });
}

async function readCompanies({ api }: Visit, { limit, after, search }: Query) {
  const { data, hasMore } = await api.get('/v1/platform/companies', { query: { limit: Number(limit), after, search } });
  const last = data.at(-1)?.id;
  return { rows: data, total: null, next: hasMore && last !== undefined ? { after: last } : null };
}

const MAX_FEE_BASIS_POINTS = 5_000;

const companies = listPages({
  path: '/companies',
  title: 'Companies',
  lead: 'All tenants of this installation, and the fee that the platform takes from their escrows.',
  who: 'platform',
  menu: { section: 'Platform', label: 'Companies' },
  rows: readCompanies,
  rowsPerRequest: 100,
  filters: [{ name: 'search', label: 'Name or slug' }],
  columns: (visit) => [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Slug', rank: 'second', cell: ({ slug }) => slug },
    {
      title: 'Fee of the platform',
      align: 'end',
      cell: ({ system_fee_basis_points: fee }) => `${(fee / 100).toFixed(2)} %`,
    },
    {
      title: 'Own fee',
      align: 'end',
      rank: 'second',
      cell: ({ service_fee_basis_points: fee }) => `${(fee / 100).toFixed(2)} %`,
    },
    { title: 'Registered', rank: 'second', cell: ({ created_at }) => time(created_at) },
    { title: 'Id', rank: 'second', cell: ({ id }) => html`<code class="id">${id}</code>` },
    {
      title: 'Change',
      cell: ({ id, name, system_fee_basis_points }) =>
        html`<div class="actions"><a class="button small" href="/console/act-for?companyId=${id}">Act for</a>${feeForm(visit, { id, name, basisPoints: system_fee_basis_points })}</div>`,
    },
  ],
  empty: { title: 'No companies yet', text: 'Companies register over the API.' },
  act: actions({
    fee: async ({ api }, sent) => {
      const text = sent.text('system_fee_basis_points');
      if (!/^\d{1,4}$/.test(text)) return sent.refuse('system_fee_basis_points', 'must be a whole number');
      const company = await api.patch('/v1/core/companies/{id}', {
        path: { id: sent.text('id') },
        body: { system_fee_basis_points: Number(text) },
      });
      return { to: '/companies', flash: { tone: 'good', text: `The fee of ${company.name} is changed.` } };
    },
  }),
});

function feeForm(
  visit: Visit,
  { id, name, basisPoints }: { readonly id: string; readonly name: string; readonly basisPoints: number },
): Html {
  const { error } = entered(visit, 'fee');
  const field = textField({
    name: 'system_fee_basis_points',
    id: `fee-${id}`,
    label: 'Basis points',
    hint: '100 are 1 %',
    type: 'number',
    min: 0,
    max: MAX_FEE_BASIS_POINTS,
    value: String(basisPoints),
    error: error('system_fee_basis_points'),
    isRequired: true,
  });
  return confirmation({
    label: 'Fee',
    consequence: `Later escrows of ${name} pay this fee. Escrows that exist keep theirs.`,
    action: '/console/companies',
    csrf: visit.csrf,
    fields: html`${actionField('fee')}<input type="hidden" name="id" value="${id}">${field}`,
    confirm: 'Change the fee',
  });
}

export const platformPages: readonly ConsolePage[] = [state, ...companies];
