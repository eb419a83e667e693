import { AsyncLocalStorage } from 'node:async_hooks';

/** The one id of the request that work is done for, in the API and in the worker: in every log line and on every span. */

const requestIds = new AsyncLocalStorage<string | undefined>();

/** Runs `work`, and all that it awaits, for the request; for none where there is none. */
export function forRequest<T>(requestId: string | undefined, work: () => T): T {
  return requestIds.run(requestId, work);
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
