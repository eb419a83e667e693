import type { Language } from './languages.ts';

/** Formats of numbers and times, kept: to make one takes a hundred times as long as to use it. */

type Locale = Language['locale'];

export const numberFormat = kept<Intl.NumberFormatOptions, Intl.NumberFormat>(
  (locale, options) => new Intl.NumberFormat(locale, options),
);
export const timeFormat = kept<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>(
  (locale, options) => new Intl.DateTimeFormat(locale, options),
);

/** The options are those of our pages, so the number of formats is bounded. */
function kept<Options extends object, Format>(make: (locale: Locale, options: Options) => Format) {
  const formats = new Map<string, Format>();
  return (locale: Locale, options: Options): Format => {
    const key = `${locale} ${JSON.stringify(options)}`;
    const known = formats.get(key);
    if (known !== undefined) return known;
    const format = make(locale, options);
    formats.set(key, format);
    return format;
  };
}
