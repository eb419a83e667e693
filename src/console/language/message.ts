import { IntlMessageFormat } from 'intl-messageformat';
import { isolated } from '../../domain/isolated-text.ts';
import { numberFormat } from './formats.ts';
import type { Language, MessageText } from './languages.ts';

/**
 * Texts of the console. Pages are built without a language: a message becomes a string when the page is written. A message is
 * named by its English text, in ICU message syntax: `{count, plural, one {# page} other {# pages}}`.
 */

export class Message {
  readonly in: (language: Language) => string;

  /** For formats, such as amounts and times. Use `t` for texts. */
  constructor(write: (language: Language) => string) {
    this.in = write;
  }
}

/** What a reader sees: a message, or data that is the same in every language, such as a name. */
export type Text = Message | string;

/** The names by whose values a text chooses a plural form: `count` of `{count, plural, one {# page} other {# pages}}`. */
type PluralName<Wording extends string> = Wording extends `${string}{${infer Before}, plural,${infer After}`
  ? LastName<Before> | PluralName<After>
  : never;
type LastName<Before extends string> = Before extends `${string}{${infer After}` ? LastName<After> : Before;

/**
 * What fills the names in braces. A plural form is chosen by a number: a formatted one would read `NaN`. The compiler does not
 * check that all values are there.
 */
export type ValuesOf<Wording extends MessageText, Value = Text | number> = Readonly<Record<string, Value>> & {
  readonly [Name in PluralName<Wording>]?: number;
};

/** The message with this English text. */
export function t<Wording extends MessageText>(text: Wording, values?: ValuesOf<Wording>): Message {
  return new Message((language) => {
    if (values === undefined) return language.translate(text);
    return String(formatOf(text, language).format(valuesFor(text, values, language)));
  });
}

/** The text in a language. Numbers stay numbers. */
export function plainText<Value extends Text | number>(
  value: Value,
  language: Language,
): string | Exclude<Value, Text> {
  return value instanceof Message ? value.in(language) : (value as string | Exclude<Value, Text>); // not a message, as was just checked
}

/** Joins texts, such as parts of a list. */
export function joined(texts: readonly Text[], separator = ', '): Message {
  return new Message((language) => texts.map((text) => besideOthers(text, language)).join(separator));
}

/** A text for a line with other texts. */
function besideOthers(text: Text, language: Language): string {
  return text instanceof Message ? text.in(language) : isolated(text);
}

const formats = new Map<string, IntlMessageFormat>();

/** The values of a message in a language. A number is written as in the language, unless the message chooses a plural by it. */
export function valuesFor<Other>(
  text: MessageText,
  values: Readonly<Record<string, Text | number | Other>>,
  language: Language,
): Record<string, string | number | Other> {
  const inLanguage = ([name, value]: readonly [string, Text | number | Other]) => {
    if (value instanceof Message || typeof value === 'string') return [name, besideOthers(value, language)];
    const isPlain = typeof value === 'number' && !text.includes(`{${name}, plural,`);
    return [name, isPlain ? numberFormat(language.locale, {}).format(value) : value];
  };
  return Object.fromEntries(Object.entries(values).map(inLanguage));
}

/** The parsed message; parsing is slow, so it is kept. The texts are ours, so their number is bounded. */
export function formatOf(text: MessageText, language: Language): IntlMessageFormat {
  const key = `${language.tag} ${text}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new IntlMessageFormat(language.translate(text), language.locale, undefined, { ignoreTag: true });
  formats.set(key, format);
  return format;
}
