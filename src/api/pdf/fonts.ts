import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import subsetFont from 'subset-font';

/**
 * The fonts of PDF files, by script. The built-in fonts of PDF have Western European letters and cost nothing. DejaVu Sans has
 * the other letters of Latin, and Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian. Noto Sans has Chinese, Japanese and
 * Korean. It comes as variable fonts in files of some two hundred characters each; a file is read when a text first needs it.
 */

const { resolve } = createRequire(import.meta.url);

const PLAIN = 'Helvetica';
const BOLD = 'Helvetica-Bold';
const UNICODE = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
/** The dashes, the quotation mark and the multiplication sign are in the built-in encoding too. */
const BUILT_IN = /^[\x20-\x7e\xa0-\xff–—’×]*$/;

/** Korean letters, and all others. Han characters that the first family lacks may be in the second. */
const FAMILIES = [
  {
    name: 'noto-sans-sc',
    has: /[\p{sc=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Bopomofo}\u{3000}-\u{303f}\u{ff01}-\u{ff9f}]/u,
  },
  { name: 'noto-sans-kr', has: /[\p{sc=Hangul}\p{sc=Han}]/u },
] as const;
/** The variable fonts are thin unless a weight is chosen. */
const REGULAR = { wght: 400 };

/** A part of a text that one font can write. `font` is what pdfkit calls it. */
export type Run = { readonly text: string; readonly font: string };

export type PdfFonts = {
  /** The text in parts. Only texts that were named when the fonts were loaded have all their fonts. */
  readonly runsOf: (text: string, isBold: boolean) => readonly Run[];
};

/**
 * Loads the fonts for these texts into a file. Each part of a family is converted once per process, and kept: 20 MB if all of
 * them are ever used.
 */
export async function loadFonts(pdf: PDFKit.PDFDocument, texts: Iterable<string>): Promise<PdfFonts> {
  const names = new Map<FontPart, string>();
  const parts = await indexOfFamilies();
  for (const text of texts) {
    if (BUILT_IN.test(text)) continue;
    for (const character of text) {
      const part = parts.get(character);
      if (part === undefined || names.has(part)) continue;
      const name = `CJK ${names.size}`;
      names.set(part, name);
      // By its name pdfkit finds the font again. Bytes would be read as a new font each time.
      pdf.registerFont(name, Buffer.from(await part.font()));
    }
  }
  const nameFor = (character: string) => {
    const part = parts.get(character);
    return part === undefined ? undefined : names.get(part);
  };
  return { runsOf: (text, isBold) => runsOf(text, isBold, nameFor) };
}

function runsOf(text: string, isBold: boolean, cjkFontOf: (character: string) => string | undefined): Run[] {
  const builtIn = isBold ? BOLD : PLAIN;
  if (BUILT_IN.test(text)) return [{ text, font: builtIn }];
  const characters = [...text].map((character) => ({ character, font: cjkFontOf(character) }));
  // A word with letters of two fonts looks broken, so all letters outside CJK have the same font.
  const isRestBuiltIn = characters.every(({ character, font }) => font !== undefined || BUILT_IN.test(character));
  const rest = isRestBuiltIn ? builtIn : UNICODE;
  const runs: { text: string; font: string }[] = [];
  for (const { character, font = rest } of characters) {
    const last = runs.at(-1);
    if (last?.font === font) last.text += character;
    else runs.push({ text: character, font });
  }
  return runs;
}

type FontPart = { readonly font: () => Promise<Uint8Array> };

let index: Promise<ReadonlyMap<string, FontPart>> | undefined;

/** The part of a family that has a character, for all characters of CJK. Read once. */
function indexOfFamilies(): Promise<ReadonlyMap<string, FontPart>> {
  index ??= readIndex();
  return index;
}

async function readIndex(): Promise<ReadonlyMap<string, FontPart>> {
  const found = new Map<string, FontPart>();
  for (const { name, has } of FAMILIES) {
    const files = dirname(resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`));
    const ranges: Record<string, string> = JSON.parse(await readFile(join(files, '..', 'unicode.json'), 'utf8'));
    for (const [part, range] of Object.entries(ranges)) {
      const characters = charactersIn(range).filter((character) => has.test(character));
      if (characters.length === 0) continue;
      const file = join(files, `${name}-${part.replace(/[[\]]/g, '')}-wght-normal.woff2`);
      const fontPart = partOf(file, characters.join(''));
      for (const character of characters) if (!found.has(character)) found.set(character, fontPart);
    }
  }
  return found;
}

/** `U+4e00-4e05,U+4e0a`, as in CSS. */
function charactersIn(range: string): string[] {
  return range.split(',').flatMap((part) => {
    const [first = 0, last = first] = part
      .replace('U+', '')
      .split('-')
      .map((digits) => Number.parseInt(digits, 16));
    return Array.from({ length: last - first + 1 }, (_, offset) => String.fromCodePoint(first + offset));
  });
}

function partOf(file: string, characters: string): FontPart {
  let converted: Promise<Uint8Array> | undefined;
  return {
    font() {
      converted ??= readFile(file).then((bytes) =>
        subsetFont(bytes, characters, { targetFormat: 'truetype', variationAxes: REGULAR }),
      );
      return converted;
    },
  };
}
