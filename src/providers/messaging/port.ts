/** The messaging app over which one-time passwords go out and messages come in. */

export type IncomingMessage = { readonly messageId: string; readonly from: string; readonly text: string };
export type DeliveryStatus = { readonly messageId: string; readonly status: string };

/** What the message with a code says. `amount` is for people: USD 250.00. */
export type PaymentCode = { readonly code: string; readonly merchant: string; readonly amount: string };

export interface Messaging {
  /** Sends a one-time password to `to` (E.164), by the approved template. Throws ProviderError. */
  sendOneTimePassword(to: string, message: PaymentCode): Promise<{ readonly messageId: string }>;
  /** The challenge to answer a verification request with; `undefined` where its token is not ours. */
  answerVerification(query: URLSearchParams): string | undefined;
  /** Whether the platform signed this body. */
  isSigned(body: Uint8Array, signature: string | undefined): boolean;
  /** What a notification holds; empty where it holds nothing we know. */
  readNotification(body: string): {
    readonly messages: readonly IncomingMessage[];
    readonly statuses: readonly DeliveryStatus[];
  };
}
