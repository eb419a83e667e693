/** The languages that buyers can be addressed in. */
export const LOCALES = ['en', 'fr', 'pt'] as const;
export type Locale = (typeof LOCALES)[number];

/** The locale of each language for `Intl` and for the `lang` of checkout pages. */
export const INTL_LOCALES = { en: 'en-GB', fr: 'fr', pt: 'pt-PT' } as const satisfies {
  readonly [L in Locale]: string;
};
