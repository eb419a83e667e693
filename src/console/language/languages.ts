import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { getCookie, setCookie } from 'hono/cookie';
import { INTL_LOCALES, LOCALES, type Locale } from '../../domain/locale.ts';
import { UTC } from '../../domain/time-zone.ts';
import { TEXTS } from './texts/index.ts';

/** The languages of the console: those of the checkout. */

export type Language = {
  /** The value of `lang` in pages. */
  readonly tag: Locale;
  /** For `Intl`: numbers, dates and plural forms. */
  readonly locale: string;
  /** In the language itself. */
  readonly name: string;
  /** In which times are written: the company's, where there is one. */
  readonly timeZone: string;
  /** The text in this language. `text` is the English one, which is the key of the table. */
  readonly translate: (text: MessageText) => string;
};

/** The English text of a message. The compiler refuses a text without a row in the tables of `texts/`. */
export type MessageText = keyof typeof TEXTS;

export const LANGUAGES: { readonly [L in Locale]: Language } = {
  en: { tag: 'en', locale: INTL_LOCALES.en, name: 'English', timeZone: UTC, translate: (text) => text },
  fr: { tag: 'fr', locale: INTL_LOCALES.fr, name: 'Français', timeZone: UTC, translate: (text) => TEXTS[text].fr },
  pt: { tag: 'pt', locale: INTL_LOCALES.pt, name: 'Português', timeZone: UTC, translate: (text) => TEXTS[text].pt },
};

const COOKIE = 'console_language';
const YEAR_SECONDS = 365 * 24 * 3_600;

export const isLocale = (text: string | undefined): text is Locale => LOCALES.some((locale) => locale === text);

/** The reader's choice; else the best one of the browser's languages; else English. */
export function languageOf(c: Context): Language {
  const chosen = getCookie(c, COOKIE);
  if (isLocale(chosen)) return LANGUAGES[chosen];
  const offered = accepts(c, {
    header: 'Accept-Language',
    supports: [...LOCALES],
    default: 'en',
    match: (wanted, { supports, default: fallback }) =>
      wanted
        .filter(({ q }) => q > 0)
        .sort((a, b) => b.q - a.q)
        .map(({ type }) => type.split('-')[0]?.toLowerCase())
        .find((tag) => tag !== undefined && supports.includes(tag)) ?? fallback,
  });
  return LANGUAGES[isLocale(offered) ? offered : 'en'];
}

/** Keeps the choice in a cookie, because the login page has no session. Does nothing for a language that is not offered. */
export function chooseLanguage(c: Context, tag: string, isSecure: boolean): void {
  if (!isLocale(tag)) return;
  setCookie(c, COOKIE, tag, {
    path: '/console',
    httpOnly: true,
    sameSite: 'Lax',
    secure: isSecure,
    maxAge: YEAR_SECONDS,
  });
}
