import { Readable } from 'node:stream';
import PDFDocument from 'pdfkit';
import { loadFonts } from '../pdf/fonts.ts';
import { letterheadLines } from '../pdf/letterhead.ts';
import { drawLine, lineHeight, wrapped } from '../pdf/text.ts';
import { formatMoment } from './formats.ts';
import type { Site } from './layout.ts';
import { LANGUAGES } from './texts/languages.ts';
import type { CheckoutView } from './view.ts';

/** The receipt of a paid link, as PDF, which pdf-renderer.ts has drawn in a thread: what the paid page says, in its language. Times are in the company's zone. */

/** A4, in points. */
const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN;
const LABEL_WIDTH = 150;
const TOTAL_WIDTH = 130;
const LOGO_BOX: [number, number] = [180, 48];
const SIZE = { title: 22, body: 10.5, small: 9 } as const;
const COLOR = { ink: '#14202b', soft: '#53616f', line: '#dde3e9', test: '#a12a20' } as const;

type Style = {
  readonly size?: number;
  readonly isBold?: boolean;
  readonly color?: string;
  readonly align?: 'left' | 'right';
};

/** A receipt for the thread that draws it: a language has functions, which cannot be sent there. */
export type Receipt = {
  readonly view: Omit<CheckoutView, 'site'>;
  readonly site: Omit<Site, 'language'> & { readonly locale: string };
  /** A PNG image. */
  readonly logo: Uint8Array | null;
};

/** Requires a view of a paid link. */
export function receiptOf({ site, ...view }: CheckoutView, logo: Buffer | null): Receipt {
  const { language, ...rest } = site;
  return { view, site: { ...rest, locale: language.locale }, logo };
}

export function pdfReceipt({ view, site: { locale, ...site }, logo }: Receipt): Promise<ReadableStream> {
  const language = Object.values(LANGUAGES).find((one) => one.locale === locale) ?? LANGUAGES.en;
  return receiptPdf({ ...view, site: { ...site, language } }, logo === null ? null : Buffer.from(logo));
}

