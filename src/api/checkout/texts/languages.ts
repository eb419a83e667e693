import { parseAccept } from 'hono/utils/accept';
import { INTL_LOCALES, LOCALES, type Locale } from '../../../domain/locale.ts';
import { ENGLISH, type Texts } from './english.ts';
import { FRENCH } from './french.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SHONA } from './shona.ts';

/** The languages of the checkout: texts, and the rules for numbers and dates. */

export type Language = {
  /** The value of `lang` in pages, and the locale of numbers and dates for `Intl`. */
  readonly locale: string;
  readonly texts: Texts;
};

export const LANGUAGES: { readonly [L in Locale]: Language } = {
  en: { locale: INTL_LOCALES.en, texts: ENGLISH },
  fr: { locale: INTL_LOCALES.fr, texts: FRENCH },
  pt: { locale: INTL_LOCALES.pt, texts: PORTUGUESE },
};

/** Complete but not offered: a speaker has to read them first. To offer one, move it to `LANGUAGES` and to `LOCALES`. */
export const PREPARED = { sn: { locale: 'sn', texts: SHONA } } as const satisfies Record<string, Language>;

const DEFAULT: Locale = 'en';
const MAX_HEADER_CHARACTERS = 200;

/** The link's language; else the first offered one of `Accept-Language`; else English. */
export function languageOf(locale: Locale | null, acceptLanguage: string | undefined): Language {
  if (locale !== null) return LANGUAGES[locale];
  const wanted = parseAccept((acceptLanguage ?? '').slice(0, MAX_HEADER_CHARACTERS))
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.split('-')[0]?.toLowerCase());
  const found = wanted.find((tag): tag is Locale => LOCALES.some((offered) => offered === tag));
  return LANGUAGES[found ?? DEFAULT];
}
