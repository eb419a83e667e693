import type { Logger } from 'pino';
import { type AdapterChoice, type Adapters, createAdapters, rejectsAsNotConfigured } from './adapter.ts';
import type { CardGateway } from './gateway/port.ts';
import { GATEWAYS, type GatewayName } from './gateway/registry.ts';
import type { MailServer } from './mail/port.ts';
import { createSmtp, type SmtpSettings } from './mail/smtp.ts';
import type { Messaging } from './messaging/port.ts';
import { createWhatsapp, type WhatsappSettings } from './messaging/whatsapp.ts';
import type { MobileMoney } from './mobile-money/port.ts';
import { OPERATORS, type OperatorName } from './mobile-money/registry.ts';
import { createPayoutBank, type PayoutSettings } from './payout/index.ts';
import type { PayoutBank } from './payout/port.ts';

/** All external systems that the service calls. */
export type Providers = {
  readonly gateways: Adapters<GatewayName, CardGateway>;
  readonly operators: Adapters<OperatorName, MobileMoney>;
  readonly messaging: Messaging;
  readonly mail: MailServer;
  readonly payout: PayoutBank;
};

/** Addresses and credentials. A provider without an entry is not configured, and its calls throw `unreachable`. */
export type ProviderSettings = {
  readonly gateways: AdapterChoice<GatewayName>;
  readonly operators: AdapterChoice<OperatorName>;
  readonly messaging?: WhatsappSettings | undefined;
  readonly mail?: SmtpSettings | undefined;
  readonly payout?: PayoutSettings | undefined;
};

export function createProviders(settings: ProviderSettings, log?: Logger): Providers {
  const { gateways, operators, messaging, mail, payout } = settings;
  return {
    gateways: createAdapters(GATEWAYS, gateways, NO_GATEWAY, log),
    operators: createAdapters(OPERATORS, operators, NO_OPERATOR, log),
    messaging: messaging === undefined ? NO_MESSAGING : createWhatsapp(messaging, log),
    mail: mail === undefined ? { send: rejectsAsNotConfigured('mail') } : createSmtp(mail),
    payout: payout === undefined ? NO_PAYOUT : createPayoutBank(payout, log),
  };
}

const NO_GATEWAY: CardGateway = {
  createCheckout: rejectsAsNotConfigured('gateway'),
  checkoutStatus: rejectsAsNotConfigured('gateway'),
  refund: rejectsAsNotConfigured('gateway'),
  paymentChanges: rejectsAsNotConfigured('gateway'),
  scriptUrlOf: () => undefined,
  checkoutIdOf: () => undefined,
  checkoutReportOf: () => undefined,
  changedPaymentOf: () => undefined,
};
const NO_OPERATOR: MobileMoney = {
  charge: rejectsAsNotConfigured('mobile-money'),
  status: rejectsAsNotConfigured('mobile-money'),
  reverse: rejectsAsNotConfigured('mobile-money'),
};
const NO_MESSAGING: Messaging = {
  sendOneTimePassword: rejectsAsNotConfigured('messaging'),
  sendOrderCode: rejectsAsNotConfigured('messaging'),
  sendBankDetailsNotice: rejectsAsNotConfigured('messaging'),
  sendOrderNews: rejectsAsNotConfigured('messaging'),
  answerVerification: () => undefined,
  isSigned: () => false,
  readNotification: () => ({ messages: [], statuses: [] }),
};
const NO_PAYOUT: PayoutBank = {
  send: rejectsAsNotConfigured('payout'),
  status: rejectsAsNotConfigured('payout'),
};
