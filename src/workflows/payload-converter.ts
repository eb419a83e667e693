import { DefaultPayloadConverter, type Payload } from '@temporalio/common';

/**
 * Reads what cannot be read as `undefined`. The default converter throws, and where it throws on a signal the run never moves
 * again: the signal is in its history, to be read anew at every try. As it is, such a signal is malformed like any other.
 */
class ForgivingPayloadConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload): T {
    try {
      return super.fromPayload<T>(payload);
    } catch {
      return undefined as T; // whoever reads a message checks what it got
    }
  }
}

export const payloadConverter = new ForgivingPayloadConverter();
