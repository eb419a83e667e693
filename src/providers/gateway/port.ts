import type { PaymentChangeKind } from '../../domain/escrow/escrow.ts';
import type { Currency } from '../../domain/money.ts';

/**
 * A card and EFT gateway with a hosted widget: the service opens a checkout, the buyer pays in the widget, and the service
 * requests the status.
 */

export type Checkout = {
  /** The gateway's id of the checkout. */
  readonly checkoutId: string;
  /** The script that the buyer's browser loads, and its integrity hash. */
  readonly scriptUrl: string;
  readonly integrity: string;
};

export type CheckoutStatus =
  | {
      readonly kind: 'succeeded';
      /** The gateway's id of the payment. */
      readonly paymentId: string;
      readonly amountCents: bigint;
      readonly currency: Currency;
      readonly merchantReference: string;
    }
  /** The payment is in progress: check again later. */
  | { readonly kind: 'pending'; readonly resultCode: string }
  /** Not paid yet; the form is still open. */
  | { readonly kind: 'open' }
  | { readonly kind: 'declined'; readonly resultCode: string }
  /** The gateway does not know the checkout, or no longer knows it. */
  | { readonly kind: 'gone' };

/**
 * What a notification reports about a checkout. `success` and `pending` only if the notification is encrypted, so that nobody but
 * the gateway can have sent it. `other`: any other result, or no proof that the gateway sent it.
 */
export type CheckoutReport = { readonly checkoutId: string; readonly report: 'success' | 'pending' | 'other' };

/** A transaction that the gateway links to a payment. */
export type ReportedChange = {
  /** The gateway's id of the change. */
  readonly changeId: string;
  readonly change: PaymentChangeKind;
  readonly amountCents: bigint;
  readonly currency: Currency;
};

export interface CardGateway {
  /**
   * Opens a checkout that is valid for `CHECKOUT_LIFETIME_MINUTES`. `merchantReference` is ours: 8 to 16 alphanumerics, unique.
   * Throws ProviderError.
   */
  createCheckout(request: {
    readonly merchantReference: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
  }): Promise<Checkout>;
  /** The status of a checkout, by the gateway's id. Throws ProviderError. */
  checkoutStatus(checkoutId: string): Promise<CheckoutStatus>;
  /**
   * Refunds a payment in full. `isRepetition`: an earlier request's response was lost, so a refusal because the payment is
   * already refunded counts as `refunded`. Throws ProviderError.
   */
  refund(request: {
    readonly paymentId: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
    readonly isRepetition: boolean;
  }): Promise<'refunded' | 'refused'>;
  /**
   * The chargebacks, refunds and reversed chargebacks of a payment, oldest first. Changes that did not succeed are left out.
   * Throws ProviderError.
   */
  paymentChanges(paymentId: string): Promise<readonly ReportedChange[]>;
  /** The checkout id in a widget's resource path; `undefined` for a path of any other form. */
  checkoutIdOf(resourcePath: string): string | undefined;
  /**
   * The checkout in a notification, which is decrypted if needed; `undefined` if there is none, or if an unencrypted notification
   * says that the payment is still undecided. Never throws.
   */
  checkoutReportOf(notification: { readonly headers: Headers; readonly body: string }): CheckoutReport | undefined;
  /** The id of the payment that a notification reports a change of; `undefined` if it reports none. Never throws. */
  changedPaymentOf(notification: { readonly headers: Headers; readonly body: string }): string | undefined;
}

export const CHECKOUT_LIFETIME_MINUTES = 30;
