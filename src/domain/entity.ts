import { Refusal, type RefusalCode, type RefusalDetails } from './errors.ts';
import type { CommandId } from './ids.ts';
import type { Codec } from './messages/codec.ts';
import type { Wire } from './messages/wire.ts';
import type { Instant } from './time.ts';

/** The common types of escrows, payment links and withdrawals: commands, events and decisions. */

export type EntityKind = 'escrow' | 'payment-link' | 'withdrawal';

export type Command<Type extends string, Fields = unknown> = {
  readonly type: Type;
  readonly commandId: CommandId;
} & Readonly<Fields>;

/** An event, which a command produced, with its actor and time. */
export type Happened<Type extends string, Actor extends string, Fields = unknown> = {
  readonly type: Type;
  readonly commandId: CommandId;
  readonly actor: Actor;
  readonly at: Instant;
} & Readonly<Fields>;

/** A row of a table of commands or events with the type of its fields, which exists for the compiler alone. */
export type Typed<Fields> = { readonly fieldsType?: Fields };

export function typed<Fields>(): Typed<Fields> {
  return {};
}

/** The type of the event that the company reads, with a sentence about it; null: an internal step. */
export type PublicFacts = { readonly published: string; readonly means: string } | { readonly published: null };

/** The row of an event with these fields. */
export function happens<Fields>() {
  return <const Facts extends object>(facts: Facts): Facts & Typed<Fields> => facts;
}

/** The fields of a row, or those that a codec reads. */
export type FieldsOf<Row> =
  Row extends Codec<infer Fields> ? Fields : Row extends { readonly fieldsType?: infer Fields } ? Fields : never;

/** The reason for a refusal. `detail` contains no personal data. */
export type Refused = {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  readonly detail: string;
  readonly details?: RefusalDetails | undefined;
};

/** The result of a command that was carried out: its event, and the status after it. */
export type CommandResult<Event, Status extends string = string> = {
  readonly event: Wire<Event>;
  readonly status: Status;
};

/** The decision on a command: new, or from the first time that the command came. */
export type StoredDecision = { readonly kind: 'stored'; readonly stored: CommandResult<unknown> } | Refused;

export function refuse(code: RefusalCode, detail: string, details?: RefusalDetails): Refused {
  return { kind: 'refused', code, detail, details };
}

/** The refusal of a command for another version of the entity than it has; null if the sender named this one, or none. */
export function refuseChanged(noun: string, seq: number | undefined, expectedSeq: number | undefined): Refused | null {
  return expectedSeq === undefined || expectedSeq === seq
    ? null
    : refuse('precondition_failed', `the ${noun} has changed since the version in If-Match`);
}

export function refusalFrom({ code, detail, details }: Refused): Refusal {
  return new Refusal(code, detail, { details });
}
