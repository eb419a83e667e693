/**
 * The possible results of a call to a provider. A refusal is the provider's answer. Two failures are distinct:
 * `unreachable` means that nothing was done, and `unknown` means that the request may have been carried out, so check before a retry.
 */

/** Thrown if a provider did not answer, or if its answer cannot be interpreted. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly provider: string;
  /** `unreachable`: the request had no effect. `unknown`: it may have had one. */
  readonly outcome: 'unreachable' | 'unknown';

  constructor(provider: string, outcome: 'unreachable' | 'unknown', message: string, options?: ErrorOptions) {
    super(`${provider}: ${message}`, options);
    this.provider = provider;
    this.outcome = outcome;
  }
}
