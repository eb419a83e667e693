/**
 * Text as the bank takes it. Names and references are transliterated into the bank's character set, or refused; numbers and codes are
 * never changed.
 */

export const BANK_CHARACTER_SETS = ['swift', 'latin1', 'utf8'] as const;
export type BankCharacterSet = (typeof BANK_CHARACTER_SETS)[number];

/** One character that the set has. Line breaks, marks of direction, emoji and other symbols are in none. */
const ALLOWED: Readonly<Record<BankCharacterSet, RegExp>> = {
  /** SWIFT's character set X. */
  swift: /^[A-Za-z0-9/\-?:().,'+ ]$/,
  /** The printable characters of ISO 8859-1, without the soft hyphen. */
  latin1: /^[\x20-\x7e\xa0-\xac\xae-\xff]$/,
  utf8: /^[\p{L}\p{M}\p{N}\p{P}\p{Sc}\p{Sm}\p{Sk} \u00a0]$/u,
};

/** What stands for characters that are not letters with marks. The values are in every set. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ð: 'd', Ð: 'D', đ: 'd', Đ: 'D' },
  ...{ þ: 'th', Þ: 'TH', ł: 'l', Ł: 'L', ħ: 'h', Ħ: 'H', ı: 'i', ŋ: 'ng', Ŋ: 'NG', ŧ: 't', Ŧ: 'T' },
  ...{ ɓ: 'b', Ɓ: 'B', ɗ: 'd', Ɗ: 'D', ɛ: 'e', Ɛ: 'E', ɔ: 'o', Ɔ: 'O', ƙ: 'k', Ƙ: 'K', ƴ: 'y', Ƴ: 'Y', ə: 'e', Ə: 'E' },
  ...{
    '’': "'",
    '‘': "'",
    '‚': "'",
    '`': "'",
    '´': "'",
    ʼ: "'",
    '“': "'",
    '”': "'",
    '„': "'",
    '"': "'",
    '«': "'",
    '»': "'",
  },
  ...{
    '‐': '-',
    '‑': '-',
    '–': '-',
    '—': '-',
    '−': '-',
    _: '-',
    '~': '-',
    '…': '...',
    '\u00a0': ' ',
    '\u2009': ' ',
    '\u202f': ' ',
  },
  ...{
    '&': '+',
    '@': '(at)',
    '[': '(',
    ']': ')',
    '{': '(',
    '}': ')',
    '<': '(',
    '>': ')',
    '|': '/',
    '\\': '/',
    ';': ',',
  },
  ...{
    '!': '.',
    '#': 'No.',
    '№': 'No.',
    '·': '.',
    '•': '-',
    '*': '.',
    '=': '-',
    '%': '(pct)',
    '°': '.',
    '€': 'EUR',
    $: 'USD',
    '£': 'GBP',
  },
};

/**
 * The text with every character in the set: as it is, without its marks, or replaced. Null: the set has no character for one of
 * them, or nothing is left.
 */
export function bankText(text: string, set: BankCharacterSet): string | null {
  const parts = [...text.normalize('NFC')].map((character) => inSet(character, set));
  if (parts.includes(null)) return null;
  const written = parts.join('').normalize('NFC').replace(/ +/g, ' ').trim();
  return written === '' ? null : written;
}

/** The same for a text that was accepted before the set was configured: a character without a counterpart becomes a dot. */
export function bankTextAnyway(text: string, set: BankCharacterSet): string {
  return bankText(text, set) ?? [...text.normalize('NFC')].map((character) => inSet(character, set) ?? '.').join('');
}

/** Whether a number or a code can be sent as it is. */
export function isBankCode(text: string, set: BankCharacterSet): boolean {
  return [...text].every((character) => ALLOWED[set].test(character));
}

function inSet(character: string, set: BankCharacterSet): string | null {
  const allowed = ALLOWED[set];
  if (allowed.test(character)) return character;
  const plain = REPLACEMENTS[character] ?? character.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFC');
  const replaced = [...plain].map((one) => (allowed.test(one) ? one : (REPLACEMENTS[one] ?? one))).join('');
  return replaced !== '' && isBankCode(replaced, set) ? replaced : null;
}
