import { createApi } from '../../src/api/app.ts';
import type { ApiDependencies } from '../../src/api/context.ts';
import { RATE_LIMITS } from '../../src/api/limits.ts';
import { documentOf } from '../../src/api/openapi/docs.ts';
import { VERSION } from '../../src/config/version.ts';

/** The description of the API, without a service: operations are registered and never called. */
export function apiDocument(): ReturnType<typeof documentOf> {
  const baseUrl = 'https://escrow.example';
  const settings: ApiDependencies['settings'] = {
    version: VERSION,
    baseUrl,
    checkoutUrl: `${baseUrl}/checkout`,
    isProduction: false,
    isMessagingSandboxed: true,
    mustPayoutsBeBacked: false,
    bankDetailsCoolingHours: 0,
    bankCharacterSet: 'swift',
    mayOnlyPlatformCapture: false,
    isRegistrationOpen: true,
    personalDataRetentionDays: 0,
    console: null,
    defaultPhoneRegion: 'ZW',
    corsAllowedOrigins: [],
    trustedProxies: [],
    rateLimits: RATE_LIMITS,
  };
  const unused = { settings, providers: {} };
  return documentOf(createApi(unused as unknown as ApiDependencies), VERSION, baseUrl); // no request reaches the others
}
