import { describe, expect, test } from '@jest/globals';
import { LANGUAGES, languageOf, PREPARED } from '../../../src/api/checkout/texts/languages.ts';
import { LOCALES } from '../../../src/domain/locale.ts';

type Leaf = string | ((...args: (string | number)[]) => string);
/** `path.to.text` → the text, or the function that makes it. */
function leavesOf(value: unknown, path = ''): [string, Leaf][] {
  if (typeof value === 'string' || typeof value === 'function') return [[path, value as Leaf]];
  return Object.entries(value ?? {}).flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`));
}

const ENGLISH = new Map(leavesOf(LANGUAGES.en.texts));
const NAMES = ['argument-one', 'argument-two'];
/** Texts whose arguments are numbers. */
const COUNTS = /^timeLeft\.|^escrow\.autoRelease$|^processing\.lapse$/;
const argumentsOf = (path: string) => (COUNTS.test(path) ? [7, 13] : NAMES);
const madeBy = (path: string, leaf: Leaf | undefined) =>
  typeof leaf === 'function' ? leaf(...argumentsOf(path)) : (leaf ?? '');
const shownIn = (path: string, text: string) => argumentsOf(path).map((argument) => text.includes(String(argument)));

describe.each([...Object.entries(LANGUAGES), ...Object.entries(PREPARED)])('the texts in %s', (name, { texts }) => {
  const leaves = new Map(leavesOf(texts));

  test('are complete, and there are no others', () => {
    expect([...leaves.keys()].sort()).toEqual([...ENGLISH.keys()].sort());
    for (const [path, leaf] of leaves) expect([path, madeBy(path, leaf).trim()]).not.toEqual([path, '']);
  });

  test('show the same arguments as the English ones', () => {
    for (const [path, english] of ENGLISH) {
      const shown = shownIn(path, madeBy(path, leaves.get(path)));
      expect([path, ...shown]).toEqual([path, ...shownIn(path, madeBy(path, english))]);
    }
  });

  test('are translated', () => {
    const same = [...leaves].filter(([path, leaf]) => madeBy(path, leaf) === madeBy(path, ENGLISH.get(path)));
    // Words that are the same in several languages, and numbers between signs.
    expect(name === 'en' || same.length <= 6 || same).toBe(true);
  });

  test('say one day and two days', () => {
    const { days } = texts.timeLeft;
    expect(days(1, 1)).not.toBe(days(2, 1).replace('2', '1'));
  });
});

test('the languages on offer are those of links; a prepared one is not offered', () => {
  expect(Object.keys(LANGUAGES)).toEqual([...LOCALES]);
  for (const name of Object.keys(PREPARED)) {
    expect(LOCALES).not.toContain(name);
    expect(languageOf(null, name)).toBe(LANGUAGES.en);
  }
});

test.each([
  ['fr', undefined, 'fr'],
  ['pt', 'fr', 'pt'],
  [null, undefined, 'en'],
  [null, 'fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
  [null, 'de, pt-BR;q=0.5, en;q=0.4', 'pt'],
  [null, 'en;q=0.2, fr;q=0.3', 'fr'],
  [null, 'fr;q=0, en', 'en'],
  [null, 'sn', 'en'],
  [null, '*', 'en'],
  [null, ';;,=,constructor', 'en'],
  [null, 'x'.repeat(10_000), 'en'],
] as const)('a link in %s and a browser that asks for %s: %s', (locale, header, expected) => {
  expect(languageOf(locale, header)).toBe(LANGUAGES[expected]);
});
