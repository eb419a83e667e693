import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create } from 'fontkit';
import subsetFont from 'subset-font';

/**
 * The fonts for letters that the built-in fonts of PDF lack. Noto Sans has one family for each script. DejaVu Sans has the other
 * letters of Latin, and Greek, Cyrillic, Armenian and Georgian. Fonts are read when a text first needs them, and kept.
 */

const { resolve } = createRequire(import.meta.url);

/** A font that pdfkit can embed. */
export type Face = {
  /** What pdfkit calls it. */
  readonly name: string;
  /** TrueType. */
  readonly bytes: Buffer;
  readonly has: (character: string) => boolean;
};

/** Where two families have a character, the first one is used. */
const FAMILIES = [
  {
    name: 'noto-sans-sc',
    has: /[\p{sc=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Bopomofo}\u{3000}-\u{303f}\u{ff01}-\u{ff9f}]/u,
  },
  { name: 'noto-sans-kr', has: /[\p{sc=Hangul}\p{sc=Han}]/u },
  { name: 'noto-sans-devanagari', has: /\p{scx=Devanagari}/u },
  { name: 'noto-sans-thai', has: /\p{sc=Thai}/u },
  { name: 'noto-sans-arabic', has: /[\p{scx=Arabic}--\p{sc=Latin}]/v },
  { name: 'noto-sans-hebrew', has: /\p{scx=Hebrew}/u },
] as const;
/** The variable fonts are thin unless a weight is chosen. */
const REGULAR = { wght: 400 };

/** Letters of Latin and the scripts next to it. */
export const dejavu = once(() => readFace('DejaVu', resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')));

/** The best font that has all of these characters, which make up one letter with its marks; null if none has. */
export async function faceFor(letter: string): Promise<Face | null> {
  const parts = await indexOfFamilies();
  const [base = ''] = letter;
  const visible = [...letter].filter((character) => !isInvisible(character));
  const hasAll = (face: Face) => visible.every(face.has);
  const part = await parts.get(base)?.();
  if (part !== undefined && hasAll(part)) return part;
  const fallback = await dejavu();
  return hasAll(fallback) ? fallback : null;
}

/** Joiners, variation selectors and the like have no shape of their own, and fonts need not have them. */
export function isInvisible(character: string): boolean {
  return /\p{Default_Ignorable_Code_Point}/u.test(character);
}

type Part = () => Promise<Face>;

/** The part of a family that has a character. */
const indexOfFamilies = once(async () => {
  const found = new Map<string, Part>();
  for (const { name, has } of FAMILIES) {
    const styles = dirname(resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`));
    const ranges: Record<string, string> = JSON.parse(await readFile(join(styles, '..', 'unicode.json'), 'utf8'));
    for (const [part, range] of Object.entries(ranges)) {
      const characters = charactersIn(range).filter((character) => has.test(character));
      if (characters.length === 0) continue;
      const file = `${name}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`;
      const fontPart = once(() => convert(join(styles, file), characters.join('')));
      for (const character of characters) if (!found.has(character)) found.set(character, fontPart);
    }
  }
  return found;
});

/** pdfkit reads neither variable fonts of this kind nor their weights. */
async function convert(file: string, characters: string): Promise<Face> {
  const options = { targetFormat: 'truetype', variationAxes: REGULAR } as const;
  return faceOf(file, await subsetFont(await readFile(file), characters, options));
}

async function readFace(name: string, file: string): Promise<Face> {
  return faceOf(name, await readFile(file));
}

function faceOf(name: string, bytes: Buffer): Face {
  const font = create(bytes);
  if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is a collection of fonts`);
  return { name, bytes, has: (character) => font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) };
}

/** `U+4e00-4e05,U+4e0a`, as in CSS. */
function charactersIn(range: string): string[] {
  return range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16));
    return rangeOf(first, last).map((codePoint) => String.fromCodePoint(codePoint));
  });
}

function rangeOf(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
