/** The languages that buyers can be addressed in. */
export const LOCALES = ['en', 'fr', 'pt'] as const;
export type Locale = (typeof LOCALES)[number];
