import { escapeToBuffer } from 'hono/utils/html';
import { isolated } from '../../domain/isolated-text.ts';
import type { Language, MessageText } from '../language/languages.ts';
import { formatOf, plainText, type Text, type ValuesOf, valuesFor } from '../language/message.ts';

/**
 * What every component returns: HTML that is written when the reader's language is known. Tagged templates and not JSX, because
 * Node strips types from `.ts` and compiles no JSX (docs/adr/0002).
 */
export class Html {
  readonly in: (language: Language) => string;

  constructor(write: (language: Language) => string) {
    this.in = write;
  }
}

/** What may stand in a template. Null, undefined and booleans write nothing. */
type Value = Html | Text | number | boolean | null | undefined | readonly Value[];

/**
 * HTML with values, which are escaped unless they are HTML themselves. Stored texts are isolated, so that their direction does not
 * move the amounts beside them, but not where they come back to us: in attributes and text areas.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const isText = placesOf(strings);
  return new Html((language) =>
    strings
      .slice(1)
      .reduce(
        (text, next, index) => text + written(values[index], language, isText[index] === true) + next,
        strings[0] ?? '',
      ),
  );
}

const places = new WeakMap<TemplateStringsArray, readonly boolean[]>();
const RETURNED = /="[^"]*$|<textarea[^>]*>[^<]*$/;

/** Whether each value of a template is text of the page. Kept, because a template is written many times. */
function placesOf(strings: TemplateStringsArray): readonly boolean[] {
  const known = places.get(strings);
  if (known !== undefined) return known;
  const isText = strings.slice(1).map((_, index) => !RETURNED.test(strings.slice(0, index + 1).join('')));
  places.set(strings, isText);
  return isText;
}

function written(value: Value, language: Language, isText = true): string {
  if (value instanceof Html) return value.in(language);
  if (value === null || value === undefined || typeof value === 'boolean') return '';
  if (isList(value)) return value.map((one) => written(one, language, isText)).join('');
  const text = String(plainText(value, language));
  return escaped(isText && typeof value === 'string' ? isolated(text) : text);
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

function escaped(text: string): string {
  const buffer: [string] = [''];
  escapeToBuffer(text, buffer);
  return buffer[0];
}

/** HTML that is written as it is. */
const raw = (text: string) => new Html(() => text);

/** A message with HTML in its values: amounts, times and links. */
export function rich<Wording extends MessageText>(
  text: Wording,
  values: ValuesOf<Wording, Html | Text | number>,
): Html {
  return new Html((language) => {
    const parts: unknown = formatOf(text, language).format<Html>(valuesFor(text, values, language));
    const list = (Array.isArray(parts) ? parts : [parts]) as readonly (Html | string)[]; // HTML values are kept, all else becomes text
    return list.map((part) => written(part, language)).join('');
  });
}

export const NOTHING: Html = raw('');

/** Line drawings on a grid of 24, in the colour of the text around them. */
const DRAWINGS = {
  alert: '<path d="M12 4l9 16H3z"/><path d="M12 10v4.5M12 17v.2"/>',
  arrowLeft: '<path d="M19 12H5M11 6l-6 6 6 6"/>',
  arrowRight: '<path d="M5 12h14M13 6l6 6-6 6"/>',
  ban: '<circle cx="12" cy="12" r="9"/><path d="M6 6l12 12"/>',
  bank: '<path d="M4 9l8-5 8 5M5 9h14M6 9v8M10 9v8M14 9v8M18 9v8M4 20h16"/>',
  bell: '<path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 20.5h4"/>',
  book: '<path d="M5 4h12a2 2 0 0 1 2 2v14H7a2 2 0 0 1-2-2zM5 17h14M9 8h6"/>',
  building: '<path d="M5 20V5h9v15M14 10h5v10M3 20h18M8 8h3M8 12h3M8 16h3"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="M8 12.5l2.7 2.7L16 9.8"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5.2l3.2 2"/>',
  cross: '<circle cx="12" cy="12" r="9"/><path d="M9 9l6 6M15 9l-6 6"/>',
  download: '<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>',
  empty: '<path d="M4 13l2.5-8h11L20 13v6H4zM4 13h5l1.5 3h3L15 13h5"/>',
  gear: '<circle cx="12" cy="12" r="3"/><path d="M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M5.6 18.4l2.1-2.1M16.3 7.7l2.1-2.1"/>',
  heart: '<path d="M3 12h4l2.5-6 4 12 2.5-6h5"/>',
  home: '<path d="M4 11l8-7 8 7v9h-5v-6H9v6H4z"/>',
  key: '<circle cx="8" cy="14" r="4"/><path d="M11 11l8-8M16 6l3 3"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 0l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6 0l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5"/>',
  list: '<path d="M8 6h12M8 12h12M8 18h12M4 6h.2M4 12h.2M4 18h.2"/>',
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2.2.7 3.5 2.5 3.5 5.5"/>',
  person: '<circle cx="12" cy="8" r="4"/><path d="M4.5 20c.5-4.2 3.4-6 7.5-6s7 1.8 7.5 6"/>',
  percent: '<path d="M6 18L18 6"/><circle cx="7.5" cy="7.5" r="2.5"/><circle cx="16.5" cy="16.5" r="2.5"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  printer: '<path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z"/>',
  question: '<circle cx="12" cy="12" r="9"/><path d="M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.4-1 .9-1 1.7M12 17v.2"/>',
  scales: '<path d="M12 4v16M7 20h10M5 7h14M5 7l-3 7a3 3 0 0 0 6 0zM19 7l-3 7a3 3 0 0 0 6 0z"/>',
  search: '<circle cx="11" cy="11" r="6.5"/><path d="M16 16l4.5 4.5"/>',
  send: '<path d="M21 3L3 10.5l7 2.5 2.5 7zM21 3L10 13"/>',
  shield: '<path d="M12 3l7 3v5c0 4.6-2.9 8-7 10-4.1-2-7-5.4-7-10V6z"/><path d="M9 12l2.2 2.2L15.2 10"/>',
  snowflake: '<path d="M12 3v18M4.2 7.5l15.6 9M4.2 16.5l15.6-9M9.5 4.5L12 7l2.5-2.5M9.5 19.5L12 17l2.5 2.5"/>',
  wallet:
    '<path d="M4 8.5A2.5 2.5 0 0 1 6.5 6H18v3"/><rect x="4" y="9" width="16" height="10" rx="2"/><path d="M16 14h.5"/>',
} as const;
export type Icon = keyof typeof DRAWINGS;

/** Decorative: screen readers skip it, so a text must stand beside it. */
export function icon(name: Icon): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">${raw(DRAWINGS[name])}</svg>`;
}
