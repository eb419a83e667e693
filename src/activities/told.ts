import type { MessageProof } from '../db/core/message-proof.ts';
import type { CommandId } from '../domain/ids.ts';
import type { SignedAnswer } from '../domain/messages/signed-answer.ts';
import type { ProviderAnswer } from './contract.ts';

/** A provider's answer as an activity tells it to its run. */
export type Told<Answer> = Answer | SignedAnswer;

/**
 * Signs answers for the commands for which runs ask. A run of an earlier version names none, and reads the answer alone.
 */
export function signing(proof: MessageProof) {
  return <Answer>(
    activity: ProviderAnswer['activity'],
    subjectId: string,
    commandId: CommandId | undefined,
    answer: Answer,
  ): Told<Answer> =>
    commandId === undefined ? answer : { answer, proof: proof.signAnswer({ activity, subjectId, commandId }, answer) };
}
