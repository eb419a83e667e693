import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Refused } from '../../domain/entity.ts';
import type { SentMessage } from '../../domain/sent-message.ts';
import type { FieldKey } from './field-cipher.ts';

/**
 * Proof that a message comes from the API, which has checked a credential or a one-time password. Any client of Temporal can
 * send messages, but cannot sign them. The keys are derived from FIELD_ENCRYPTION_KEYS, which the API and the workers share;
 * the first key signs, all of them verify.
 */
export class MessageProof {
  readonly #keys: readonly { readonly id: string; readonly key: Buffer }[];

  constructor(fieldKeys: readonly FieldKey[]) {
    this.#keys = fieldKeys.map(({ id, key }) => ({
      id,
      key: Buffer.from(hkdfSync('sha256', key, '', 'escrow workflow messages', 32)),
    }));
  }

  /** The message with its proof. The proof is valid for this run, type, body and time only. */
  sign(workflowId: string, { type, message }: SentMessage): SentMessage['message'] {
    const [current] = this.#keys;
    if (current === undefined) throw new Error('there is no key to sign messages with');
    return {
      ...message,
      proof: `${current.id}.${macOf(current.key, workflowId, type, message).toString('base64url')}`,
    };
  }

  verifies(workflowId: string, { type, message: { proof, ...message } }: SentMessage): boolean {
    const [id, text = ''] = (proof ?? '').split('.');
    const known = this.#keys.find((key) => key.id === id);
    if (known === undefined) return false;
    const given = Buffer.from(text, 'base64url');
    const expected = macOf(known.key, workflowId, type, message);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

function macOf(key: Buffer, workflowId: string, type: string, message: object): Buffer {
  return createHmac('sha256', key)
    .update(canonical([workflowId, type, message]))
    .digest();
}

/** JSON with sorted keys and without undefined values: the same text before and after transport. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export const UNPROVEN: Refused = {
  kind: 'refused',
  code: 'forbidden',
  detail: 'only the API sends this command, and the message does not prove that it did',
};

/** Whether the event follows from a message that the API signed for this run. */
export function isProven(
  proof: MessageProof,
  workflowId: string,
  { event, sent }: { readonly event: { readonly commandId: string }; readonly sent: SentMessage | null },
): boolean {
  return sent !== null && sent.message.commandId === event.commandId && proof.verifies(workflowId, sent);
}
