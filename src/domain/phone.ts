import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** Phone numbers as people write them, in the E.164 form that is stored and answered. */

/** An ISO 3166-1 country code whose way of writing numbers is known. */
export type PhoneRegion = CountryCode;

/** Where no configuration says otherwise. */
export const FALLBACK_PHONE_REGION = 'ZW' satisfies PhoneRegion;

const E164 = /^\+\d{8,15}$/;

export function isPhoneRegion(text: string): text is PhoneRegion {
  return isSupportedCountry(text);
}

/** A number with `+` and 8 to 15 digits is taken as it is, less spaces and dashes; undefined for anything else. */
export function plainE164(typed: string): string | undefined {
  const compact = typed.replace(/[\s-]/g, '');
  return E164.test(compact) ? compact : undefined;
}

/**
 * The number that was typed, as somebody in `region` means it: `0771234567`, `263771234567`, `00263 77 123 4567` and
 * `+263 (77) 123-4567` are the same one in ZW. Undefined for what is no number there.
 */
export function parsePhone(typed: string, region: PhoneRegion): string | undefined {
  const plain = plainE164(typed);
  if (plain !== undefined) return plain;
  // A number without a plus may be a national one, or one of any country that only lacks the plus.
  for (const candidate of [typed, `+${typed.trim()}`]) {
    const parsed = parsePhoneNumberFromString(candidate, { defaultCountry: region, extract: false });
    if (parsed?.isValid() === true && E164.test(parsed.number)) return parsed.number;
  }
  return undefined;
}
