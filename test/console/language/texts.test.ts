import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { describe, expect, test } from '@jest/globals';
import { IntlMessageFormat } from 'intl-messageformat';
import { TABLES, TEXTS } from '../../../src/console/language/texts/index.ts';
import { REFUSALS } from '../../../src/domain/errors.ts';
import { ESCROW_COMMAND_TYPES } from '../../../src/domain/escrow/commands.ts';
import { STATEMENT_REASONS } from '../../../src/domain/refusal-reasons.ts';
import { FAILURE_SENTENCES } from '../../../src/domain/withdrawal/failure-reasons.ts';

/** Every text that a reader of the console can see is in the tables, in every language. */

const CONSOLE = new URL('../../../src/console/', import.meta.url).pathname;
const FILES = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('language/texts/'))
  .sort();
/** In place of a value of a template. */
const HOLE = '\uFFFC';
/** The types of the elements of a parsed message. */
const [LITERAL, POUND] = [0, 7];
const KINDS = ['literal', 'plain', 'number', 'date', 'time', 'select', 'plural', 'pound'];
/** Attributes whose values people see or hear. */
const READ_ATTRIBUTE = /\b(?:aria-label|title|placeholder|alt|data-copy)="([^"]*)"/g;
/** Without letters, apart from names that are the same in every language. */
const isNoText = (text: string) => !/\p{L}/u.test(text.replace(/&\w+;|\b(?:UTC|CSV|JSON|PDF)\b/g, ''));

/** The words that stand in the HTML templates of a source itself. */
function wordsOf(source: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isTemplate(node)) found.push(...wordsIn(node.quasi.quasis.map(({ value }) => value.cooked).join(HOLE)));
    for (const part of Object.values(node)) visit(part);
  };
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program);
  return found;
}

type Template = { readonly quasi: { readonly quasis: readonly { readonly value: { readonly cooked: string } }[] } };

function isTemplate(node: object): node is Template {
  const { type, tag } = node as { type?: string; tag?: { name?: string } }; // nodes of the syntax tree are plain objects
  return type === 'TaggedTemplateExpression' && tag?.name === 'html';
}

function wordsIn(text: string): string[] {
  const attributes = [...text.matchAll(READ_ATTRIBUTE)].map(([, value = '']) => value);
  // A template without a tag is text, or a part of a tag, such as ` checked` or ` class="…"`.
  const isPartOfTag = !text.includes('<') && /^ ?[\w-]+(="|$)/.test(text) && !/^[A-Z]/.test(text);
  const visible = isPartOfTag ? [] : text.replace(/<[^>]*>/g, '\n').split('\n');
  return [...visible, ...attributes].filter((part) => !isNoText(part)).map((part) => part.trim());
}

test.each(FILES)('%s has its texts in the tables', (path) => {
  expect(wordsOf(readFileSync(join(CONSOLE, path), 'utf8'))).toEqual([]);
});

test('the reading of templates finds words in text and in attributes', () => {
  const source = ['html`<p title="No">', 'x', '</p>`; html`<b>', 'count', ' rows</b>`; html`Yes`; html` checked`'];
  expect(wordsOf(source.map((part, index) => (index % 2 === 0 ? part : `\${${part}}`)).join(''))).toEqual([
    'No',
    `${HOLE} rows`,
    'Yes',
  ]);
});

describe('the tables', () => {
  const entries = Object.entries(TEXTS);

  test('a label does not say that its field is optional: the form does', () => {
    const doubled = entries.filter(([text]) => /\boptional\b/i.test(text) && text !== 'optional');
    expect(doubled).toEqual([]);
  });

  test('no text stands in two tables', () => {
    const places = new Map<string, string[]>();
    for (const [name, table] of Object.entries(TABLES))
      for (const text of Object.keys(table)) places.set(text, [...(places.get(text) ?? []), name]);
    expect([...places].filter(([, names]) => names.length > 1)).toEqual([]);
    expect(places.size).toBe(entries.length);
  });

  test('every text is used', () => {
    const source = FILES.map((path) => readFileSync(join(CONSOLE, path), 'utf8')).join('\n');
    const titles: readonly string[] = Object.values(REFUSALS).map(({ title }) => title);
    const reasons: readonly string[] = [...Object.values(FAILURE_SENTENCES), ...Object.values(STATEMENT_REASONS)];
    const commands: readonly string[] = ESCROW_COMMAND_TYPES.map((name) => name.replaceAll('-', ' '));
    const isUsed = (text: string) =>
      titles.includes(text) ||
      reasons.includes(text) ||
      commands.includes(text) ||
      [`'${text.replaceAll("'", "\\'")}'`, `"${text}"`].some((quoted) => source.includes(quoted));
    const own = entries.map(([text]) => text).filter((text) => !Object.hasOwn(TABLES.STATUSES, text));
    expect(own.filter((text) => !isUsed(text))).toEqual([]);
  });

  test.each(['fr', 'pt'] as const)('%s is complete, and its messages have the values of the English ones', (tag) => {
    const wrong = entries.filter(([text, translated]) => {
      const translation = translated[tag];
      return translation.trim() === '' || String(valuesOf(translation, tag)) !== String(valuesOf(text, 'en'));
    });
    expect(wrong).toEqual([]);
  });

  test.each(['en', 'fr', 'pt'] as const)(
    '%s has values that choose a plural, and plain ones, which are formatted before',
    (tag) => {
      const texts = entries.map(([text, translated]) => (tag === 'en' ? text : translated[tag]));
      const others = texts.filter((text) => valuesOf(text, tag).some((value) => !/ (?:plain|plural)$/.test(value)));
      expect(others).toEqual([]);
    },
  );

  test.each([
    ['fr', 'Frais à la charge', 'de l’acheteur', 'du vendeur'],
    ['pt', 'Comissões a cargo', 'do comprador', 'do vendedor'],
  ] as const)('%s says who pays the fees in one phrase with its label', (tag, ...phrases) => {
    const all: Readonly<Record<string, { readonly fr: string; readonly pt: string }>> = Object.fromEntries(entries);
    expect(['Fees paid by', 'the buyer', 'the seller'].map((text) => all[text]?.[tag])).toEqual(phrases);
  });

  test('French has its typography: no straight apostrophe, and a no-break space before : ; ! ? and inside « »', () => {
    const wrong = entries
      .map(([, { fr }]) => fr)
      .filter((fr) => /\w'\w|[^\s\u00a0\u202f{]\?|[^\u00a0\u202f\d] ?[;!](?!\w)|[^\u00a0\d] ?:(?= )|« | »/u.test(fr));
    expect(wrong).toEqual([]);
  });
});

/** The names of a message's values with their kinds, sorted. */
function valuesOf(text: string, locale: string): string[] {
  const found = new Set<string>();
  const collect = (elements: readonly unknown[]): void => {
    for (const element of elements as readonly {
      value?: string;
      type: number;
      options?: Record<string, { value: unknown[] }>;
    }[]) {
      const { type, value, options = {} } = element;
      if (type !== LITERAL && type !== POUND && value !== undefined) found.add(`${value} ${KINDS[type]}`);
      for (const option of Object.values(options)) collect(option.value);
    }
  };
  collect(new IntlMessageFormat(text, locale, undefined, { ignoreTag: true }).getAst());
  return [...found].sort();
}
