import type { SentMessage, SignedAnswer } from '../../domain/messages/signed.ts';
import type { FieldKey } from './field-cipher.ts';
import { KeyedMac } from './keyed-mac.ts';

/** What a run asked a provider about, and the command for which it asked. */
type Question = {
  readonly activity: string;
  readonly subjectId: string;
  readonly commandId: string;
};

/**
 * Proof that a message comes from the API, which has checked a credential or a one-time password, and that a provider's answer comes
 * from a worker. Any client of Temporal can send messages and complete activities, but cannot sign them. The API and the workers share
 * the keys.
 */
export class MessageProof {
  readonly #mac: KeyedMac;
  readonly #answers: KeyedMac;

  constructor(fieldKeys: readonly FieldKey[]) {
    this.#mac = new KeyedMac(fieldKeys, 'escrow workflow messages');
    this.#answers = new KeyedMac(fieldKeys, 'escrow provider answers');
  }

  /** The message with its proof. The proof is valid for this run, type, body and time only. */
  sign(workflowId: string, { type, message }: SentMessage): SentMessage['message'] {
    return { ...message, proof: this.#mac.of([workflowId, type, message]) };
  }

  verifies(workflowId: string, { type, message: { proof, ...message } }: SentMessage): boolean {
    return this.#mac.verifies([workflowId, type, message], proof ?? '');
  }

  /** The proof is valid for this question only. */
  signAnswer({ activity, subjectId, commandId }: Question, answer: unknown): string {
    return this.#answers.of([activity, subjectId, commandId, answer]);
  }

  verifiesAnswer({ activity, subjectId, commandId }: Question, { answer, proof }: SignedAnswer): boolean {
    return this.#answers.verifies([activity, subjectId, commandId, answer], proof);
  }
}
