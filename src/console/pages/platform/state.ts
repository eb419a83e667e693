import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import { badge, statusWords } from '../../components/badge.ts';
import { form } from '../../components/form.ts';
import { type Html, html, NOTHING } from '../../components/html.ts';
import { card, emptyState, figures, notice, shortId } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { spanText, time } from '../../components/time.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { symptoms, temporalLink } from './symptoms.ts';

/** The state of the service: what waits, and what needs a person. */

type State = AnswerOf<Operation<'get', '/v1/platform/state'>>;

type Gauge = {
  readonly metric: string;
  /** One of several values of the metric. */
  readonly label?: string;
  readonly name: string;
  readonly unit: 'count' | 'age';
  /** From this value on, the figure is marked for a person. The values are those of the alerts in docs/operations.md. */
  readonly alarmFrom: number;
  /** Where to look. */
  readonly href?: string;
};

const DAY_SECONDS = 86_400;
const WORK: readonly Gauge[] = [
  {
    metric: 'oldest_dispute_seconds',
    name: 'Oldest dispute',
    unit: 'age',
    alarmFrom: 3 * DAY_SECONDS,
    href: '/console/disputes',
  },
  { metric: 'unsealed_transactions', name: 'Transactions not sealed', unit: 'count', alarmFrom: 10_000 },
  { metric: 'seal_lag_seconds', name: 'The sealer is behind by', unit: 'age', alarmFrom: 60 },
  { metric: 'event_lag_seconds', name: 'Events are behind by', unit: 'age', alarmFrom: 60 },
  { metric: 'events_set_aside', name: 'Events set aside', unit: 'count', alarmFrom: 1 },
  { metric: 'webhook_lag_seconds', name: 'Webhooks are behind by', unit: 'age', alarmFrom: 3_600 },
  { metric: 'webhooks_failing', name: 'Endpoints that fail', unit: 'count', alarmFrom: 1 },
];

/** A provider that does not answer shows here: what waits for it becomes old. */
const PROVIDERS: readonly Gauge[] = [
  { metric: 'pending_payments', name: 'Payments at the gateway', unit: 'count', alarmFrom: Number.POSITIVE_INFINITY },
  { metric: 'oldest_payment_seconds', name: 'Age of the oldest payment', unit: 'age', alarmFrom: 7_200 },
  { metric: 'open_withdrawals', name: 'Payouts at the bank', unit: 'count', alarmFrom: Number.POSITIVE_INFINITY },
  { metric: 'oldest_withdrawal_seconds', name: 'Age of the oldest payout', unit: 'age', alarmFrom: DAY_SECONDS },
];

/** One-time passwords. Reports without a failure say that the platform takes messages and phones get them. */
const MESSAGING: readonly Gauge[] = [
  ...(
    [
      ['sent', 'Messages sent, last hour'],
      ['delivered', 'Delivered'],
      ['read', 'Read'],
    ] as const
  ).map(
    ([label, name]): Gauge => ({
      metric: 'messaging_reports',
      label,
      name,
      unit: 'count',
      alarmFrom: Number.POSITIVE_INFINITY,
    }),
  ),
  { metric: 'messaging_reports', label: 'failed', name: 'Failed', unit: 'count', alarmFrom: 5 },
  { metric: 'messaging_report_seconds', name: 'Last report before', unit: 'age', alarmFrom: Number.POSITIVE_INFINITY },
];

export const state: ConsolePage = {
  path: '/platform',
  title: 'State of the service',
  who: 'platform',
  menu: { section: 'Platform', label: 'State of the service' },
  show: async (visit) => {
    const found = await visit.api.get('/v1/platform/state');
    return {
      main: html`<div class="stack">${card({ title: 'What waits', body: figures(WORK.map((gauge) => figureOf(gauge, found))) })}
${card({
  title: 'Providers',
  body: html`<h3>Gateways and operators</h3>${figures(PROVIDERS.map((gauge) => figureOf(gauge, found)))}
<h3>Messaging platform: one-time passwords</h3>${messaging(found)}`,
})}
${card({ title: 'Workflow runs', body: runs(found, visit) })}
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

function messaging(state: State): Html {
  const isHeardOf = state.metrics.some(({ metric }) => metric === 'messaging_report_seconds');
  return isHeardOf
    ? figures(MESSAGING.map((gauge) => figureOf(gauge, state)))
    : html`<p class="soft">The platform has reported nothing for 30 days: no code was sent, or its webhook does not reach the service.</p>`;
}

function figureOf({ metric, label, name, unit, alarmFrom, href }: Gauge, { metrics }: State) {
  const isMeant = (one: State['metrics'][number]) =>
    one.metric === metric && (label === undefined || one.label === label);
  const value = metrics.find(isMeant)?.value ?? 0;
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
  SETTLED_LATE: 'The bank paid after the money was given back. The customer owes what the balance did not cover.',
  PAYOUT_FAILED: 'The bank rejected the payment. The money is back on the account.',
  PAYOUT_REVERSED: 'The bank returned the payment. The money is back on the account.',
};

/** Payouts are transactions with a page of their own, which knows what the bank said. */
function asCompany(companyId: string, objectId: string): string {
  const next = objectId.startsWith('txn_') ? `/withdrawals/${objectId}` : `/links/${objectId}`;
  return `/console/act-for?${new URLSearchParams({ companyId, next })}`;
}

/** What the last sweep found. It has repaired everything that it counts. */
function runs({ runs: health }: State, { settings }: Visit): Html {
  if (health === null)
    return notice({ tone: 'warn', text: 'Temporal does not answer, or no sweep over the runs has ended yet.' });
  const { healed } = health;
  const attention = temporalLink(settings, 'EscrowAttention is not null');
  const sweeps = temporalLink(settings, 'WorkflowType = "rebuildWorkflow"');
  const figure = (name: string, value: number, href: string | null) => ({
    name,
    value: href === null ? String(value) : html`<a href="${href}">${value}</a>`,
    ...(value > 0 ? { note: badge('Look at this', 'warn') } : {}),
  });
  return html`<p class="soft">The sweep of ${time(health.sweptAt)} compared ${health.rowsChecked} rows and ${health.runsChecked} runs. It repaired what it counts here; repeated findings without a crash are a bug.</p>${figures(
    [
      figure('Missing', healed.missing, sweeps),
      figure('Behind their row', healed.behind, sweeps),
      figure('Overdue', healed.overdue, sweeps),
      figure('Open after the end', healed.final, sweeps),
      figure('Failing at every step', healed.stuck, sweeps),
      figure('Wait for a person', health.needAttention, attention),
    ],
  )}`;
}

function concerns({ concerns: all }: State): Html {
  if (all.length === 0) return emptyState('Nothing', 'No payment and no payout needs a person.');
  return dataTable({
    caption: 'The latest of each kind',
    rows: all,
    columns: [
      { title: 'What', cell: ({ kind }) => badge(statusWords(kind), 'warn') },
      { title: 'Means', cell: ({ kind }) => CONCERNS[kind] ?? '' },
      {
        title: 'Object',
        cell: ({ objectId, companyId }) => html`<a href="${asCompany(companyId, objectId)}">${shortId(objectId)}</a>`,
      },
      { title: 'Company', rank: 'second', cell: ({ companyId }) => shortId(companyId) },
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
