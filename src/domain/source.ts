/**
 * Where an act came from. It follows from how a request or message came, never from what a client states.
 *
 * `TEMPORAL`: a signal or update that was sent past the API. `TIMER`: a deadline. `PROVIDER`: what a gateway, operator or bank
 * said, in a callback or when it was asked. `SYSTEM`: the service itself.
 */
export const SOURCES = ['API', 'CONSOLE', 'CHECKOUT', 'ORDER_PAGE', 'TEMPORAL', 'TIMER', 'PROVIDER', 'SYSTEM'] as const;
export type Source = (typeof SOURCES)[number];

export function isSource(value: unknown): value is Source {
  return SOURCES.some((source) => source === value);
}
