import { AsyncLocalStorage } from 'node:async_hooks';

const CANCELLATION = new AsyncLocalStorage<AbortSignal>();

/**
 * Runs `work`; requests to providers within it end when `signal` is aborted. An interrupted request fails as one without an answer
 * does, and is not repeated.
 */
export function withCancellation<T>(signal: AbortSignal, work: () => T): T {
  return CANCELLATION.run(signal, work);
}

/** The signal of the work that the caller is part of; `undefined` if there is none. */
export function cancellationSignal(): AbortSignal | undefined {
  return CANCELLATION.getStore();
}
