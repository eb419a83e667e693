import type { AnswerOf, Operation } from '../../../../clients/typescript/src/types.ts';
import type { WorkKind } from '../../../domain/work.ts';
import { badge, statusWords } from '../../components/badge.ts';
import { form } from '../../components/form.ts';
import { type Html, html, NOTHING, rich } from '../../components/html.ts';
import { countText } from '../../components/numbers.ts';
import { card, emptyState, figures, notice, shortId } from '../../components/parts.ts';
import { dataTable } from '../../components/table.ts';
import { spanText, time } from '../../components/time.ts';
import { type Message, t } from '../../language/message.ts';
import type { ConsolePage, Visit } from '../../page.ts';
import { openFor } from '../act-for.ts';
import { opener, type WorkView, workQuery } from '../work.ts';
import { attention, symptoms, temporalLink } from './symptoms.ts';

/** The state of the service: what waits, and what needs a person. */

type State = AnswerOf<Operation<'get', '/v1/platform/state'>>;

type Gauge = {
  readonly metric: string;
  /** One of several values of the metric. */
  readonly label?: string;
  readonly name: Message;
  readonly unit: 'count' | 'age';
  /** From this value on, the figure is marked for a person. The values are those of the alerts in docs/operations/metrics.md. */
  readonly alarmFrom: number;
  /** What to look at: the most urgent of this work. */
  readonly work?: WorkKind;
};

const DAY_SECONDS = 86_400;
const WORK: readonly Gauge[] = [
  {
    metric: 'oldest_dispute_seconds',
    name: t('Oldest dispute'),
    unit: 'age',
    alarmFrom: 3 * DAY_SECONDS,
    work: 'DISPUTE',
  },
  { metric: 'unsealed_transactions', name: t('Transactions not sealed'), unit: 'count', alarmFrom: 10_000 },
  { metric: 'seal_lag_seconds', name: t('The sealer is behind by'), unit: 'age', alarmFrom: 60 },
  { metric: 'event_lag_seconds', name: t('Events are behind by'), unit: 'age', alarmFrom: 60 },
  { metric: 'events_set_aside', name: t('Events set aside'), unit: 'count', alarmFrom: 1 },
  { metric: 'webhook_lag_seconds', name: t('Webhooks are behind by'), unit: 'age', alarmFrom: 3_600 },
  { metric: 'webhooks_failing', name: t('Endpoints that fail'), unit: 'count', alarmFrom: 1, work: 'WEBHOOK' },
];

/** A provider that does not answer shows here: what waits for it becomes old. */
const PROVIDERS: readonly Gauge[] = [
  {
    metric: 'pending_payments',
    name: t('Payments at the gateway'),
    unit: 'count',
    alarmFrom: Number.POSITIVE_INFINITY,
  },
  { metric: 'oldest_payment_seconds', name: t('Age of the oldest payment'), unit: 'age', alarmFrom: 7_200 },
  { metric: 'open_withdrawals', name: t('Payouts at the bank'), unit: 'count', alarmFrom: Number.POSITIVE_INFINITY },
  { metric: 'oldest_withdrawal_seconds', name: t('Age of the oldest payout'), unit: 'age', alarmFrom: DAY_SECONDS },
];

