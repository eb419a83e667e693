import type { PdfFonts, Run } from './fonts.ts';
import { lettersOf } from './order.ts';

/** Measures, shortens, wraps and draws lines of text in any script. pdfkit does this for one font and from left to right only. */

/** The height of the built-in font above the line on which the letters stand, for a size of 1. */
const ASCENT = 0.718;
const ELLIPSIS = '...';

export type Pen = { readonly pdf: PDFKit.PDFDocument; readonly fonts: PdfFonts };
export type Look = { readonly size: number; readonly isBold: boolean };

export function widthOf(pen: Pen, text: string, look: Look): number {
  return widthOfRuns(pen.pdf, pen.fonts.runsOf(text, look.isBold), look.size);
}

/** The distance to the next line, in points. Some scripts have marks far above and below their letters. */
export function lineHeight({ pdf, fonts }: Pen, text: string, { size, isBold }: Look): number {
  const heights = fonts.runsOf(text, isBold).map(({ font }) => pdf.font(font).fontSize(size).currentLineHeight(true));
  return Math.max(pdf.font('Helvetica').fontSize(size).currentLineHeight(true), ...heights);
}

/** Draws one line. `y` is the top of capital letters. */
export function drawLine(
  { pdf, fonts }: Pen,
  text: string,
  { size, isBold }: Look,
  { x, y, width, align }: { readonly x: number; readonly y: number; readonly width: number; align: 'left' | 'right' },
): void {
  const runs = fonts.runsOf(text, isBold);
  const isAsRead = runs.length <= 1 && (runs[0]?.text ?? '') === text;
  // Readers copy, search and read aloud this text. The order and the shapes of the letters on the page may differ.
  if (!isAsRead) pdf.markContent('Span', { actual: text });
  let at = align === 'left' ? x : x + width - widthOfRuns(pdf, runs, size);
  for (const run of runs) {
    pdf
      .font(run.font)
      .fontSize(size)
      .text(run.text, at, y + ASCENT * size, { lineBreak: false, baseline: 'alphabetic' });
    at += pdf.widthOfString(run.text);
  }
  if (!isAsRead) pdf.endMarkedContent();
}

/** The text, or as much of its beginning as fits, with three dots. */
export function shortened(pen: Pen, text: string, look: Look, width: number): string {
  if (widthOf(pen, text, look) <= width) return text;
  const letters = lettersOf(text);
  const first = (count: number) => `${letters.slice(0, count).join('')}${ELLIPSIS}`;
  let fits = 0;
  for (let tooLong = letters.length; tooLong - fits > 1; ) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (widthOf(pen, first(middle), look) <= width) fits = middle;
    else tooLong = middle;
  }
  return first(fits);
}

/** The text in lines that fit: broken between words, and within a word only where it alone is too long. */
export function wrapped(pen: Pen, text: string, look: Look, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (candidate: string) => widthOf(pen, candidate.trimEnd(), look) <= width;
  const add = (part: string) => {
    if (line !== '' && !fits(line + part)) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += line === '' ? part.trimStart() : part;
  };
  for (const word of wordsOf(text)) {
    if (fits(word)) add(word);
    else for (const letter of lettersOf(word)) add(letter);
  }
  return [...lines, line.trimEnd()];
}

/** Chinese, Japanese, Thai and their neighbours have no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Each with the spaces and the punctuation after it. */
function wordsOf(text: string): string[] {
  const spaced = text.match(/\s*[^\s]+[^\S\u00a0]*/gu) ?? [];
  return spaced.flatMap((word) => {
    if (!UNSPACED.test(word)) return [word];
    const parts: string[] = [];
    for (const { segment, isWordLike } of segmenter.segment(word)) {
      if (isWordLike === true || parts.length === 0) parts.push(segment);
      else parts.push((parts.pop() ?? '') + segment);
    }
    return parts;
  });
}

function widthOfRuns(pdf: PDFKit.PDFDocument, runs: readonly Run[], size: number): number {
  return runs.reduce((sum, { text, font }) => sum + pdf.font(font).fontSize(size).widthOfString(text), 0);
}
