import type { RefusalCode } from './errors.ts';
import type { CommandId } from './ids.ts';
import type { Instant } from './time.ts';

/** What escrows, payment links and withdrawals share: the shape of a command, of an event, and of a refusal. */

export type Command<Type extends string, Fields = unknown> = {
  readonly type: Type;
  readonly commandId: CommandId;
} & Readonly<Fields>;

/** An event: what a command led to, by whom and when. */
export type Happened<Type extends string, Actor extends string, Fields = unknown> = {
  readonly type: Type;
  readonly commandId: CommandId;
  readonly actor: Actor;
  readonly at: Instant;
} & Readonly<Fields>;

/** Why a command leads to no event. `detail` holds no personal data. */
export type Refused = { readonly kind: 'refused'; readonly code: RefusalCode; readonly detail: string };

export function refuse(code: RefusalCode, detail: string): Refused {
  return { kind: 'refused', code, detail };
}
