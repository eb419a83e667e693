import { defaultPayloadConverter, RawValue } from '@temporalio/common';
import { encode } from '@temporalio/common/lib/encoding.js';
import type { MessageProof } from '../db/core/message-proof.ts';
import type { CommandId } from '../domain/ids.ts';
import { PROOF_METADATA } from '../domain/messages/signed-answer.ts';
import type { ProviderAnswer } from './contract.ts';

/** A provider's answer as an activity tells it to its run, which reads it with `payloadConverter` of the workflows. */
export type Told<Answer> = Answer | RawValue;

/** Signs answers for the commands for which runs ask. A run of an earlier version names none. */
export function signing(proof: MessageProof) {
  return <Answer>(
    activity: ProviderAnswer['activity'],
    subjectId: string,
    commandId: CommandId | undefined,
    answer: Answer,
  ): Told<Answer> => {
    if (commandId === undefined) return answer;
    const { metadata, data } = defaultPayloadConverter.toPayload(answer);
    const signature = encode(proof.signAnswer({ activity, subjectId, commandId }, answer));
    return RawValue.fromPayload({ metadata: { ...metadata, [PROOF_METADATA]: signature }, data: data ?? null });
  };
}
