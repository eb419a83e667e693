import type { Refused } from '../domain/entity.ts';
import type { RefusalCode } from '../domain/errors.ts';
import type { Instant } from '../domain/time.ts';
import type { Wire } from '../domain/wire.ts';

/** What every entity's activities answer its workflow, whatever the entity is. */

/** An event that stands in the database, and the status it led to. */
export type StoredEvent<Event> = { readonly event: Wire<Event>; readonly status: string };

/** What was decided about a command: now, or the first time it came. */
export type Settled<Event> = { readonly kind: 'stored'; readonly stored: StoredEvent<Event> } | Refused;

/** `REFUSED` entries name the signal and the code of its refusal. */
export type TimelineEntry = {
  readonly event: string;
  readonly actor: string;
  readonly at: Instant;
  readonly signal?: string;
  readonly code?: string;
};

/** What a run begins with: the folded state (null where the entity does not exist yet) and the latest entries. */
export type Snapshot<State> = { readonly state: Wire<State> | null; readonly timeline: readonly TimelineEntry[] };

export type ApplyOutcome<State, Event> =
  /** `wake`: ids of workflows whose rows were written along; they are told to read them again. */
  | { readonly kind: 'applied'; readonly wake: readonly string[] }
  /** The command was carried out before; this is what came of it. */
  | { readonly kind: 'repeated'; readonly stored: StoredEvent<Event> }
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string }
  /** Others wrote first: decide again from this. */
  | { readonly kind: 'behind'; readonly snapshot: Snapshot<State> };
