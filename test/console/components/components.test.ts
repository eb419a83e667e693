import { describe, expect, test } from '@jest/globals';
import { statusBadge } from '../../../src/console/components/badge.ts';
import { ageHistogram, barChart } from '../../../src/console/components/charts/bars.ts';
import { moneyBar } from '../../../src/console/components/charts/share-bar.ts';
import { stateDiagram } from '../../../src/console/components/charts/state-diagram.ts';
import { confirmation, form, select, textArea, textField } from '../../../src/console/components/form.ts';
import { type Html, html, rich } from '../../../src/console/components/html.ts';
import { amountText, moneyText, typedCents } from '../../../src/console/components/money.ts';
import { nextQuery, pagination } from '../../../src/console/components/pagination.ts';
import {
  card,
  definitionList,
  emptyState,
  jsonText,
  notice,
  qrCode,
  shortId,
  timeline,
} from '../../../src/console/components/parts.ts';
import { dataTable } from '../../../src/console/components/table.ts';
import { momentText, spanText, time } from '../../../src/console/components/time.ts';
import { LANGUAGES } from '../../../src/console/language/languages.ts';
import { joined, Message, t, type ValuesOf } from '../../../src/console/language/message.ts';
import { ESCROW_STATUSES } from '../../../src/domain/escrow/escrow.ts';

const { en, fr, pt } = LANGUAGES;
const inEnglish = (written: Html | Message) => written.in(en);
/** A message whose text is in no table. */
const said = (text: string) => new Message(() => text);

const NASTY = '<img src=x onerror=alert(1)>"\'&';

describe('amounts', () => {
  test.each([
    ['0', '0.00'],
    ['5', '0.05'],
    ['-5', '−0.05'],
    ['125000', '1,250.00'],
    ['9200000000000000001', '92,000,000,000,000,000.01'],
  ])('%s cents read %s, exact at any size', (cents, text) => {
    expect(inEnglish(amountText(cents, 'USD'))).toBe(text);
    expect(inEnglish(moneyText(BigInt(cents), 'ZIG'))).toBe(`ZIG\u00a0${text}`);
  });

  test.each([
    ['1250', 125_000n],
    ['1,250.5', 125_050n],
    ['1 250.05', 125_005n],
    ['0.01', 1n],
    ['12345678901234567.89', 1_234_567_890_123_456_789n],
  ])('"%s" typed by a person is understood', (text, cents) => expect(typedCents(text, 'USD', en)).toBe(cents));

  test.each([
    ...['', 'ten', '1.234', '-1', '1,25', '1e3', '.5', '1.2.3'],
    // Groups that are not groups of thousands, or that are separated by different characters.
    ...['1250,500', '1234,567', '1,234567', '0,001', '0,050', '01,250', '1,250 500', '1250 500', '1\n250', '1\t250'],
  ])('"%s" is refused, not guessed', (text) => expect(typedCents(text, 'USD', en)).toBeUndefined());
});

