import type { Locale } from '../../domain/locale.ts';
import type { OrderMessageKind } from '../../domain/order-messages.ts';

/** The messaging app that sends one-time passwords and receives messages. */

export type IncomingMessage = { readonly messageId: string; readonly from: string; readonly text: string };
export type MessageStatus = { readonly messageId: string; readonly status: string };

/** The values in the message with a code. `amount` is formatted for people: USD 250.00. */
export type PaymentCode = { readonly code: string; readonly merchant: string; readonly amount: string };

/** The values in the message with a code for an act on an order page. All but the code and the locale are formatted for people. */
export type OrderCode = {
  readonly code: string;
  readonly locale: Locale;
  /** An infinitive: open a dispute. */
  readonly act: string;
  readonly order: string;
  readonly amount: string;
  readonly merchant: string;
};

/** The values in the message about a new bank account: who pays, and the bank with the masked number. */
type BankDetailsNotice = { readonly merchant: string; readonly account: string };

/** What a party is told about its order. `detail` is an amount, a date or an act, in words for people; `token` opens the order page. */
export type OrderNews = {
  readonly kind: OrderMessageKind;
  readonly locale: Locale;
  readonly merchant: string;
  readonly order: string;
  readonly detail: string;
  readonly token: string;
};

export interface Messaging {
  /** Sends a one-time password to `to` (E.164) with the approved template. Throws ProviderError. */
  sendOneTimePassword(to: string, message: PaymentCode): Promise<{ readonly messageId: string }>;
  /** Sends a one-time password for an act on an order page to `to` (E.164), with its own template. Throws ProviderError. */
  sendOrderCode(to: string, message: OrderCode): Promise<{ readonly messageId: string }>;
  /** Tells the person at `to` (E.164) that their bank account was changed, with the approved template. Throws ProviderError. */
  sendBankDetailsNotice(to: string, notice: BankDetailsNotice): Promise<{ readonly messageId: string }>;
  /** Tells a party at `to` (E.164) about its order, with the approved template of the kind. Throws ProviderError. */
  sendOrderNews(to: string, news: OrderNews): Promise<{ readonly messageId: string }>;
  /** The challenge in response to a verification request; `undefined` if its token is not ours. */
  answerVerification(query: URLSearchParams): string | undefined;
  /** Whether the platform signed this body. */
  isSigned(body: Uint8Array, signature: string | undefined): boolean;
  /** The content of a notification; empty if nothing in it is known to us. */
  readNotification(body: string): {
    readonly messages: readonly IncomingMessage[];
    readonly statuses: readonly MessageStatus[];
  };
}
