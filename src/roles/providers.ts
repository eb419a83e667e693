import type { Config } from '../config/config.ts';
import type { ProviderSettings } from '../providers/index.ts';

/** The configured providers. The configuration has all settings of a provider or none. */
export function providerSettings(config: Config<'api'> | Config<'worker'>): ProviderSettings {
  const { whatsappPhoneNumberId, whatsappAccessToken, whatsappAppSecret, whatsappVerifyToken } = config;
  const { payoutAddress: address, payoutToken: token } = config;
  const debtor = whole({
    name: config.payoutDebtorName,
    accountNumber: config.payoutDebtorAccount,
    bankCode: config.payoutDebtorBankCode,
  });
  return {
    ...config.adapters,
    messaging: whole({
      host: config.whatsappHost,
      apiVersion: config.whatsappApiVersion,
      phoneNumberId: whatsappPhoneNumberId,
      accessToken: whatsappAccessToken,
      appSecret: whatsappAppSecret,
      verifyToken: whatsappVerifyToken,
      template: { name: config.whatsappOtpTemplate, language: config.whatsappOtpLanguage },
    }),
    payout: address === undefined || debtor === undefined ? undefined : { address, token, debtor },
  };
}

type Whole<T> = { readonly [Key in keyof T]: NonNullable<T[Key]> };

/** The settings if none is missing. */
function whole<T extends object>(settings: T): Whole<T> | undefined {
  const isWhole = Object.values(settings).every((value) => value !== undefined);
  return isWhole ? (settings as Whole<T>) : undefined; // just checked
}
