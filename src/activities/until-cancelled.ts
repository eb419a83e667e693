import { asyncLocalStorage } from '@temporalio/activity';
import { withCancellation } from '../providers/http.ts';

/**
 * Requests to providers end with their activity: at its timeout, at a cancellation, and when the worker stops. Without this, a
 * slow provider would delay the worker's shutdown, and a request could still run while its retry runs.
 */
export function untilCancelled<T>(work: () => Promise<T>): Promise<T> {
  const context = asyncLocalStorage.getStore();
  return context === undefined ? work() : withCancellation(context.cancellationSignal, work);
}
