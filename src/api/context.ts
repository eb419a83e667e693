import type { OpenAPIHono } from '@hono/zod-openapi';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import type { FileForm } from '../console/page.ts';
import type { FieldCipher } from '../db/core/field-cipher.ts';
import type { TenantReads } from '../db/core/reads.ts';
import type { CredentialProof } from '../db/identity/credential-proof.ts';
import type { Depositor } from '../db/payments/deposits.ts';
import type { AuditChange } from '../db/requests/audit-log.ts';
import type { RequestStore } from '../db/requests/request-store.ts';
import type { UnknownLogins } from '../db/requests/unknown-logins.ts';
import type { AdministratorId, ApiKeyId, CompanyId, EscrowId, SessionId } from '../domain/ids.ts';
import type { PhoneRegion } from '../domain/phone.ts';
import type { Permission, Role } from '../domain/roles.ts';
import type { BankCharacterSet } from '../domain/withdrawal/bank-text.ts';
import type { Providers } from '../providers/index.ts';
import type { DocumentStorage } from '../providers/storage/port.ts';
import type { WebhookSender } from '../providers/webhooks.ts';
import type { EscrowProgress } from '../temporal/progress.ts';
import type { RunsHealth } from '../temporal/runs-health.ts';
import type { AccountMails } from './auth/account-mails.ts';
import type { OneTimePasswords } from './auth/one-time-passwords.ts';
import type { SecondFactor } from './auth/second-factor.ts';
import type { Tokens } from './auth/tokens.ts';
import type { UploadedForm } from './bodies/uploaded-file.ts';
import type { Commands } from './commands/send-commands.ts';
import type { OrderTokens } from './orders/tokens.ts';
import type { EventStreams } from './server/event-streams.ts';
import type { BankFileReader } from './statements/bank-file-reader.ts';
import type { PdfRenderer } from './statements/pdf-renderer.ts';

/** The sender of the request, as its credential states. */
export type Principal =
  | {
      readonly kind: 'api_key';
      readonly apiKeyId: ApiKeyId;
      readonly companyId: CompanyId;
      readonly role: Role;
      /** Of a restricted key; null: all that the role permits. */
      readonly permissions: readonly Permission[] | null;
      /** The key was replaced, and works until its grace period ends. */
      readonly isInGrace: boolean;
    }
  | {
      readonly kind: 'administrator';
      readonly administratorId: AdministratorId;
      readonly companyId: CompanyId;
      readonly role: Role;
      readonly permissions: null;
      readonly mustChangePassword: boolean;
      readonly sessionId: SessionId;
      /** Whether a second factor is enabled. */
      readonly hasFactor: boolean;
      /** A second factor is required, and there is none. */
      readonly mustEnrol: boolean;
    };

/** Uploads of each size have turns of their own: `document` and `bankFile` are those that are or may be large. */
export type UploadSize = 'short' | 'document' | 'bankFile';

/** Rate limits per caller. Counted per process: docs/adr/0006 says why, and which limits the database counts. */
export type RateLimits = {
  readonly requestsPerMinute: number;
  /** Of all credentials of a company together. */
  readonly companyRequestsPerMinute: number;
  /** At the same time, of one company. Further ones wait for a turn. */
  readonly companyRequestsAtOnce: number;
  readonly companyLongRequestsAtOnce: number;
  readonly companyLargeUploadsAtOnce: number;
  /** Of all companies. Further ones wait for a place. */
  readonly largeUploadsAtOnce: number;
  /** Of these, those that only a company without one takes. */
  readonly largeUploadsReserved: number;
  readonly publicRequestsPerMinute: number;
};

/** What a caller may still do in the current window. `left` is negative if the request is one too many. */
export type Allowance = { readonly quota: number; readonly left: number; readonly resetSeconds: number };

export type Limiter = {
  readonly countPrincipal: (principal: Principal) => Promise<Allowance>;
  readonly countCompany: (companyId: CompanyId) => Promise<Allowance>;
  /** Runs the rest of a request when its company has a turn. Throws `too_many_requests` if that takes too long. */
  readonly takeTurn: <T>(companyId: CompanyId, work: () => Promise<T>) => Promise<T>;
  /** The same for a request with a file: see `inUploadTurn`. `owner`: whose place in memory it takes. */
  readonly takeUploadTurn: <T>(
    sender: string,
    size: UploadSize,
    work: () => Promise<T>,
    options?: { readonly owner?: string | undefined; readonly withinMs?: number },
  ) => Promise<T>;
  /** The same for long work. */
  readonly takeLongTurn: <T>(companyId: CompanyId, work: () => Promise<T>, withinMs?: number) => Promise<T>;
  /** The same for a request that is answered by a document: see `inDownloadTurn`. `page`: the order page. */
  readonly takeDownloadTurn: <T>(sender: string, work: () => Promise<T>, page?: string) => Promise<T>;
  readonly countAddress: (address: string) => Promise<Allowance>;
};

/** The parts of a request, after its schemas have parsed them. */
type ParsedRequest = { [Target in 'param' | 'query' | 'json' | 'form']?: unknown };

