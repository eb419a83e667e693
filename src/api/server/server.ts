import { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { MikroORM } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import {
  type DatabaseAddresses,
  requireDatabaseRole,
  requireFitDatabase,
  sessionUrl,
} from '../../config/database-checks.ts';
import { isOutage } from '../../db/core/database-errors.ts';
import { FieldCipher, type FieldKey } from '../../db/core/field-cipher.ts';
import { createListener } from '../../db/core/listener.ts';
import { MessageProof } from '../../db/core/message-proof.ts';
import { connect, inTenant } from '../../db/core/orm.ts';
import { readsOnPrimary, readsOnReplica } from '../../db/core/reads.ts';
import { runPeriodically } from '../../db/core/run-periodically.ts';
import { API_TIME_LIMITS, REPLICA_TIME_LIMITS } from '../../db/core/time-limits.ts';
import { EVENTS_CHANNEL } from '../../db/events/event-sealer.ts';
import { CredentialProof } from '../../db/identity/credential-proof.ts';
import { personHashes } from '../../db/identity/person-hashes.ts';
import { storeSandboxMessage } from '../../db/operations/sandbox-messages.ts';
import { createDepositor } from '../../db/payments/deposits.ts';
import { createRequestStore } from '../../db/requests/request-store.ts';
import { createUnknownLogins } from '../../db/requests/unknown-logins.ts';
import { troubleLog } from '../../observability/log.ts';
import type { Providers } from '../../providers/index.ts';
import { createDocumentStorage, type StorageSettings } from '../../providers/storage/index.ts';
import { createWebhookSender } from '../../providers/webhooks.ts';
import { lazyClient, readsData, requireNamespace, type TemporalSettings } from '../../temporal/connection.ts';
import { readEscrowProgress } from '../../temporal/progress.ts';
import { readRunsHealth } from '../../temporal/runs-health.ts';
import { createApi } from '../app.ts';
import { createAccountMails } from '../auth/account-mails.ts';
import { createOneTimePasswords } from '../auth/one-time-passwords.ts';
import { createSecondFactor } from '../auth/second-factor.ts';
import { createTokens } from '../auth/tokens.ts';
import { removeOldDocuments } from '../bodies/document-retention.ts';
import { createCommands } from '../commands/send-commands.ts';
import type { ApiDependencies } from '../context.ts';
import {
  type CommandWaits,
  PASSWORDS_FROM_NETWORK_FACTOR,
  SERVER_LIMITS,
  STREAM_LIMITS,
  WAIT_LIMITS,
} from '../limits.ts';
import { prepareDocuments } from '../openapi/serving.ts';
import { sendOrderMessages } from '../orders/messages.ts';
import { createOrderTokens } from '../orders/tokens.ts';
import { checkDependencies, isReady } from '../routes/health.ts';
import { depositAnswer } from '../routes/payments/deposits.ts';
import { createBankFileReader } from '../statements/bank-file-reader.ts';
import { createPdfRenderer } from '../statements/pdf-renderer.ts';
import { createDrain, type Drain } from './drain.ts';
import { createEventStreams } from './event-streams.ts';

/** How often an API looks for documents that are not needed any more. */
const DOCUMENT_SWEEP_MS = 3_600_000;
/** How often an API looks for messages to parties that are due. */
const ORDER_MESSAGES_MS = 1_000;

/** The database's addresses are those of the role `escrow_api`. */
export type ApiOptions = TemporalSettings &
  DatabaseAddresses & {
    readonly temporalTaskQueue: string;
    /** A replica for statements and lists, as the same role. */
    readonly databaseReadUrl?: string | undefined;
    readonly databasePoolMax: number;
    readonly jwtSecret: string;
    /** The current secret comes first. */
    readonly fieldEncryptionKeys: readonly FieldKey[];
    readonly storage: StorageSettings;
    /** When the documents of people who have nothing open are deleted; absent: never. */
    readonly documentRetentionDays?: number | undefined;
    readonly host: string;
    /** 0 means any free port. */
    readonly port: number;
    /** How long a client may take to send its request, body included. */
    readonly requestTimeoutMs?: number;
    /** How long a stream of events may last. Absent: as in `STREAM_LIMITS`. */
    readonly streamLifetimeMs?: number;
    /** Absent: `WAIT_LIMITS`. */
    readonly waits?: CommandWaits;
    /** How long the server still accepts requests after a stop signal, so that load balancers can notice. Absent: no time. */
    readonly stopNoticeMs?: number;
    /** Whether the descriptions are made before the first request. It takes longer to start then. */
    readonly areDocumentsPrepared?: boolean;
    readonly settings: ApiDependencies['settings'];
    readonly providers: Providers;
    readonly log: Logger;
  };

export type RunningApi = {
  readonly port: number;
  /** Whether `GET /health/ready` would answer 200. */
  readonly isReady: () => Promise<boolean>;
  /**
   * Reports not ready, refuses new connections, finishes requests in progress, and closes the database and Temporal
   * connections.
   */
  readonly stop: () => Promise<void>;
};

/**
 * Serves the HTTP interface. Rejects if the port is in use, if the database role is not `escrow_api`, if Temporal answers that the
 * namespace does not exist, and in production if a test clock was moved.
 */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { log, settings, providers, waits = WAIT_LIMITS } = options;
  const orm = await connect({
    databaseUrl: options.databaseUrl,
    poolMax: options.databasePoolMax,
    applicationName: 'escrow-api',
    timeLimits: API_TIME_LIMITS,
  });
  await prepareDatabase(orm, options).catch(async (error: unknown) => {
    await orm.close();
    throw error;
  });
  const replica = await connectReplica(options).catch(async (error: unknown) => {
    await orm.close();
    throw error;
  });
  const { client, connection } = lazyClient(options);
  const isTemporalUp = () => readsData(connection, options.temporalNamespace);
  await requireNamespace(connection, options.temporalNamespace).catch(async (error: unknown) => {
    await Promise.all([orm.close(), replica?.close(), connection.close()]);
    throw error;
  });
  const drain = createDrain();
  const credentials = new CredentialProof(options.fieldEncryptionKeys, (row) =>
    log.error(row, 'this row was not written by the service, so its credential is refused'),
  );
  const webhookSender = createWebhookSender({ isProduction: settings.isProduction });
  const eventStreams = createEventStreams(
    createListener({
      databaseUrl: sessionUrl(options),
      channel: EVENTS_CHANNEL,
      applicationName: 'escrow-api-listener',
      trouble: troubleLog(log, 'the connection for notifications'),
    }),
    { ...STREAM_LIMITS, lifetimeMs: options.streamLifetimeMs ?? STREAM_LIMITS.lifetimeMs },
  );
  const requests = createRequestStore(orm, credentials);
  const [pdf, receipts] = [createPdfRenderer(log), createPdfRenderer(log)];
  const readBankFile = createBankFileReader();
  const cipher = new FieldCipher(options.fieldEncryptionKeys);
  const orderTokens = createOrderTokens(options.jwtSecret, settings.baseUrl);
  const documents = createDocumentStorage(options.storage, orm);
  const app = createApi({
    orm,
    reads: replica === undefined ? readsOnPrimary(orm) : readsOnReplica(orm, replica),
    log,
    settings,
    credentials,
    requests,
    unknownLogins: createUnknownLogins(orm, options.fieldEncryptionKeys),
    deposit: createDepositor(orm, depositAnswer),
    providers,
    tokens: createTokens(options.jwtSecret),
    orderTokens,
    oneTimePasswords: createOneTimePasswords({
      orm,
      messaging: providers.messaging,
      secret: options.jwtSecret,
      mostFromNetwork: settings.rateLimits.publicRequestsPerMinute * PASSWORDS_FROM_NETWORK_FACTOR,
      log,
      ...(settings.isMessagingSandboxed && !settings.isProduction
        ? {
            keep: (companyId, message) => inTenant(orm, companyId, (em) => storeSandboxMessage(em, companyId, message)),
          }
        : {}),
    }),
    mails: createAccountMails({ mail: providers.mail, baseUrl: settings.baseUrl, log }),
    secondFactor: createSecondFactor({ orm, credentials, cipher, secret: options.jwtSecret }),
    cipher,
    documents,
    commands: createCommands(
      client,
      options.temporalTaskQueue,
      { proof: new MessageProof(options.fieldEncryptionKeys), findDecision: requests.findDecision },
      waits,
    ),
    chargeMs: waits.chargeMs,
    turnMs: waits.turnMs,
    readProgress: (escrowId) => readEscrowProgress(client, escrowId),
    readRunsHealth: () => readRunsHealth(client, options.temporalTaskQueue, log),
    eventStreams,
    pdf,
    receipts,
    readBankFile,
    webhookSender,
    isStopping: drain.isStopping,
    isTemporalUp,
  });
  const closing = new AbortController();
  const sweeping = runPeriodically(
    async () => void (await removeOldDocuments({ orm, documents, log }, options.documentRetentionDays ?? null)),
    'the deletion of documents',
    { intervalMs: DOCUMENT_SWEEP_MS, log, signal: closing.signal },
  );
  const telling = runPeriodically(
    () => sendOrderMessages({ orm, messaging: providers.messaging, orderTokens, cipher, log }, closing.signal),
    'messages about orders',
    { intervalMs: ORDER_MESSAGES_MS, log, signal: closing.signal },
  );
  const closeDependencies = async () => {
    closing.abort();
    await Promise.all([sweeping, telling]);
    await Promise.all([
      orm.close(),
      replica?.close(),
      connection.close(),
      webhookSender.close(),
      pdf.stop(),
      receipts.stop(),
    ]);
  };
  try {
    if (options.areDocumentsPrepared) await prepareDocuments(app);
    const { server, port } = await listen(app.fetch, options, drain);
    return {
      port,
      isReady: async () => isReady(await checkDependencies({ orm, isTemporalUp })) && !drain.isStopping(),
      stop: async () => {
        await eventStreams.endAll(); // clients go on at another process
        await drain.end(server, options.stopNoticeMs ?? 0);
        await requests.idle();
        await closeDependencies();
      },
    };
  } catch (error) {
    await closeDependencies();
    throw error;
  }
}

