/**
 * What a reader takes a name for: two names with the same key look alike. Case, spaces, accents and punctuation do not count, and
 * letters of other scripts, and digits, count as the Latin letters that they look like.
 */
export function lookAlikeKey(name: string): string {
  const letters = [...name.normalize('NFKD').replace(/\p{M}/gu, '')]
    .map((letter) => LOOKS_LIKE.get(letter) ?? LOOKS_LIKE.get(letter.toLowerCase()) ?? letter.toLowerCase())
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return letters.replaceAll('rn', 'm').replaceAll('vv', 'w');
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
