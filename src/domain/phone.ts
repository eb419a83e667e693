import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js';

/** Converts phone numbers as people write them to E.164, the form in the database and in responses. */

/** An ISO 3166-1 country code whose number format is known. */
export type PhoneRegion = CountryCode;

/** The default region. */
export const FALLBACK_PHONE_REGION = 'ZW' satisfies PhoneRegion;

/** `+` and 8 to 15 digits. */
export const E164 = /^\+\d{8,15}$/;

export function isPhoneRegion(text: string): text is PhoneRegion {
  return isSupportedCountry(text);
}

/** A number with `+` and 8 to 15 digits, without spaces and dashes; undefined for anything else. */
export function plainE164(typed: string): string | undefined {
  const compact = typed.replace(/[\s-]/g, '');
  return E164.test(compact) ? compact : undefined;
}

/** The number that a call to this one reaches: many people write the national 0 behind the country code. */
export function dialled(number: string): string {
  const parsed = parsePhoneNumberFromString(number, { extract: false });
  return parsed?.isValid() === true && E164.test(parsed.number) ? parsed.number : number;
}

/**
 * Parses a number as written in `region`: `0771234567`, `263771234567`, `00263 77 123 4567` and `+263 (77) 123-4567` are the
 * same number in ZW. Undefined if the number is invalid there.
 */
export function parsePhone(typed: string, region: PhoneRegion): string | undefined {
  const plain = plainE164(typed);
  if (plain !== undefined) return plain;
  // A number without a plus may be a national number, or an international one whose plus is missing.
  for (const candidate of [typed, `+${typed.trim()}`]) {
    const parsed = parsePhoneNumberFromString(candidate, { defaultCountry: region, extract: false });
    if (parsed?.isValid() === true && E164.test(parsed.number)) return parsed.number;
  }
  return undefined;
}