export type ApiEnv = {
  Variables: {
    requestId: string;
    log: Logger;
    /** Set by the guard of every operation that needs a credential. */
    principal: Principal;
    /** Whether the credential of the request is still valid, for responses that go on for minutes. */
    isStillValid: () => Promise<boolean>;
    /** The tenant of this request: the company in `x-company-id`, for which the credential may act. */
    companyId: CompanyId;
    /** The status and the body of the operation's answer. */
    successStatus: ContentfulStatusCode;
    answer: unknown;
    /** Whether the audit log already has this request. */
    isAudited: boolean;
    /** The changed fields for the line in the audit log. */
    auditChanges: readonly AuditChange[] | undefined;
    /** Filled as the parts of the request turn out to be valid. */
    parsed: ParsedRequest;
    /** The body, as the guard has read it. */
    body: Buffer<ArrayBuffer>;
    /** The multipart body, if the operation takes one. */
    form: UploadedForm | undefined;
    /** The base URL under which clients reach the service, for URLs in responses. */
    baseUrl: string;
    limiter: Limiter;
    /** The client's address, best effort: proxies can hide it. */
    clientAddress: string;
    /** For the console. */
    bankFileForm: FileForm;
  };
};

/** The environment of a request that the console makes in this process, from that of its own. A client cannot make one. */
export const ofConsole = (env: unknown): object => ({ ...Object(env), isFromConsole: true });

export const isFromConsole = (c: Context): boolean =>
  (c.env as { readonly isFromConsole?: boolean } | undefined)?.isFromConsole === true;

/** The HTTP application that routes are registered on. */
export type Api = OpenAPIHono<ApiEnv>;

/** What the console needs beyond the operations. */
type ConsoleSettings = {
  /** The key of its session cookies is derived from this secret. */
  readonly secret: string;
  readonly idleTimeoutMs: number;
  /** The base URL of the Temporal UI; null if it is unknown. */
  readonly temporalUiUrl: string | null;
  readonly temporalNamespace: string;
};

/** The dependencies of the routes. The composition root passes them in; nothing here reads the environment. */
export type ApiDependencies = {
  /** Connected as `escrow_api`: row-level security applies. */
  readonly orm: MikroORM;
  /** Statements and lists: on the replica if there is one. */
  readonly reads: TenantReads;
  /** Batches keys, idempotency and audit of many requests into one call. */
  readonly requests: RequestStore;
  readonly unknownLogins: UnknownLogins;
  readonly deposit: Depositor;
  readonly commands: Commands;
  /** The time in which the buyer can approve a mobile-money prompt. */
  readonly chargeMs: number;
  /** How long a request waits for its turn among those of its company. */
  readonly turnMs: number;
  /** Queries the run of an escrow of this service. Throws `dependency_unavailable`. */
  readonly readProgress: (escrowId: EscrowId) => Promise<EscrowProgress>;
  /** The findings of the last sweep; null if Temporal does not answer or none has ended. Never throws. */
  readonly readRunsHealth: () => Promise<RunsHealth | null>;
  /** Encrypts national ids and account numbers. */
  readonly cipher: FieldCipher;
  readonly documents: DocumentStorage;
  readonly eventStreams: EventStreams;
  /** Draws statements, in a thread of its own. */
  readonly pdf: PdfRenderer;
  /** Receipts do not wait for statements. */
  readonly receipts: PdfRenderer;
  /** Reads the bank's statements, each in a thread of its own. */
  readonly readBankFile: BankFileReader;
  /** Sends pings to endpoints of companies. */
  readonly webhookSender: WebhookSender;
  readonly tokens: Tokens;
  /** Signs and verifies the rows of administrators and API keys. */
  readonly credentials: CredentialProof;
  readonly oneTimePasswords: OneTimePasswords;
  readonly mails: AccountMails;
  readonly orderTokens: OrderTokens;
  readonly secondFactor: SecondFactor;
  readonly providers: Providers;
  readonly log: Logger;
  readonly settings: {
    readonly version: string;
    readonly baseUrl: string;
    /** The base URL of the hosted checkout; a link's hash follows. */
    readonly checkoutUrl: string;
    readonly isProduction: boolean;
    /** Whether messages go to the sandbox, so that testers read them here. */
    readonly isMessagingSandboxed: boolean;
    /** Whether a payout needs cash that was received for the company. */
    readonly mustPayoutsBeBacked: boolean;
    /** Whether only the platform records what the bank received. */
    readonly mayOnlyPlatformCapture: boolean;
    /** What the bank takes in payment files. */
    readonly bankCharacterSet: BankCharacterSet;
    /** How long new bank details, and payments to new destinations, wait. */
    readonly bankDetailsCoolingHours: number;
    readonly isRegistrationOpen: boolean;
    /** How long data about a person stays after their last business, however much they ask. */
    readonly personalDataRetentionDays: number;
    /** The phone region of companies that have not chosen one. */
    readonly defaultPhoneRegion: PhoneRegion;
    readonly corsAllowedOrigins: readonly string[];
    readonly trustedProxies: readonly string[];
    readonly rateLimits: RateLimits;
    /** Null: this process does not serve the console. */
    readonly console: ConsoleSettings | null;
  };
  /** Whether this process is shutting down. Load balancers should then use another one. */
  readonly isStopping: () => boolean;
  /** Whether Temporal answers. */
  readonly isTemporalUp: () => Promise<boolean>;
};
