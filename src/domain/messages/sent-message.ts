import { type CommandId, isUuid } from '../ids.ts';
import { HOUR_MS, type Instant } from '../time.ts';
import { instant } from './codec.ts';

/** A message to a run, with the proof of its origin. */
export type SentMessage = {
  readonly type: string;
  readonly message: {
    readonly commandId: CommandId;
    readonly sentAt?: Instant;
    readonly proof?: string;
    /** The entity's `seq` that the sender knows. The command is refused if it has another. */
    readonly expectedSeq?: number;
  } & Readonly<Record<string, unknown>>;
};

/** The maximum age of a message. An older message was held back, or sent again by a reset, and is not carried out. */
export const MESSAGE_LIFETIME_HOURS = 24;
const MAX_MESSAGE_CHARACTERS = 65_536;

/**
 * The message, if its envelope is valid; undefined otherwise. A signal may omit `commandId`: then `newCommandId` generates it.
 */
export function readEnvelope(
  type: string,
  raw: unknown,
  newCommandId?: (content: string) => CommandId,
): SentMessage | undefined {
  if (raw === undefined && newCommandId !== undefined) return readEnvelope(type, {}, newCommandId);
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return undefined;
  const content = textOf(raw);
  if (content === undefined || content.length > MAX_MESSAGE_CHARACTERS) return undefined;
  const { commandId = newCommandId?.(content), sentAt, proof, expectedSeq }: Record<string, unknown> = { ...raw };
  if (typeof commandId !== 'string' || !isUuid(commandId)) return undefined;
  if (sentAt !== undefined && instant.parse(sentAt) === undefined) return undefined;
  if (proof !== undefined && typeof proof !== 'string') return undefined;
  if (expectedSeq !== undefined && !(typeof expectedSeq === 'number' && Number.isInteger(expectedSeq)))
    return undefined;
  return { type, message: { ...raw, commandId: commandId.toLowerCase() as CommandId } }; // checked
}

/** The JSON of a message; undefined if it is nested too deeply, which a sender can do and `JSON.parse` accepts. */
function textOf(raw: object): string | undefined {
  try {
    return JSON.stringify(raw);
  } catch {
    return undefined;
  }
}

/** Whether the message is too old to be carried out at `now`. A message without a sending time is not. */
export function isMessageExpired({ message }: SentMessage, nowMs: number): boolean {
  const { sentAt } = message;
  return sentAt !== undefined && nowMs - Date.parse(sentAt) > MESSAGE_LIFETIME_HOURS * HOUR_MS;
}
