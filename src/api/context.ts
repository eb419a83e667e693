import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import type { Depositor } from '../db/payments/deposits.ts';
import type { RequestStore } from '../db/requests/request-store.ts';
import type { AdministratorId, ApiKeyId, CompanyId, EscrowId } from '../domain/ids.ts';
import type { PhoneRegion } from '../domain/phone.ts';
import type { Role } from '../domain/roles.ts';
import type { Providers } from '../providers/index.ts';
import type { DocumentStorage } from '../providers/storage/port.ts';
import type { EscrowProgress } from '../temporal/progress.ts';
import type { OneTimePasswords } from './auth/one-time-passwords.ts';
import type { Tokens } from './auth/tokens.ts';
import type { Commands } from './commands/commands.ts';

/** Who sends the request, as their credential says. */
export type Principal =
  | { readonly kind: 'api_key'; readonly apiKeyId: ApiKeyId; readonly companyId: CompanyId; readonly role: Role }
  | {
      readonly kind: 'administrator';
      readonly administratorId: AdministratorId;
      readonly companyId: CompanyId;
      readonly role: Role;
      readonly mustChangePassword: boolean;
    };

/** Requests that one caller may make. Counted per process: docs/adr/0006 says why, and what is counted in the database. */
export type RateLimits = {
  readonly requestsPerMinute: number;
  readonly publicRequestsPerMinute: number;
};

export type Limiter = {
  /** One more request of a credential. Throws `too_many_requests`. */
  readonly countPrincipal: (principal: Principal) => Promise<void>;
  /** One more request without a credential, or with one that does not work. Throws `too_many_requests`. */
  readonly countAddress: (address: string) => Promise<void>;
};

/** The parts of a request, after its schemas have parsed them. */
export type ParsedRequest = { [Target in 'param' | 'query' | 'json' | 'form']?: unknown };

/** The zod schemas of an operation's bodies; undefined where it takes none of that kind. */
export type BodySchemas = { readonly json: unknown; readonly form: unknown };

export type ApiEnv = {
  Variables: {
    requestId: string;
    log: Logger;
    /** Set by the guard of every operation that needs a credential. */
    principal: Principal;
    /** The tenant of this request: what `x-company-id` names, which the credential may act for. */
    companyId: CompanyId;
    /** The body of the answer, where the operation has left it here. */
    answer: unknown;
    /** Whether the audit log has this request already. */
    isAudited: boolean;
    bodySchemas: BodySchemas;
    /** Filled as the validators of the operation succeed. */
    parsed: ParsedRequest;
    /** Where clients reach the service, for addresses in answers. */
    baseUrl: string;
    limiter: Limiter;
    /** Where the request came from, as far as that can be known. */
    clientAddress: string;
  };
};

/** The HTTP application that routes are registered on. */
export type Api = OpenAPIHono<ApiEnv>;

/** What routes are built from. Handed in by the composition root; nothing here reads the environment. */
export type ApiDependencies = {
  /** Connected as `escrow_api`: row-level security applies. */
  readonly orm: MikroORM;
  /** Keys, idempotency and audit, for many requests in one call. */
  readonly requests: RequestStore;
  readonly deposit: Depositor;
  readonly commands: Commands;
  /** Asks the run of an escrow of this service. Throws `dependency_unavailable`. */
  readonly readProgress: (escrowId: EscrowId) => Promise<EscrowProgress>;
  /** For national ids and account numbers. */
  readonly cipher: FieldCipher;
  readonly documents: DocumentStorage;
  readonly tokens: Tokens;
  readonly oneTimePasswords: OneTimePasswords;
  readonly providers: Providers;
  readonly log: Logger;
  readonly settings: {
    readonly version: string;
    readonly baseUrl: string;
    /** Where the hosted checkout is; a link's hash follows. */
    readonly checkoutUrl: string;
    readonly isProduction: boolean;
    /** Whether a payout needs cash that came in for the company. */
    readonly mustPayoutsBeBacked: boolean;
    readonly isRegistrationOpen: boolean;
    /** Of companies that have not chosen one. */
    readonly defaultPhoneRegion: PhoneRegion;
    readonly corsAllowedOrigins: readonly string[];
    readonly trustedProxies: readonly string[];
    readonly rateLimits: RateLimits;
  };
  /** Whether this process is ending: others should be asked. */
  readonly isStopping: () => boolean;
  /** Whether Temporal answers. */
  readonly isTemporalUp: () => Promise<boolean>;
};
