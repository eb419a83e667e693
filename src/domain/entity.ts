import { Refusal, type RefusalCode, type RefusalDetails } from './errors.ts';
import type { CommandId } from './ids.ts';
import type { Instant } from './time.ts';

/** The common types of escrows, payment links and withdrawals: commands, events and refusals. */

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

/** The reason for a refusal. `detail` contains no personal data. */
export type Refused = {
  readonly kind: 'refused';
  readonly code: RefusalCode;
  readonly detail: string;
  readonly details?: RefusalDetails | undefined;
};

export function refuse(code: RefusalCode, detail: string, details?: RefusalDetails): Refused {
  return { kind: 'refused', code, detail, details };
}

export function refusalFrom({ code, detail, details }: Refused): Refusal {
  return new Refusal(code, detail, { details });
}
