import bidiOf, { type Bidi } from 'bidi-js';

/**
 * The order in which the parts of a line are drawn, from left to right (Unicode's bidirectional algorithm). pdfkit draws a text in
 * the order of its letters, except that fontkit reverses a text whose first letter belongs to a script from right to left.
 */

const bidi = (bidiOf as unknown as () => Bidi)(); // Node gives the function itself; the types expect it below `default`

/** The directions matter to a text with one of these only. */
const RIGHT_TO_LEFT = /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{sc=Samr}\p{sc=Mand}]/u;
const REVERSED_BY_FONTKIT = new RegExp(`^[\\p{sc=Zyyy}\\p{sc=Zinh}]*${RIGHT_TO_LEFT.source}`, 'u');

export type Run = { readonly text: string; readonly font: string };

/** `letters`: the letters of the line with their marks, in the order in which they are read, each with its font. */
export function inDrawingOrder(letters: readonly Run[]): Run[] {
  const line = letters.map(({ text }) => text).join('');
  if (!RIGHT_TO_LEFT.test(line)) return joined(letters.map((letter) => ({ ...letter, level: 0 })));
  const { levels } = bidi.getEmbeddingLevels(line);
  let index = 0;
  const runs = joined(
    letters.map((letter) => {
      const level = levels[index] ?? 0;
      index += letter.text.length;
      return { ...letter, level };
    }),
  );
  return reordered(runs).map(({ text, font, level }) => ({ text: drawable(text, level % 2 === 1), font }));
}

type LeveledRun = Run & { readonly level: number };

/**
 * Joins neighbours with the same font and level. pdfkit draws word after word from left to right, so each word of a text from right
 * to left is a run of its own.
 */
function joined(letters: readonly LeveledRun[]): LeveledRun[] {
  const runs: { text: string; font: string; level: number }[] = [];
  for (const { text, font, level } of letters) {
    const last = runs.at(-1);
    const isWordEnd = level % 2 === 1 && (text === ' ' || last?.text.endsWith(' '));
    if (last?.font === font && last.level === level && !isWordEnd) last.text += text;
    else runs.push({ text, font, level });
  }
  return runs;
}

/** Rule L2: from the highest level to the lowest odd one, reverses every sequence of runs of at least that level. */
function reordered(runs: readonly LeveledRun[]): LeveledRun[] {
  const ordered = [...runs];
  for (let level = Math.max(...runs.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? 0) >= level) end++;
      if (end === start) continue;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  return ordered;
}

function drawable(text: string, isRightToLeft: boolean): string {
  const mirrored = isRightToLeft ? [...text].map((one) => bidi.getMirroredCharacter(one) ?? one).join('') : text;
  return REVERSED_BY_FONTKIT.test(text) === isRightToLeft ? mirrored : lettersOf(mirrored).reverse().join('');
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The letters of a text as people count them: a letter includes its marks. */
export function lettersOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
