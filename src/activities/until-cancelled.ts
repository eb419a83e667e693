import { asyncLocalStorage } from '@temporalio/activity';
import { withCancellation } from '../providers/cancellation.ts';

/**
 * Requests to providers end with their activity: at its timeout, at a cancellation, and when the worker stops. Otherwise a slow
 * provider would keep a stopping worker, and a request could go on beside its successor.
 */
export function untilCancelled<T>(work: () => Promise<T>): Promise<T> {
  const context = asyncLocalStorage.getStore();
  return context === undefined ? work() : withCancellation(context.cancellationSignal, work);
}
