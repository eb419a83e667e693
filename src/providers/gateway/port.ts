import type { Currency } from '../../domain/money.ts';

/** A card and EFT gateway with a hosted widget: we open a checkout, the buyer pays in the widget, we ask for its status. */

export type Checkout = {
  /** The gateway's id of the checkout. */
  readonly checkoutId: string;
  /** What the buyer's browser loads, and the hash it must match. */
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
  /** Money is at work: ask again later. */
  | { readonly kind: 'pending'; readonly resultCode: string }
  /** Nobody has paid yet; the form is still open. */
  | { readonly kind: 'open' }
  | { readonly kind: 'declined'; readonly resultCode: string }
  /** The gateway does not know the checkout, or has forgotten it. */
  | { readonly kind: 'gone' };

export interface CardGateway {
  /**
   * Opens a checkout that lives `CHECKOUT_LIFETIME_MINUTES`. `merchantReference` is ours, 8 to 16 alphanumerics, unique.
   * Throws ProviderError.
   */
  createCheckout(request: {
    readonly merchantReference: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
  }): Promise<Checkout>;
  /** What became of a checkout, by the gateway's id. Throws ProviderError. */
  checkoutStatus(checkoutId: string): Promise<CheckoutStatus>;
  /**
   * Sends the money of a payment back, all of it. `isRepetition`: it was asked before and the answer was lost, so a refusal because the
   * payment is refunded already counts as `refunded`. Throws ProviderError.
   */
  refund(request: {
    readonly paymentId: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
    readonly isRepetition: boolean;
  }): Promise<'refunded' | 'refused'>;
  /** The checkout id in a widget's resource path; `undefined` for any path that is not exactly of that form. */
  checkoutIdOf(resourcePath: string): string | undefined;
  /** The checkout id that a notification speaks of, decrypted where needed; `undefined` where there is none. Never throws. */
  checkoutIdOfNotification(notification: { readonly headers: Headers; readonly body: string }): string | undefined;
}

export const CHECKOUT_LIFETIME_MINUTES = 30;
