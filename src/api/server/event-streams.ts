import { type Listener, subscribeToNews } from '../../db/core/listener.ts';
import { Refusal } from '../../domain/errors.ts';
import type { CompanyId } from '../../domain/ids.ts';

/** The open streams of events in this process. The notifications of one connection wake all of them. */

export type EventStream = {
  /** Aborts when the client is gone, the process stops, or the stream has reached its age. */
  readonly signal: AbortSignal;
  /** Waits for a notification that no earlier call has reported. False: none came within `timeoutMs`, or the stream ended. */
  readonly isNews: (timeoutMs: number) => Promise<boolean>;
  readonly end: () => void;
};

export type EventStreams = {
  /** Throws `too_many_requests` if the company, or the process, has its maximum of streams. */
  readonly open: (companyId: CompanyId) => EventStream;
  /** Ends all streams, and those that are opened later. */
  readonly endAll: () => Promise<void>;
};

type Limits = { readonly [Name in 'streamsPerCompany' | 'streamsPerProcess' | 'lifetimeMs']: number };

export function createEventStreams(listener: Listener, limits: Limits): EventStreams {
  const counts = new Map<CompanyId, number>();
  let open = 0;
  const stopping = new AbortController();
  return {
    open(companyId) {
      const count = counts.get(companyId) ?? 0;
      if (count >= limits.streamsPerCompany)
        throw new Refusal('too_many_requests', `at most ${limits.streamsPerCompany} streams at a time`, {
          retryAfterSeconds: 60,
        });
      if (open >= limits.streamsPerProcess)
        throw new Refusal('too_many_requests', 'too many streams are open on this server', { retryAfterSeconds: 60 });
      open += 1;
      counts.set(companyId, count + 1);
      const ended = new AbortController();
      const signal = AbortSignal.any([ended.signal, stopping.signal, AbortSignal.timeout(limits.lifetimeMs)]);
      const news = subscribeToNews(listener, companyId, signal);
      return {
        signal,
        isNews: news.isNews,
        end() {
          if (ended.signal.aborted) return;
          ended.abort();
          news.end();
          open -= 1;
          const left = (counts.get(companyId) ?? 1) - 1;
          if (left === 0) counts.delete(companyId);
          else counts.set(companyId, left);
        },
      };
    },
    async endAll() {
      stopping.abort();
      await listener.close();
    },
  };
}