/** The key of person hashes is made here, because a transaction would need a second connection. */
async function prepareDatabase(orm: MikroORM, options: ApiOptions): Promise<void> {
  await requireFitDatabase(orm, 'escrow_api', { ...options, isProduction: options.settings.isProduction });
  await personHashes(orm.em.fork(), new FieldCipher(options.fieldEncryptionKeys));
}

/** The API starts without the replica too: its reads then run on the primary. */
async function connectReplica({ databaseReadUrl, databasePoolMax, log }: ApiOptions): Promise<MikroORM | undefined> {
  if (databaseReadUrl === undefined) return undefined;
  const replica = await connect({
    databaseUrl: databaseReadUrl,
    poolMax: databasePoolMax,
    applicationName: 'escrow-api-reads',
    timeLimits: REPLICA_TIME_LIMITS,
    mayBeStandby: true,
  });
  await requireDatabaseRole(replica, 'escrow_api', 'DATABASE_READ_URL').catch(async (error: unknown) => {
    if (isOutage(error)) return log.warn({ err: error }, 'the replica for reads cannot be reached');
    await replica.close();
    throw error;
  });
  return replica;
}

function listen(
  fetch: Parameters<typeof createAdaptorServer>[0]['fetch'],
  { host, port, requestTimeoutMs = SERVER_LIMITS.requestWithinMs }: ApiOptions,
  drain: Drain,
) {
  return new Promise<{ server: Server; port: number }>((resolve, reject) => {
    const headersTimeout = Math.min(SERVER_LIMITS.headersWithinMs, requestTimeoutMs);
    const serverOptions = {
      requestTimeout: requestTimeoutMs,
      headersTimeout,
      connectionsCheckingInterval: headersTimeout / 4,
      keepAliveTimeout: SERVER_LIMITS.keepAliveMs,
      maxHeaderSize: SERVER_LIMITS.maxHeaderBytes,
    };
    const server = createAdaptorServer({ fetch, serverOptions, autoCleanupIncoming: false }); // `limitSending` reads the rest of bodies
    if (!(server instanceof Server)) throw new Error('the listener is not an HTTP/1.1 server'); // no option provides this
    server.timeout = Math.min(SERVER_LIMITS.silentMs, 2 * requestTimeoutMs);
    drain.watch(server);
    server.once('error', reject);
    server.listen({ host, port }, () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : port });
    });
  });
}