describe('languages', () => {
  test.each([
    [fr, '1\u202f250,00', '92\u202f000\u202f000\u202f000\u202f000\u202f000,01'],
    [pt, '1250,00', '92\u00a0000\u00a0000\u00a0000\u00a0000\u00a0000,01'],
  ])('amounts are written as in $name', (language, short, long) => {
    expect(amountText('125000', 'USD').in(language)).toBe(short);
    expect(amountText('9200000000000000001', 'USD').in(language)).toBe(long);
    expect(moneyText('-125000', 'USD').in(language)).toBe(`−${short}\u00a0USD`);
  });

  test.each([
    ['1250,50', 125_050n],
    ['1\u202f250,5', 125_050n],
    ['1 250.50', 125_050n],
    ['12345', 1_234_500n],
  ])('"%s" typed by a person who reads French or Portuguese is understood', (text, cents) => {
    for (const language of [fr, pt]) expect(typedCents(text, 'USD', language)).toBe(cents);
  });

  test.each(['1,250', '1.250', '1.250,00', '1,250.00', '1250 500', '0 001', '1 250\u00a0500', '1\n250'])(
    '"%s" is refused there: the comma separates decimals',
    (text) => {
      for (const language of [fr, pt]) expect(typedCents(text, 'USD', language)).toBeUndefined();
    },
  );

  test('what an amount field shows can be sent back unchanged', () => {
    for (const language of [en, fr, pt])
      expect(typedCents(amountText('123456789', 'USD').in(language), 'USD', language)).toBe(123_456_789n);
  });

  test('a message is in the language of its page, with its values', () => {
    const page = html`<p title="${t('Amount')}">${rich('for {company}', { company: html`<b>${'A&B'}</b>` })}</p>${null}${[1, t('Copy')]}`;
    expect(page.in(en)).toBe('<p title="Amount">for <b>A&amp;B</b></p>1Copy');
    expect(page.in(fr)).toBe('<p title="Montant">pour <b>A&amp;B</b></p>1Copier');
    expect(joined([t('Amount'), 'x', t('Copy')]).in(pt)).toBe('Montante, x, Copiar');
  });

  test('a value that a message lacks is an error, and not an empty place', () => {
    expect(() => t('{shown} shown', {}).in(en)).toThrow('shown');
  });

  test('numbers in messages are written as in the language, and choose their plural', () => {
    expect(t('{shown} of {total}', { shown: 25, total: 12_345 }).in(fr)).toBe('25 sur 12\u202f345');
    const agree =
      'The books agree: {accounts, plural, one {# account} other {# accounts}} and {transactions, plural, one {# transaction} other {# transactions}} in {duration} ms.';
    const message = t(agree, { accounts: 1, transactions: 12_345, duration: 1_500 });
    expect(message.in(en)).toBe('The books agree: 1 account and 12,345 transactions in 1,500 ms.');
    expect(message.in(fr)).toContain('1 compte et 12\u202f345 transactions');
  });

  test('a plural is chosen by a number: the compiler refuses a formatted one, which would read NaN', () => {
    type Hours = ValuesOf<'{hours, plural, one {After # hour} other {After # hours}}'>['hours'];
    const takesText: string extends Hours ? true : false = false;
    expect(takesText).toBe(false);
    const figures =
      'The entries begin {time}. Figures and files are of the whole window, up to its last {count} entries.';
    expect(rich(figures, { time: '', count: 10_000 }).in(en)).toContain('its last 10,000 entries');
    expect(rich(figures, { time: '', count: 10_000 }).in(fr)).toContain('ses 10\u202f000 dernières');
  });

  test('times are written as in the language, in UTC', () => {
    expect(time('2026-11-22T11:56:07.123Z').in(fr)).toContain('>22 nov. 2026, 11:56</time>');
    expect(time('2026-11-22T11:56:07.123Z').in(pt)).toContain('>22/11/2026, 11:56</time>');
    expect(spanText(3 * 86_400_000).in(fr)).toBe('3 jours');
  });
});

