import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the request that caused the current work, in the API and in the worker. Every log line and span has it. */

const requestIds = new AsyncLocalStorage<string | undefined>();

/** Runs `work`, and everything that it awaits, with this request id, or without one. */
export function forRequest<T>(requestId: string | undefined, work: () => T): T {
  return requestIds.run(requestId, work);
}

export function currentRequestId(): string | undefined {
  return requestIds.getStore();
}
