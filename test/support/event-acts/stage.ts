import type { EventObject, EventType } from '../../../src/domain/events/event-types.ts';
import {
  type Answer,
  done,
  requestIdOf,
  type TestCompany,
  type TestService,
  untilAnswered,
  type WithTemporal,
} from '../service.ts';

/** Where acts take place: a service, and a company whose clock nobody moves. */
export type Stage = { readonly service: TestService & WithTemporal; readonly company: TestCompany };

/** What an act caused: one event of its type, about this object. */
export type Caused = {
  readonly company: TestCompany;
  readonly objectId: string;
  /** The part of `data` that shows what happened. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The request that caused it; null if time, a provider or an operator did. Undefined: `NOTIFIED`. */
  readonly requestId: string | null | undefined;
};

/**
 * A provider's news: either its notification caused the event, or the service asked without it. The provider sends its
 * notification with an id that the test does not know.
 */
export const NOTIFIED = undefined;

export type Act = () => Promise<Caused>;

/** The types of events about objects of this kind. */
export type TypeAbout<Kind extends EventObject> = Extract<EventType, `${Kind}.${string}`>;

/** Several acts may be parts of one story: it runs once, when the first of them is asked for. */
export function once<T>(story: () => Promise<T>): () => Promise<T> {
  let told: Promise<T> | undefined;
  return () => {
    told ??= story();
    return told;
  };
}

/** Waits for a success, and returns the id of its request. */
export async function requestOf(answering: Promise<Answer>): Promise<string> {
  return requestIdOf(await done(answering));
}

/** A request of the platform's administrators about the company. Repeats what is answered 503 under the same request id. */
export function byPlatform({ service, company }: Stage, path: string, body: unknown): Promise<Answer> {
  const credentials = { 'x-api-key': service.platform.apiKey, 'x-company-id': company.id };
  return untilAnswered((key) =>
    service.request('POST', path, {
      headers: { ...credentials, 'x-idempotency-key': key, 'x-request-id': key },
      body,
    }),
  );
}
