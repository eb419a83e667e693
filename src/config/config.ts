import { isIP } from 'node:net';
import { type AdapterNames, type ConfiguredAdapters, DEFAULT_ADAPTERS, readAdapters } from './adapters.ts';
import { type Complaint, type Environment, given, parseEnvironment, type Variable } from './environment.ts';
import { complaintsAbout, type REQUIRED } from './requirements.ts';
import type { ProcessRole } from './role.ts';
import { ConfigError } from './startup-error.ts';

/**
 * The configuration of a role, read from the environment, which main.ts passes in. Besides it, only OpenTelemetry's SDK and the
 * embedded stack of the role `all` read the environment.
 */

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<Camel<Tail>>}`
  : Lowercase<S>;
type Present<V extends Variable> = { readonly [K in V as Camel<K>]: NonNullable<Environment[K]> };
export type Settings = { readonly [K in Variable as Camel<K>]: Environment[K] };

/** The settings of one role, with those that it requires. */
export type Config<R extends ProcessRole = ProcessRole> = Settings &
  Present<'BASE_URL' | 'CHECKOUT_URL' | 'PERSONAL_DATA_RETENTION_DAYS' | (typeof REQUIRED)[R][number]> & {
    readonly role: R;
    readonly adapters: ConfiguredAdapters;
  };

/** Five years: what laws against money laundering commonly ask for. */
const RETENTION_DAYS = 1_826;

/** @throws ConfigError that names every wrong variable */
export function loadConfig<R extends ProcessRole>(env: NodeJS.ProcessEnv, role: R): Config<R> {
  const isProduction = given(env, 'ESCROW_ENVIRONMENT') === 'production';
  if (role === 'all' && isProduction) {
    throw new ConfigError(
      'ESCROW_ENVIRONMENT is production, and the role "all" is for development: it starts its own database and sandbox ' +
        'providers. In production run the roles migrate, api and worker.',
    );
  }
  const { environment, complaints: malformed } = parseEnvironment(env);
  const names: AdapterNames = {
    gateway: environment?.GATEWAY ?? DEFAULT_ADAPTERS.gateway,
    mobileMoney: environment?.MOBILE_MONEY ?? DEFAULT_ADAPTERS.mobileMoney,
  };
  const complaints = [...malformed, ...complaintsAbout(env, role, names)];
  if (environment === undefined || complaints.length > 0) throw new ConfigError(describe(complaints, role));

  const settings = Object.fromEntries(Object.entries(environment).map(([variable, value]) => [camel(variable), value]));
  const baseUrl = environment.BASE_URL ?? `http://${hostInUrl(environment.HOST)}:${environment.PORT}`;
  return {
    ...settings,
    personalDataRetentionDays: environment.PERSONAL_DATA_RETENTION_DAYS ?? (isProduction ? RETENTION_DAYS : 0),
    companyRegistration: environment.COMPANY_REGISTRATION ?? (isProduction ? 'closed' : 'open'),
    baseUrl,
    checkoutUrl: environment.CHECKOUT_URL ?? `${baseUrl}/checkout`,
    role,
    adapters: readAdapters((variable) => given(env, variable), names),
  } as unknown as Config<R>; // `camel` makes the names as `Camel` does, and `complaintsAbout` checked what the role requires
}

/** Whether a payout needs cash that was received for the company: by default in production only. */
export function mustPayoutsBeBacked(config: Pick<Settings, 'payoutBacking' | 'escrowEnvironment'>): boolean {
  return (config.payoutBacking ?? (config.escrowEnvironment === 'production' ? 'required' : 'off')) !== 'off';
}

/** How long new bank details, and payments to new destinations, wait. */
export function bankDetailsCoolingHours(
  config: Pick<Settings, 'bankDetailsCoolingHours' | 'escrowEnvironment'>,
): number {
  return config.bankDetailsCoolingHours ?? (config.escrowEnvironment === 'production' ? 24 : 0);
}

/** Whether only the platform may record bank receipts. Otherwise a company could record the cash that backs its own payouts. */
export function mayOnlyPlatformCapture({ payoutBacking }: Pick<Settings, 'payoutBacking'>): boolean {
  return payoutBacking === 'platform';
}

function describe(complaints: readonly Complaint[], role: ProcessRole): string {
  const lines = complaints.map(({ variable, problem }) => `  ${variable} ${problem}.`);
  return [`The role "${role}" cannot start with this environment:`, ...lines, 'See .env.example.'].join('\n');
}

function camel(variable: string): string {
  return variable.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return isIP(host) === 6 ? `[${host}]` : host;
}
