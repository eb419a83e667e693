import { CURRENCY_CODES, type Currency, DEFAULT_CURRENCY } from '../../domain/money.ts';
import { dayAfter } from '../../domain/time-zone.ts';
import type { CashflowView, PositionView } from '../api-types.ts';
import { statusWords } from '../components/badge.ts';
import { ageHistogram, barChart } from '../components/charts/bars.ts';
import { type Html, html, NOTHING } from '../components/html.ts';
import { amountText, money } from '../components/money.ts';
import { countText } from '../components/numbers.ts';
import { card, figures } from '../components/parts.ts';
import { joined, t } from '../language/message.ts';
import type { ConsolePage } from '../page.ts';
import { inZone, todayOf } from '../time-window.ts';
import { workCard, workQuery } from './work.ts';

/** What needs a person; then where the company's money is, and what came and went: one currency at a time. */

const FLOW_DAYS = 30;
const AGES = [
  ['UP_TO_1_DAY', t('up to 1 day')],
  ['UP_TO_7_DAYS', t('2 to 7 days')],
  ['UP_TO_30_DAYS', t('8 to 30 days')],
  ['OLDER', t('older')],
] as const;

type Group = PositionView['openEscrows'][number];

export const overviewPage: ConsolePage = {
  path: '/',
  title: t('Overview'),
  who: 'read',
  menu: { section: 'Work', label: t('Overview') },
  async show(visit) {
    const { api, query } = visit;
    const { timeZone } = visit.language;
    const chosen = CURRENCY_CODES.find((code) => code === query.get('currency')) ?? DEFAULT_CURRENCY;
    const from = dayAfter(todayOf(visit), 1 - FLOW_DAYS);
    const [company, work, position, cashflow] = await Promise.all([
      api.get('/v1/core/companies/me'),
      api.get('/v1/work', { query: workQuery }),
      api.get('/v1/ledger/stats/position'),
      api.get('/v1/ledger/stats/cashflow', {
        query: { interval: 'day', currency: chosen, ...inZone({ startDate: from }, timeZone), zone: timeZone },
      }),
    ]);
    const open = position.openEscrows.filter(({ currency }) => currency === chosen);
    const running = open.filter(({ status }) => status !== 'DISPUTED');
    const disputed = open.filter(({ status }) => status === 'DISPUTED');
    return {
      main: html`<div class="stack">${workCard(visit, work)}
<div class="row"><p class="soft">${company.name}</p>${currencyLinks(chosen)}</div>
${moneyCard(position, chosen)}
<div class="columns">
${card({ title: t('In and out, by day'), body: flow(cashflow, chosen) })}
${card({ title: t('Open escrows, by state and age'), body: escrowsByAge(running) })}
${card({
  title: t('Disputes, by age'),
  body:
    disputed.length === 0
      ? html`<p class="soft">${t('No open dispute.')}</p>`
      : ageHistogram(t('Open disputes by age'), bucketsOf(disputed), t('Disputes')),
  actions: html`<a href="/console/disputes">${t('Decide')}</a>`,
})}
${card({ title: t('Payouts under way'), body: payouts(position, chosen), actions: html`<a href="/console/withdrawals?status=PROCESSING">${t('Follow')}</a>` })}
</div></div>`,
    };
  },
};

function currencyLinks(chosen: Currency): Html {
  return html`<nav class="tabs" aria-label="${t('Currency')}">${CURRENCY_CODES.map(
    (code) =>
      html`<a href="/console?currency=${code}" ${code === chosen ? html`aria-current="true"` : NOTHING}>${code}</a>`,
  )}</nav>`;
}

function moneyCard({ money: all }: PositionView, currency: Currency): Html {
  const one = all.find((row) => row.currency === currency);
  return card({
    title: t('Money'),
    body: figures([
      {
        name: t('Held in escrow'),
        value: money(one?.held ?? '0', currency),
        note: t('until it is released or goes back'),
      },
      {
        name: t('Available'),
        value: money(one?.available ?? '0', currency),
        note: t('on accounts of users and the company'),
      },
      {
        name: t('In transit'),
        value: money(one?.inTransit ?? '0', currency),
        note: t('reported, not settled by the bank'),
      },
    ]),
  });
}

function flow({ series }: CashflowView, currency: Currency): Html {
  return barChart({
    title: t('Inflow and outflow by day, {currency}', { currency }),
    labels: series.map(({ period }) => period.slice(5)),
    series: [
      { name: t('In'), values: series.map(({ inflow }) => BigInt(inflow)) },
      { name: t('Out'), values: series.map(({ outflow }) => BigInt(outflow)) },
    ],
    arrangement: 'grouped',
    format: (cents) => amountText(cents, currency),
    perUnit: 100,
    labelTitle: t('Day'),
  });
}

function escrowsByAge(groups: readonly Group[]): Html {
  if (groups.length === 0) return html`<p class="soft">${t('No open escrow.')}</p>`;
  const states = [...new Set(groups.map(({ status }) => status))];
  return barChart({
    title: t('Open escrows by age and state'),
    labels: AGES.map(([, label]) => label),
    series: states.map((state) => ({
      name: joined([statusWords(state)]),
      values: AGES.map(([age]) => countOf(groups.filter((one) => one.age === age && one.status === state))),
    })),
    arrangement: 'stacked',
    format: countText,
    perUnit: 1,
    labelTitle: t('Age'),
  });
}

function bucketsOf(groups: readonly Group[]) {
  return AGES.map(([age, label]) => ({ label, count: countOf(groups.filter((one) => one.age === age)) }));
}

const countOf = (groups: readonly Group[]) => groups.reduce((sum, { count }) => sum + BigInt(count), 0n);

function payouts({ money: all }: PositionView, currency: Currency): Html {
  const under = all.find((row) => row.currency === currency)?.payouts;
  return figures([
    { name: t('Withdrawals'), value: countText(under?.count ?? 0) },
    { name: t('Amount with tax'), value: money(under?.amount ?? '0', currency) },
  ]);
}
