import { DefaultPayloadConverter, type Payload } from '@temporalio/common';
import { decode } from '@temporalio/common/lib/encoding.js';
import { PROOF_METADATA, type SignedAnswer } from '../domain/messages/signed.ts';

/**
 * Converts unreadable payloads to `undefined`. The default converter throws, and if it throws on a signal, the run is blocked:
 * the signal is in its history and is read again at every retry. With this converter, such a signal is treated as malformed.
 * A payload with a proof becomes a signed answer.
 */
class ForgivingPayloadConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload): T {
    try {
      const value = super.fromPayload<T>(payload);
      const proof = payload.metadata?.[PROOF_METADATA];
      if (proof == null) return value;
      const signed: SignedAnswer = { answer: value, proof: decode(proof) };
      return signed as T; // readers of a message validate it
    } catch {
      return undefined as T; // readers of a message validate it
    }
  }
}

export const payloadConverter = new ForgivingPayloadConverter();
