/**
 * What can come of asking somebody outside. The three bad ends are never confused: `declined` is the provider's own word,
 * `unreachable` means that nothing was done, and `unknown` that it may have been: ask again before doing it again.
 */

/** Thrown where a provider did not answer, or not in a way we understand. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  /** `unreachable`: the request never arrived. `unknown`: it may have taken effect. */
  readonly outcome: 'unreachable' | 'unknown';

  constructor(provider: string, outcome: 'unreachable' | 'unknown', message: string, options?: ErrorOptions) {
    super(`${provider}: ${message}`, options);
    this.provider = provider;
    this.outcome = outcome;
  }
}
