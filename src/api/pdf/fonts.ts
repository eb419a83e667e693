import { dejavu, type Face, faceFor, isInvisible } from './families.ts';
import { inDrawingOrder, lettersOf, type Run } from './order.ts';

/** Divides the texts of a PDF file into runs that one font can draw, from left to right. The built-in fonts cost nothing. */

const PLAIN = 'Helvetica';
const BOLD = 'Helvetica-Bold';
/** The dashes, the quotation mark and the multiplication sign are in the built-in encoding too. */
const BUILT_IN = /^[\x20-\x7e\xa0-\xac\xae-\xff–—’×]*$/;
/** Joiners change the shapes of the letters around them. */
const JOINER = /[\u200c\u200d]/;

export type { Run };

export type PdfFonts = {
  /** The text as it is drawn. Only texts that were named when the fonts were loaded have all their fonts. */
  readonly runsOf: (text: string, isBold: boolean) => readonly Run[];
};

/** Loads the fonts for these texts into a file. */
export async function loadFonts(pdf: PDFKit.PDFDocument, texts: Iterable<string>): Promise<PdfFonts> {
  const faces = new Map<string, Face | null>();
  const registered = new Set<Face>();
  for (const text of texts) {
    if (BUILT_IN.test(text)) continue;
    for (const letter of lettersOf(composed(text))) {
      if (faces.has(letter) || BUILT_IN.test(letter)) continue;
      const face = await faceFor(letter);
      faces.set(letter, face);
      if (face === null || registered.has(face)) continue;
      registered.add(face);
      // pdfkit finds a font again by its name. Bytes would be read as a new font each time.
      pdf.registerFont(face.name, face.bytes);
    }
  }
  const rest = await dejavu();
  if (!registered.has(rest)) pdf.registerFont(rest.name, rest.bytes);
  return {
    runsOf: (text, isBold) =>
      runsOf(text, isBold, (letter) => (faces.has(letter) ? (faces.get(letter) ?? null) : rest), rest),
  };
}

function runsOf(text: string, isBold: boolean, faceOf: (letter: string) => Face | null, rest: Face): readonly Run[] {
  const builtIn = isBold ? BOLD : PLAIN;
  if (BUILT_IN.test(text)) return [{ text, font: builtIn }];
  const letters: { readonly text: string; readonly face: Face | null }[] = [];
  let missing = '';
  const nameMissing = () => {
    if (missing !== '') letters.push({ text: codePoints(missing), face: null });
    missing = '';
  };
  for (const letter of lettersOf(composed(text))) {
    const isBuiltIn = BUILT_IN.test(letter);
    const face = isBuiltIn ? null : faceOf(letter);
    if (face === null && !isBuiltIn) {
      missing += letter;
      continue;
    }
    nameMissing();
    letters.push({ text: letter, face });
  }
  nameMissing();
  // A word with letters of two fonts looks broken, so the built-in font is not mixed with DejaVu Sans, which has Latin letters too.
  const plain = letters.some(({ face }) => face === rest) ? rest.name : builtIn;
  const runs = inDrawingOrder(letters.map((letter) => ({ text: letter.text, font: letter.face?.name ?? plain })));
  return runs.map(({ text, font }) => ({ text: shapes(text), font })).filter((run) => run.text !== '');
}

/** The numbers of characters that no font has, such as `[U+20BB7]`: names that differ look different. */
function codePoints(text: string): string {
  const visible = [...text].filter((character) => !isInvisible(character));
  const numbers = visible.map((character) =>
    (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0'),
  );
  return `[U+${numbers.join(' ')}]`;
}

/** Letters and marks as one character where Unicode has it. White space of other kinds is a space. */
function composed(text: string): string {
  return text.normalize('NFC').replace(/[^\S\u00a0]/g, ' ');
}

/** Removes invisible characters, such as marks of direction. Their effect is already in the order of the text. */
function shapes(text: string): string {
  return [...text].filter((character) => JOINER.test(character) || !isInvisible(character)).join('');
}
