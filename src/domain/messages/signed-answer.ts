/** The answer of a provider, with the proof that a worker got it. */
export type SignedAnswer = { readonly answer: unknown; readonly proof: string };

/**
 * The metadata of a payload that holds the proof. The payload's data is the answer alone, as release 1.0.0-rc.1 writes and reads it:
 * its workers may run beside newer ones, and continue their runs.
 */
export const PROOF_METADATA = 'provider-answer-proof';

/** The answer in the result of an activity. Any client of Temporal can complete an activity with any result. */
export function readSignedAnswer(result: unknown): SignedAnswer {
  if (typeof result !== 'object' || result === null || !('proof' in result)) return { answer: result, proof: '' };
  const { answer, proof }: { readonly answer?: unknown; readonly proof: unknown } = result;
  return { answer, proof: typeof proof === 'string' ? proof : '' };
}
