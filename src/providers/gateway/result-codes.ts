/**
 * OPPWA's result codes, grouped as its reference groups them. A code is in the first group whose pattern it matches; one in
 * none was declined.
 */

export const RESULT_GROUPS = [
  /** "Successfully created checkout": the form is there, and nobody has sent it. */
  { group: 'open', pattern: /^000\.200\.100$/ },
  { group: 'success', pattern: /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/ },
  /** Paid, and the gateway's risk check wants a person to look at it. */
  { group: 'review', pattern: /^(000\.400\.0[^3]|000\.400\.100)/ },
  { group: 'pending', pattern: /^000\.200/ },
  /** Waiting for a slow way to pay, or for the risk check: hours or days. */
  { group: 'delayed', pattern: /^(800\.400\.5|100\.400\.500)/ },
  /** The gateway does not know yet itself: ask again. */
  { group: 'uncertain', pattern: /^(900\.[1234]00|000\.400\.030)/ },
  { group: 'chargeback', pattern: /^000\.100\.2/ },
  /** We asked too often: says nothing about the payment. */
  { group: 'throttled', pattern: /^800\.120\.100$/ },
  /** "No payment session found": never known, or forgotten. */
  { group: 'gone', pattern: /^200\.300\.404$/ },
] as const;

export type ResultGroup = (typeof RESULT_GROUPS)[number]['group'] | 'declined';

/** The form of every result code. */
export const RESULT_CODE = /^\d{3}\.\d{3}\.\d{3}$/;

export function resultGroup(code: string): ResultGroup {
  return RESULT_GROUPS.find(({ pattern }) => pattern.test(code))?.group ?? 'declined';
}
