/** The answer of a provider, with the proof that a worker got it. */
export type SignedAnswer = { readonly answer: unknown; readonly proof: string };

/** The answer in the result of an activity. Any client of Temporal can complete an activity with any result. */
export function readSignedAnswer(result: unknown): SignedAnswer {
  if (typeof result !== 'object' || result === null || !('proof' in result)) return { answer: result, proof: '' };
  const { answer, proof }: { readonly answer?: unknown; readonly proof: unknown } = result;
  return { answer, proof: typeof proof === 'string' ? proof : '' };
}
