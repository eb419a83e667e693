import type { Logger } from 'pino';
import { createOppwa, type OppwaSettings } from './gateway/oppwa.ts';
import type { CardGateway } from './gateway/port.ts';
import type { Messaging } from './messaging/port.ts';
import { createWhatsapp, type WhatsappSettings } from './messaging/whatsapp.ts';
import { createMobileMoney, type MobileMoneySettings } from './mobile-money/http.ts';
import type { MobileMoney } from './mobile-money/port.ts';
import { ProviderError } from './outcome.ts';
import { createPayoutBank, type PayoutSettings } from './payout/index.ts';
import type { PayoutBank } from './payout/port.ts';

/** Everybody outside that the service talks to. */
export type Providers = {
  readonly gateway: CardGateway;
  readonly messaging: Messaging;
  readonly mobileMoney: MobileMoney;
  readonly payout: PayoutBank;
};

/** Where they are and what we prove ourselves with. One left out is not configured: asking it throws `unreachable`. */
export type ProviderSettings = {
  readonly gateway?: OppwaSettings | undefined;
  readonly messaging?: WhatsappSettings | undefined;
  readonly mobileMoney?: MobileMoneySettings | undefined;
  readonly payout?: PayoutSettings | undefined;
};

export function createProviders(
  { gateway, messaging, mobileMoney, payout }: ProviderSettings,
  log?: Logger,
): Providers {
  return {
    gateway: gateway === undefined ? NO_GATEWAY : createOppwa(gateway, log),
    messaging: messaging === undefined ? NO_MESSAGING : createWhatsapp(messaging, log),
    mobileMoney: mobileMoney === undefined ? NO_MOBILE_MONEY : createMobileMoney(mobileMoney, log),
    payout: payout === undefined ? NO_PAYOUT : createPayoutBank(payout, log),
  };
}

function notConfigured(provider: string) {
  return () => Promise.reject(new ProviderError(provider, 'unreachable', 'is not configured'));
}

const NO_GATEWAY: CardGateway = {
  createCheckout: notConfigured('gateway'),
  checkoutStatus: notConfigured('gateway'),
  checkoutIdOf: () => undefined,
  checkoutIdOfNotification: () => undefined,
};
const NO_MESSAGING: Messaging = {
  sendOneTimePassword: notConfigured('messaging'),
  answerVerification: () => undefined,
  isSigned: () => false,
  readNotification: () => ({ messages: [], statuses: [] }),
};
const NO_MOBILE_MONEY: MobileMoney = {
  charge: notConfigured('mobile-money'),
  status: notConfigured('mobile-money'),
};
const NO_PAYOUT: PayoutBank = {
  send: notConfigured('payout'),
  status: notConfigured('payout'),
};
