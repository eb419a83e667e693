/**
 * What a reader takes a name for: two names with the same key look alike. Case, spaces, accents and punctuation do not count, and
 * letters of other scripts, and digits, count as the Latin letters that they look like.
 */
export function lookAlikeKey(name: string): string {
  const letters = [...name.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => latin(letter) ?? letter.toLowerCase())
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w');
}

/**
 * A text of letters and digits as one reads it: without what nobody sees, with digits of all scripts as 0 to 9, and with letters of other
 * scripts as the Latin letters that they look like. Latin letters and ASCII stay as they are.
 */
export function asRead(text: string): string {
  return [...text.normalize('NFKC').replace(INVISIBLE, '')]
    .map((letter) => (letter <= '\x7f' ? letter : (digitOf(letter) ?? latin(letter) ?? letter)))
    .join('');
}

/** The Latin letter that it looks like. */
function latin(letter: string): string | undefined {
  return LOOKS_LIKE.get(letter) ?? LOOKS_LIKE.get(letter.toLowerCase());
}

/** Zero-width letters and joiners, direction marks, soft hyphens, fillers. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The decimal digits of a script follow each other from its zero on. */
function digitOf(letter: string): string | undefined {
  if (!/\p{Nd}/u.test(letter)) return undefined;
  const code = letter.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** Latin letters, and what is mistaken for each: Cyrillic, Greek, Armenian and Latin letters, digits and signs. */
const CONFUSABLES: Readonly<Record<string, string>> = {
  a: 'аαɑ@',
  b: 'ВΒьƅ',
  c: 'сϲ',
  d: 'ԁɗ',
  e: 'ЕΕеєεҽ3',
  g: 'ɡց',
  h: 'НΗһհ',
  k: 'кκ',
  l: 'iіι1|!ӏⅼı',
  m: 'МΜм',
  n: 'Νոηпռ',
  o: 'оοօ0ø',
  p: 'РΡрρ',
  q: 'ԛզ',
  r: 'гɾ',
  s: 'Ѕѕ5$',
  t: 'тτ',
  u: 'υսμ',
  v: 'ѵν',
  w: 'ԝωա',
  x: 'ХΧхχ×',
  y: 'ΥУуγүყ',
  z: 'Ζᴢ',
};
const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  Object.entries(CONFUSABLES).flatMap(([letter, others]) =>
    [...others].map((other): [string, string] => [other, letter]),
  ),
);
