import { randomBytes } from 'node:crypto';

/** The names of providers that lead nowhere: nothing of the outside world exists for an installation on trial. */
const NOWHERE = 'https://provider.invalid';

export function secret(): string {
  return randomBytes(24).toString('base64url');
}

/** A random key with this id, as FIELD_ENCRYPTION_KEYS has it. */
export function fieldKeyText(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

/** What every role of an installation needs besides its addresses: random secrets, and providers that nobody reaches. */
export function installedEnvironment(temporalNamespace: string): Record<string, string> {
  return {
    TEMPORAL_NAMESPACE: temporalNamespace,
    FIELD_ENCRYPTION_KEYS: fieldKeyText('first'),
    JWT_SECRET: randomBytes(48).toString('base64'),
    PLATFORM_ADMIN_EMAIL: 'operations@escrow.invalid',
    PLATFORM_ADMIN_PASSWORD: secret(),
    GATEWAY_HOST: NOWHERE,
    GATEWAY_ENTITY_ID: secret(),
    GATEWAY_ACCESS_TOKEN: secret(),
    GATEWAY_WEBHOOK_KEY: randomBytes(32).toString('hex'),
    WHATSAPP_HOST: NOWHERE,
    WHATSAPP_PHONE_NUMBER_ID: '100000000000',
    WHATSAPP_ACCESS_TOKEN: secret(),
    WHATSAPP_APP_SECRET: secret(),
    WHATSAPP_VERIFY_TOKEN: secret(),
    SMTP_URL: `smtps://escrow:${secret()}@mail.invalid:465`,
    MAIL_FROM: 'no-reply@escrow.invalid',
    MOBILE_MONEY_HOST: NOWHERE,
    MOBILE_MONEY_API_KEY: secret(),
    PAYOUT_ADDRESS: NOWHERE,
    PAYOUT_TOKEN: secret(),
    PAYOUT_DEBTOR_NAME: 'Escrow',
    PAYOUT_DEBTOR_ACCOUNT: '0000000000',
    PAYOUT_DEBTOR_BANK_CODE: '00000',
  };
}