/** One-time passwords. Reports without a failure say that the platform takes messages and phones get them. */
const MESSAGING: readonly Gauge[] = [
  ...(
    [
      ['sent', t('Messages sent, last hour')],
      ['delivered', t('Delivered')],
      ['read', t('Read by the recipient')],
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
  { metric: 'messaging_reports', label: 'failed', name: t('Failed'), unit: 'count', alarmFrom: 5 },
  {
    metric: 'messaging_report_seconds',
    name: t('Last report before'),
    unit: 'age',
    alarmFrom: Number.POSITIVE_INFINITY,
  },
];

export const state: ConsolePage = {
  path: '/platform',
  title: t('State of the service'),
  who: 'platform',
  menu: { section: 'Platform', label: t('State of the service') },
  show: async (visit) => {
    const [found, work] = await Promise.all([
      visit.api.get('/v1/platform/state'),
      visit.apiFor(visit.session.homeCompanyId).get('/v1/work', { query: workQuery }),
    ]);
    return {
      main: html`<div class="stack">${card({ title: t('What waits'), body: figures(WORK.map((gauge) => figureOf(gauge, found, visit, work))) })}
${card({
  title: t('Providers'),
  body: html`<h3>${t('Gateways and operators')}</h3>${figures(PROVIDERS.map((gauge) => figureOf(gauge, found)))}
<h3>${t('Messaging platform: one-time passwords')}</h3>${messaging(found)}`,
})}
${card({ title: t('Workflow runs'), body: runs(found, visit) })}
${card({ title: t('Open escrows'), body: openEscrows(found) })}
${card({ title: t('Payments, payouts and users that need a person'), body: concerns(visit, found) })}
${card({ title: t('Audits'), body: audits(found, visit) })}
${card({ title: t('By symptom'), body: symptoms(visit) })}</div>`,
    };
  },
  act: async ({ api }) => {
    const { ok, checkedAccounts, checkedTransactions, mismatches, durationMs } = await api.get(
      '/v1/ledger/verify-ledger-integrity',
    );
    const checked = { accounts: checkedAccounts, transactions: checkedTransactions, duration: durationMs };
    return {
      to: '/platform',
      flash: ok
        ? {
            tone: 'good',
            text: t(
              'The books agree: {accounts, plural, one {# account} other {# accounts}} and {transactions, plural, one {# transaction} other {# transactions}} in {duration} ms.',
              checked,
            ),
          }
        : {
            tone: 'bad',
            text: t(
              'The books do not agree: {mismatches, plural, one {# mismatch} other {# mismatches}} in {accounts, plural, one {# account} other {# accounts}} and {transactions, plural, one {# transaction} other {# transactions}} in {duration} ms. Stop payouts.',
              { ...checked, mismatches: mismatches.length },
            ),
          },
    };
  },
};

function messaging(state: State): Html {
  const isHeardOf = state.metrics.some(({ metric }) => metric === 'messaging_report_seconds');
  return isHeardOf
    ? figures(MESSAGING.map((gauge) => figureOf(gauge, state)))
    : html`<p class="soft">${t('The platform has reported nothing for 30 days: no code was sent, or its webhook does not reach the service.')}</p>`;
}

function figureOf(
  { metric, label, name, unit, alarmFrom, work: kind }: Gauge,
  { metrics }: State,
  visit?: Visit,
  work?: WorkView,
) {
  const isMeant = (one: State['metrics'][number]) =>
    one.metric === metric && (label === undefined || one.label === label);
  const value = metrics.find(isMeant)?.value ?? 0;
  const text = unit === 'count' ? countText(value) : value === 0 ? t('nothing') : spanText(value * 1_000);
  const first = work?.data.find((row) => row.kind === kind);
  const shown = visit === undefined || first === undefined ? text : opener(visit, first, text);
  return { name, value: shown, ...(value >= alarmFrom ? { note: badge(t('Look at this'), 'warn') } : {}) };
}

function openEscrows({ metrics }: State): Html {
  const rows = metrics.filter(({ metric }) => metric === 'open_escrows');
  return rows.length === 0
    ? emptyState(t('None'), t('No escrow is open.'))
    : figures(
        rows.map(({ label, value }) => ({
          name: statusWords(label ?? ''),
          value: countText(value),
        })),
      );
}

/** What a concern means, and what to do. */
export const CONCERNS: Readonly<Record<string, Message>> = {
  LATE_MONEY: t(
    'The payment came after the link had ended. If the escrow was cancelled before, it is refunded. If not, it is on the buyer’s balance: tell the buyer.',
  ),
  PAYMENT_MISMATCHED: t('The gateway took another amount. Ask the gateway for the amount.'),
  REVIEW_NEEDED: t('The bank’s answer is unclear. Record what the bank’s statement shows.'),
  SETTLED_LATE: t('The bank paid after the money was given back. The customer owes what the balance did not cover.'),
  PAYOUT_FAILED: t('The bank rejected the payment. The money went back to the account.'),
  BLACKLISTED_PERSON: t('A blacklisted person is a user of this company too.'),
  MANY_BLACKLISTED: t(
    'The company entered so many blacklisted persons that it can enter no more today. It may be trying people: ask it.',
  ),
  LOOK_ALIKE_NAME: t('The name looks like that of an older company. Buyers may take one for the other.'),
  BLACKLIST_MATCH: t('The user has the bank account of a blacklisted person. Check whether it is the same person.'),
  PAYOUT_REVERSED: t('The bank returned the payment. The money went back to the account.'),
};

/** More rows make a page that phones load slowly. The API answers more of each kind. */
const SHOWN_OF_A_KIND = 10;

/** The pages of concerns' objects. Payouts are transactions with a page of their own, which knows what the bank said. */
const PAGES: Readonly<Record<string, string>> = { txn: 'withdrawals', usr: 'users', pay: 'links' };

function pageOf(objectId: string): string {
  const page = PAGES[objectId.slice(0, 3)];
  return page === undefined ? '/settings' : `/${page}/${objectId}`;
}

/** What the last sweep found. It has repaired everything that it counts. */
function runs({ runs: health }: State, { settings }: Visit): Html {
  if (health === null)
    return notice({ tone: 'warn', text: t('Temporal does not answer, or no sweep over the runs has ended yet.') });
  const { healed } = health;
  const needPeople = temporalLink(settings, attention('is not null'));
  const sweeps = temporalLink(settings, 'WorkflowType = "rebuildWorkflow"');
  const figure = (name: Message, value: number, href: string | null) => ({
    name,
    value: href === null ? String(value) : html`<a href="${href}">${value}</a>`,
    ...(value > 0 ? { note: badge(t('Look at this'), 'warn') } : {}),
  });
  return html`<p class="soft">${rich('The sweep of {time} compared {rows, plural, one {# row} other {# rows}} and {runs, plural, one {# run} other {# runs}}. It repaired what it counts here; repeated findings without a crash are a bug.', { time: time(health.sweptAt), rows: health.rowsChecked, runs: health.runsChecked })}</p>${figures(
    [
      figure(t('Missing'), healed.missing, sweeps),
      figure(t('Behind their row'), healed.behind, sweeps),
      figure(t('Overdue'), healed.overdue, sweeps),
      figure(t('Open after the end'), healed.final, sweeps),
      figure(t('Failing at every step'), healed.stuck, sweeps),
      figure(t('Wait for a person'), health.needAttention, needPeople),
    ],
  )}`;
}

function concerns(visit: Visit, { concerns: all }: State): Html {
  if (all.length === 0) return emptyState(t('Nothing'), t('No payment, payout or user needs a person.'));
  const shown = new Map<string, number>();
  const rows = all.filter(({ kind }) => {
    const count = (shown.get(kind) ?? 0) + 1;
    shown.set(kind, count);
    return count <= SHOWN_OF_A_KIND;
  });
  return dataTable({
    caption: t('The latest ten of each kind'),
    rows,
    columns: [
      { title: t('What'), cell: ({ kind }) => badge(statusWords(kind), 'warn') },
      { title: t('Means'), cell: ({ kind }) => CONCERNS[kind] ?? '' },
      {
        title: t('Object'),
        cell: ({ objectId, companyId }) =>
          openFor(visit, { companyId, next: pageOf(objectId), label: shortId(objectId) }),
      },
      { title: t('Company'), rank: 'second', cell: ({ companyId }) => shortId(companyId) },
      { title: t('Time'), rank: 'second', cell: ({ at }) => time(at) },
    ],
  });
}

function audits({ audits: kept }: State, { csrf }: Visit): Html {
  const now = form({ action: '/console/platform', csrf, fields: NOTHING, submit: t('Audit now'), tone: 'plain' });
  if (kept.length === 0)
    return html`${notice({ tone: 'warn', text: t('No audit has been kept yet. Workers audit new transactions every 15 minutes.') })}${now}`;
  return html`${dataTable({
    caption: t('Audits that found nothing'),
    rows: kept,
    columns: [
      { title: t('Time'), cell: ({ at }) => time(at) },
      { title: t('Of'), cell: ({ isFull }) => (isFull ? t('Everything') : t('What was new')) },
      { title: t('Number'), rank: 'second', align: 'end', cell: ({ seq }) => seq },
      { title: t('Root over the heads of all chains'), cell: ({ root }) => html`<code>${root.slice(0, 16)}…</code>` },
    ],
  })}${now}`;
}
