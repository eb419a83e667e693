import type { Locale } from '../../../domain/locale.ts';
import { ORDER_ENGLISH, type OrderTexts } from './english.ts';
import { ORDER_FRENCH } from './french.ts';
import { ORDER_PORTUGUESE } from './portuguese.ts';

/** The languages of order pages: those of the checkout. */
export const ORDER_LANGUAGES: { readonly [L in Locale]: OrderTexts } = {
  en: ORDER_ENGLISH,
  fr: ORDER_FRENCH,
  pt: ORDER_PORTUGUESE,
};
