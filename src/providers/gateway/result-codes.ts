/**
 * OPPWA's result codes, grouped as in its reference. A code belongs to the first group whose pattern matches; a code without a
 * group means declined.
 */

const RESULT_GROUPS = [
  /** "Successfully created checkout": the form is open and has not been submitted. */
  { group: 'open', pattern: /^000\.200\.100$/ },
  { group: 'success', pattern: /^(000\.000\.|000\.100\.1|000\.[36]|000\.400\.[1][12]0)/ },
  /** Paid, but the gateway's risk check asks for a manual review. */
  { group: 'review', pattern: /^(000\.400\.0[^3]|000\.400\.100)/ },
  { group: 'pending', pattern: /^000\.200/ },
  /** Pending because of a slow payment method or the risk check: hours or days. */
  { group: 'delayed', pattern: /^(800\.400\.5|100\.400\.500)/ },
  /** The gateway does not know the result yet: check again. */
  { group: 'uncertain', pattern: /^(900\.[1234]00|000\.400\.030)/ },
  { group: 'chargeback', pattern: /^000\.100\.2/ },
  /** Too many requests: says nothing about the payment. */
  { group: 'throttled', pattern: /^800\.120\.100$/ },
  /** "No payment session found": the checkout is unknown, or expired. */
  { group: 'gone', pattern: /^200\.300\.404$/ },
] as const;

export type ResultGroup = (typeof RESULT_GROUPS)[number]['group'] | 'declined';

/** The form of all result codes. */
export const RESULT_CODE = /^\d{3}\.\d{3}\.\d{3}$/;

export function resultGroup(code: string): ResultGroup {
  return RESULT_GROUPS.find(({ pattern }) => pattern.test(code))?.group ?? 'declined';
}
