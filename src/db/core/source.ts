import { AsyncLocalStorage } from 'node:async_hooks';
import type { Source } from '../../domain/source.ts';
import { currentRequestId } from '../../observability/tracing/request.ts';

/** The source of the current work. Rows that record an act have it (`act_source()` in 010-tenancy.sql). */

const sources = new AsyncLocalStorage<Source>();

/** Runs `work`, and everything that it awaits, as an act from this source. */
export function fromSource<T>(source: Source, work: () => T): T {
  return sources.run(source, work);
}

export function currentSource(): Source {
  return sources.getStore() ?? 'SYSTEM';
}

/** What caused a change: work that a batch carries out for a request keeps both. */
export type Origin = { readonly requestId: string | undefined; readonly source: Source };

export function currentOrigin(): Origin {
  return { requestId: currentRequestId(), source: currentSource() };
}
