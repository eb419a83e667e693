import { type CommandId, isUuid } from '../ids.ts';
import { HOUR_MS, type Instant } from '../time.ts';
import { instant } from './codec.ts';

/** What a run hears: messages, and answers of providers, each with the proof of its origin. */

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

/** The answer of a provider, with the proof that a worker got it. */
export type SignedAnswer = { readonly answer: unknown; readonly proof: string };

/**
 * The metadata of a payload that holds the proof. The payload's data is the answer alone, as release 1.0.0-rc.1 writes and reads it:
 * its workers may run beside newer ones, and continue their runs.
 */
export const PROOF_METADATA = 'provider-answer-proof';

/** The answer in the result of an activity. Any client of Temporal can complete an activity with any result. */
export function readSignedAnswer(result: unknown): SignedAnswer {
  if (typeof result !== 'object' || result === null || !('proof' in result)) return { answer: result, proof: '' };
  const { answer, proof }: { readonly answer?: unknown; readonly proof: unknown } = result;
  return { answer, proof: typeof proof === 'string' ? proof : '' };
}