async function receiptPdf(view: CheckoutView, logo: Buffer | null): Promise<ReadableStream> {
  const { site, payment, now } = view;
  if (payment === null) throw new Error('an unpaid link has no receipt');
  const { language, timeZone, isTest } = site;
  const { texts } = language;
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    lang: language.locale,
    displayTitle: true,
    tagged: true,
    pdfVersion: '1.7',
    info: { Title: `${texts.receipt.title} ${payment.receipt}`, Author: view.companyName, CreationDate: now },
  });
  const pen = { pdf, fonts: await loadFonts(pdf, namesOn(view)) };
  const root = pdf.struct('Document');
  pdf.addStructure(root);

  /** Writes a text at a place and returns the end of its last line. */
  function write(tag: 'H1' | 'H2' | 'P', text: string, x: number, y: number, width: number, style: Style = {}): number {
    const { size = SIZE.body, isBold = false, color = COLOR.ink, align = 'left' } = style;
    const plain = text.replaceAll('\u202f', '\u00a0');
    const look = { size, isBold };
    let at = y;
    const draw = () => {
      pdf.fillColor(color);
      for (const line of wrapped(pen, plain, look, width)) {
        drawLine(pen, line, look, { x, y: at, width, align });
        at += lineHeight(pen, line, look);
      }
    };
    root.add(pdf.struct(tag, {}, draw));
    return at;
  }
  function rule(y: number): number {
    pdf.markContent('Artifact');
    pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + WIDTH, y)
      .lineWidth(0.6)
      .strokeColor(COLOR.line)
      .stroke();
    pdf.endMarkedContent();
    return y + 10;
  }
  function row(name: string, value: string, y: number, style: Style = {}): number {
    const right = MARGIN + WIDTH - TOTAL_WIDTH;
    const [from, width, align] =
      style.align === 'right'
        ? ([right, TOTAL_WIDTH, 'right'] as const)
        : ([MARGIN + LABEL_WIDTH, WIDTH - LABEL_WIDTH, 'left'] as const);
    const top = y + 26 > BOTTOM ? startPage() : y;
    const nameWidth = align === 'right' ? WIDTH - TOTAL_WIDTH - 12 : LABEL_WIDTH - 12;
    const nameEnd = write('P', name, MARGIN, top, nameWidth, {
      ...style,
      align: 'left',
      color: style.color ?? COLOR.ink,
    });
    return Math.max(nameEnd, write('P', value, from, top, width, { ...style, color: COLOR.ink, align })) + 6;
  }
  function startPage(): number {
    pdf.addPage();
    return MARGIN;
  }

  let y: number = MARGIN;
  if (isTest)
    y = write('P', texts.receipt.testMode, MARGIN, y, WIDTH, { isBold: true, color: COLOR.test, size: 13 }) + 16;
  if (logo !== null) {
    const top = y;
    root.add(
      pdf.struct('Figure', { alt: view.companyName }, () => void pdf.image(logo, MARGIN, top, { fit: LOGO_BOX })),
    );
    y += LOGO_BOX[1] + 14;
  }
  y = write('P', view.companyName, MARGIN, y, WIDTH, { isBold: true });
  for (const line of letterheadLines(view.shop.branding, texts.receipt.company))
    y = write('P', line, MARGIN, y, WIDTH, { size: SIZE.small, color: COLOR.soft });
  y += 14;
  y = write('H1', texts.receipt.title, MARGIN, y, WIDTH, { isBold: true, size: SIZE.title });
  y = write('P', view.amount, MARGIN, y + 4, WIDTH, { size: SIZE.title }) + 18;
  const facts: readonly (readonly [string, string | null])[] = [
    [texts.paid.receipt, payment.receipt],
    [texts.paid.at, payment.at.text],
    [texts.paid.method, texts.paid.methods[payment.with]],
    [texts.summary.order, view.order],
    [texts.summary.seller, view.sellerName],
    [texts.summary.through, view.isThroughCompany ? view.companyName : null],
    [texts.summary.buyer, view.buyerName],
  ];
  for (const [name, value] of facts) if (value !== null) y = row(name, value, y, { color: COLOR.soft });
  y = rule(y + 12);
  y = write('H2', texts.summary.items, MARGIN, y, WIDTH, { isBold: true }) + 10;
  for (const { name, quantity, total } of view.items)
    y = row(quantity === null ? name : `${name} (${quantity})`, total, y, { align: 'right' });
  if (view.adjustment !== null) y = row(texts.summary.adjustment, view.adjustment, y, { align: 'right' });
  if (view.fees !== null) y = row(texts.summary.fees, view.fees, y, { align: 'right' });
  y = rule(y + 4);
  y = row(texts.summary.paid, view.amount, y, { align: 'right', isBold: true });
  const small = { size: SIZE.small, color: COLOR.soft };
  if (y + 90 > BOTTOM) y = startPage();
  y = write('P', [view.standing.heading, ...view.standing.sentences].join(' · '), MARGIN, y + 14, WIDTH, small);
  y = write('P', `${texts.receipt.issued} ${formatMoment(now, language, timeZone)}`, MARGIN, y + 8, WIDTH, small);
  const { supportEmail } = view.shop.branding;
  if (supportEmail !== null) write('P', `${texts.help} ${supportEmail}`, MARGIN, y + 8, WIDTH, small);
  root.end();
  pdf.end();
  return Readable.toWeb(pdf);
}

/** What people wrote: it may be in any script. All other texts are in the languages of the checkout. */
function namesOn({ companyName, sellerName, buyerName, order, items, shop }: CheckoutView): string[] {
  return [companyName, shop.branding.address, sellerName, buyerName, order, ...items.map(({ name }) => name)].filter(
    (name) => name !== null,
  );
}
