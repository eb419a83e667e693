import type { PaymentChangeKind } from '../../domain/escrow/escrow.ts';
import type { Currency } from '../../domain/money.ts';

/**
 * A card and EFT gateway with a hosted widget: the service opens a checkout, the buyer pays in the widget, and the service
 * requests the status.
 *
 * The page of the checkout is part of the contract (`cardPage` in api/checkout/pages.ts). It loads the script, and the script
 * finds and fills the form `form.paymentWidgets`. The form's `data-brands` are the cards, its `action` is the address to which
 * the gateway sends the buyer back, and `wpwlOptions.locale` is the language of the page. The gateway adds `resourcePath` to that
 * address, which `checkoutIdOf` reads. Scripts, fonts and requests of the widget must stay at the host of the script; frames and
 * forms may lead to any https address (api/checkout/security.ts). The names are OPPWA's: for a gateway with others, the page has
 * to take them from `Checkout`.
 *
 * Notifications of all gateways arrive at the same address. The configured adapters are asked in the order of the table, and the
 * first answer counts. An adapter therefore returns `undefined` for a body that its gateway did not send.
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
   * Opens a checkout that is valid for `CHECKOUT_LIFETIME_MINUTES`. `merchantReference` is ours: 8 to 16 alphanumerics, unique. The
   * service makes it so, and an adapter may rely on that. If the answer is lost, the checkout stays at the gateway, and nobody is
   * shown it. Throws ProviderError.
   */
  createCheckout(request: {
    readonly merchantReference: string;
    readonly amountCents: bigint;
    readonly currency: Currency;
  }): Promise<Checkout>;
  /**
   * The address of a checkout's script: of the configured host, so that no stored address is shown to a buyer. `undefined`: the
   * gateway is not configured.
   */
  scriptUrlOf(checkoutId: string): string | undefined;
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
  /** The checkout id in a widget's resource path; `undefined` for a path of any other form, or of another gateway. */
  checkoutIdOf(resourcePath: string): string | undefined;
  /**
   * The checkout in a notification, which is decrypted if needed; `undefined` if there is none, or if an unencrypted notification
   * says that the payment is still undecided. Never throws.
   */
  checkoutReportOf(notification: { readonly headers: Headers; readonly body: string }): CheckoutReport | undefined;
  /**
   * The id of the payment that a notification reports a change of; `undefined` if it reports none, or if another gateway sent it.
   * Never throws.
   */
  changedPaymentOf(notification: { readonly headers: Headers; readonly body: string }): string | undefined;
}

export const CHECKOUT_LIFETIME_MINUTES = 30;
