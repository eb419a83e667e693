import type { Locale } from '../../../domain/locale.ts';

/** A text in the languages other than English, in ICU message syntax. */
export type Translations = { readonly [L in Exclude<Locale, 'en'>]: string };
export type Translated = Readonly<Record<string, Translations>>;