describe('charts', () => {
  const flow = {
    title: said('In- and outflow by day, USD'),
    labels: ['1 Nov', '2 Nov'],
    series: [
      { name: said('In'), values: [125_000n, 0n] },
      { name: said('Out'), values: [-25_000n, -9_200_000_000_000_000_001n] },
    ],
    format: (cents: bigint) => amountText(cents, 'USD'),
    perUnit: 100,
    labelTitle: said('Day'),
  } as const;

  test.each(['grouped', 'stacked'] as const)('%s bars come with a table of the exact values', (arrangement) => {
    const chart = inEnglish(barChart({ ...flow, arrangement }));
    expect(chart.match(/<rect class="series-\d"/g)).toHaveLength(4 + 2); // the legend has two
    expect(chart).toContain('<td class="end">−92,000,000,000,000,000.01</td>');
    expect(chart).toContain('aria-label="In- and outflow by day, USD"');
    expect(chart).not.toMatch(/NaN|Infinity|style=/);
  });

  test('stacked bars stand on each other, and negative ones hang below the line', () => {
    const series = [
      { name: said('A'), values: [100n] },
      { name: said('B'), values: [100n] },
      { name: said('C'), values: [-200n] },
    ];
    const chart = inEnglish(barChart({ ...flow, labels: ['x'], series, arrangement: 'stacked' }));
    const bars = [
      ...chart.matchAll(/<rect class="series-\d" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"/g),
    ].map(([, y, height]) => [Number(y), Number(height)] as const);
    const [a, b, c] = bars;
    expect(b?.[0]).toBeCloseTo((a?.[0] ?? 0) - (a?.[1] ?? 0), 0);
    expect(c?.[0]).toBeCloseTo((a?.[0] ?? 0) + (a?.[1] ?? 0), 0);
    expect(c?.[1]).toBeCloseTo(2 * (a?.[1] ?? 0), 0);
  });

  test('a chart without values is still drawn', () => {
    expect(inEnglish(barChart({ ...flow, labels: [], series: [], arrangement: 'grouped' }))).not.toMatch(
      /NaN|Infinity/,
    );
    expect(inEnglish(ageHistogram(said('Ages'), [{ label: 'up to 1 day', count: 0n }], said('Escrows')))).toContain(
      'up to 1 day',
    );
  });

  test('the money bar shows even a cent, and says all amounts in words', () => {
    const bar = inEnglish(
      moneyBar(
        [
          { name: said('Held'), cents: '1', kind: 'held' },
          { name: said('Paid'), cents: '99999999', kind: 'paid' },
          { name: said('Refunded'), cents: '0', kind: 'refunded' },
        ],
        'USD',
      ),
    );
    const [, width] = /<rect class="share-held" x="0.0" width="([\d.]+)"/.exec(bar) ?? [];
    expect(Number(width)).toBeGreaterThan(5);
    expect(bar).toContain('aria-label="Held USD\u00a00.01, Paid USD\u00a0999,999.99"');
  });

  test.each(ESCROW_STATUSES)('the wide and the tall diagram show all states and mark %s', (status) => {
    const drawings = inEnglish(stateDiagram(status, ['ACTIVE']))
      .split('<svg ')
      .slice(1);
    expect(drawings).toHaveLength(2);
    for (const drawing of drawings) {
      expect(drawing.match(/<g class="state /g)).toHaveLength(ESCROW_STATUSES.length);
      expect(drawing.match(/state here/g)).toHaveLength(1);
    }
  });

  test('a QR code of a link is one path with a quiet zone', () => {
    const code = inEnglish(qrCode(`https://pay.example/${'x'.repeat(60)}`, said('Link')));
    expect(code).toContain('role="img" aria-label="Link"');
    expect(code).not.toContain('M0 0h1');
    expect(code.length).toBeLessThan(20_000);
  });
});

describe('lists', () => {
  test('a table links its rows and aligns its amounts', () => {
    const table = inEnglish(
      dataTable({
        caption: said('Escrows'),
        columns: [
          { title: said('Id'), cell: ({ id }: { id: string }) => id },
          { title: said('Amount'), cell: () => '1.00', align: 'end' },
        ],
        rows: [{ id: 'esc_1' }],
        href: ({ id }) => `/console/escrows/${id}`,
      }),
    );
    expect(table).toContain('<a class="row-link" href="/console/escrows/esc_1">esc_1</a>');
    expect(table).toContain('<th scope="col" class="end">Amount</th>');
  });

  test('the next page comes from the Link header', () => {
    expect(nextQuery('<http://x/v1/escrow?limit=20&cursor=abc>; rel="next"')).toBe('?limit=20&cursor=abc');
    expect(nextQuery(null)).toBeNull();
    const pages = inEnglish(pagination({ shown: 20, total: 1_000_000, next: '?cursor=abc', first: null }));
    expect(pages).toContain('20 of 1,000,000');
    expect(pages).toContain('rel="next"');
    expect(pages).not.toContain('rel="first"');
  });

  test('times are in the zone of the company, with UTC in the title', () => {
    expect(inEnglish(time('2026-11-22T11:56:07.123Z'))).toBe(
      '<time datetime="2026-11-22T11:56:07.123Z" title="2026-11-22 11:56:07 UTC">22 Nov 2026, 11:56</time>',
    );
    expect(momentText('2026-11-22T23:56:07.123Z').in({ ...LANGUAGES.en, timeZone: 'Africa/Harare' })).toBe(
      '23 Nov 2026, 01:56',
    );
    expect(inEnglish(spanText(3 * 86_400_000 + 5))).toBe('3 days');
    expect(inEnglish(spanText(-90 * 60_000))).toBe('1 h');
  });
});

describe('forms', () => {
  test('a wrong field says so, and is tied to its message', () => {
    const field = inEnglish(
      textField({
        name: 'bank_name',
        label: 'Bank',
        value: 'x',
        error: 'is too short',
        isRequired: true,
        hint: said('As on the card'),
      }),
    );
    expect(field).toContain('aria-describedby="f-bank_name-hint f-bank_name-error"');
    expect(field).toContain('aria-invalid="true"');
    expect(field).toContain('<p class="error" id="f-bank_name-error">is too short</p>');
  });

  describe('a select', () => {
    const options = ['a', 'b'].map((value) => ({ value, label: value }));
    const selected = (written: Html) =>
      [...inEnglish(written).matchAll(/<option value="(\w*)" selected>([^<]*)/g)].map(([, value, label]) => [
        value,
        label,
      ]);
    const field = { name: 'x', label: 'X', options } as const;

    test('keeps a value that is offered, and begins with the first one', () => {
      expect(selected(select({ ...field, value: 'b' }))).toEqual([['b', 'b']]);
      expect(selected(select(field))).toEqual([['a', 'a']]);
    });

    test.each([true, false])(
      'has to be chosen again where the value is not offered any more (deliberate: %s)',
      (isDeliberate) => {
        const written = select({ ...field, value: 'c', isDeliberate });
        expect(selected(written)).toEqual([['', 'Choose again']]);
        expect(inEnglish(written)).toMatch(/<select [^>]* required/);
        expect(inEnglish(written)).not.toContain('optional');
        expect(selected(select({ ...field, value: 'c', isDeliberate, options: options.slice(0, 1) }))).toHaveLength(1);
        expect(written.in(fr)).toContain('Choisissez de nouveau');
        expect(written.in(pt)).toContain('Escolha de novo');
      },
    );

    test('chooses nothing for the reader where the choice is deliberate, unless there is one option only', () => {
      const written = select({ ...field, isDeliberate: true });
      expect(selected(written)).toEqual([['', 'Choose']]);
      expect(inEnglish(written)).toMatch(/<select [^>]* required/);
      expect(selected(select({ ...field, isDeliberate: true, options: options.slice(0, 1) }))).toEqual([['a', 'a']]);
    });

    test('with an empty option begins with that one', () => {
      const withNone = [{ value: '', label: 'none' }, ...options];
      expect(selected(select({ ...field, options: withNone }))).toEqual([['', 'none']]);
      expect(inEnglish(select({ ...field, options: withNone }))).toContain('optional');
    });
  });

  test('a confirmation is closed, names the amount to move, and posts with the token', () => {
    const box = inEnglish(
      confirmation({
        label: said('Release'),
        consequence: said('USD 10.00 go to Sam.'),
        action: '/x',
        csrf: 'token',
        confirm: said('Release now'),
      }),
    );
    expect(box).toMatch(/^<details class="confirm primary"><summary/);
    expect(box).toContain('USD 10.00 go to Sam.');
    expect(box).toContain(
      '<form class="form" action="/x" method="post"><input type="hidden" name="csrf" value="token">',
    );
  });
});

test('no component lets a text become markup, and none has inline styles or scripts', () => {
  const all = [
    statusBadge(NASTY),
    dataTable({
      caption: said(NASTY),
      columns: [{ title: said(NASTY), cell: () => NASTY }],
      rows: [1],
      href: () => NASTY,
    }),
    pagination({ shown: 1, total: 1, next: NASTY, first: NASTY }),
    definitionList([[said(NASTY), NASTY]]),
    timeline([{ title: said(NASTY), at: time(null), by: NASTY, detail: NASTY }]),
    emptyState(said(NASTY), said(NASTY)),
    card({ title: said(NASTY), body: html`x` }),
    notice({ tone: 'bad', text: NASTY }),
    jsonText({ text: NASTY }),
    jsonText(NASTY),
    shortId(`esc_${NASTY}`),
    textField({ name: NASTY, label: NASTY, value: NASTY, hint: said(NASTY), error: NASTY, placeholder: NASTY }),
    textArea({ name: 'a', label: 'a', value: NASTY }),
    select({ name: 'a', label: 'a', value: NASTY, options: [{ value: NASTY, label: NASTY }] }),
    form({ action: NASTY, csrf: NASTY, fields: html``, submit: said(NASTY) }),
    confirmation({
      label: said(NASTY),
      consequence: said(NASTY),
      action: NASTY,
      csrf: NASTY,
      confirm: said(NASTY),
    }),
    rich('for {company}', { company: NASTY }),
    qrCode('x', said(NASTY)),
    moneyBar([{ name: said(NASTY), cents: 1n, kind: 'held' }], 'USD'),
    barChart({
      title: said(NASTY),
      labels: [NASTY],
      series: [{ name: said(NASTY), values: [1n] }],
      arrangement: 'stacked',
      format: String,
      perUnit: 1,
      labelTitle: said(NASTY),
    }),
  ].map(inEnglish);
  for (const markup of all) {
    expect(markup).not.toContain('<img');
    expect(markup).not.toMatch(/ style=| on\w+="|<script/);
    expect(markup).not.toMatch(/="[^"]*"\w/); // no value ends its attribute
  }
});
