import { DefaultPayloadConverter, type Payload } from '@temporalio/common';

/**
 * Converts unreadable payloads to `undefined`. The default converter throws, and if it throws on a signal, the run is blocked:
 * the signal is in its history and is read again at every retry. With this converter, such a signal is treated as malformed.
 */
class ForgivingPayloadConverter extends DefaultPayloadConverter {
  override fromPayload<T>(payload: Payload): T {
    try {
      return super.fromPayload<T>(payload);
    } catch {
      return undefined as T; // readers of a message validate it
    }
  }
}

export const payloadConverter = new ForgivingPayloadConverter();
