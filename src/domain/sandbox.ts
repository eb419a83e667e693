/**
 * Values that the sandbox's providers answer in a fixed way, unless a tester sets another answer. Production has no sandbox, and
 * there they mean nothing. The description of the API and docs/guides/sandbox.md list them.
 */

/** What mobile-money prompts to these numbers do. Prompts to all other numbers are approved. */
const SANDBOX_PHONES = {
  '+263770000001': 'decline',
  '+263770000002': 'silent',
} as const;

/** The fixed answer to a prompt to this number, in E.164; undefined for other numbers. */
export function sandboxPrompt(phone: string): 'decline' | 'silent' | undefined {
  return Object.entries(SANDBOX_PHONES).find(([number]) => number === phone)?.[1];
}

/** The beginnings of references, and what the bank does with these payments. It pays all others after a second. */
const SANDBOX_REFERENCES = {
  'sandbox-rejected': 'rejected',
  'sandbox-returned': 'returned',
  'sandbox-manual': 'manual',
} as const;

/** The fixed answer for a payment with this reference; undefined for other references. */
export function sandboxPayout(reference: string): 'rejected' | 'returned' | 'manual' | undefined {
  return Object.entries(SANDBOX_REFERENCES).find(([start]) => reference.startsWith(start))?.[1];
}
