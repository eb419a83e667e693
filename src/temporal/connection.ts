import { readFileSync } from 'node:fs';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { type DataConverter, NamespaceNotFoundError } from '@temporalio/common';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import type { FieldKey } from '../db/core/field-cipher.ts';
import { CLIENT_INTERCEPTORS } from '../observability/tracing/temporal-client.ts';
import { EncryptingCodec } from './payload-codec.ts';
import { type CredentialFiles, onCredentialsChanged } from './watch-credentials.ts';

/**
 * How to reach a Temporal server: an address is enough for a server of our own; Temporal Cloud also needs TLS and an API key, as
 * text or in a file.
 */
export type TemporalSettings = CredentialFiles & {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalApiKey?: string | undefined;
  readonly temporalTls?: boolean | undefined;
  readonly temporalTlsServerName?: string | undefined;
  readonly temporalEncryptPayloads?: boolean | undefined;
  /** For the encryption of payloads. The current key comes first. */
  readonly fieldEncryptionKeys?: readonly FieldKey[] | undefined;
};

/** A replaced connection stays open for the requests that it still carries. */
const CLOSE_OLD_AFTER_MS = 60_000;

/**
 * How soon the API connects again after an outage. gRPC's default grows to two minutes, for which commands would still be
 * refused although Temporal is back. The longest pause is well below a command's deadline.
 */
const RECONNECT = {
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 1_000,
};

/**
 * A client that connects at its first call, so that the API starts and serves reads while Temporal is down. It connects again
 * with the new credentials when their files change.
 */
export function lazyClient(settings: TemporalSettings): {
  client: Client;
  connection: Connection;
} {
  const connect = () => Connection.lazy({ ...connectionOptions(settings), channelArgs: RECONNECT });
  const held = replaceable(connect());
  const stopWatching = onCredentialsChanged(settings, () => held.replace(connect()));
  const connection = new Proxy(held.proxy, {
    get: (target, name) =>
      name === 'close'
        ? async () => {
            stopWatching();
            await held.close();
          }
        : Reflect.get(target, name),
  });
  return { connection, client: clientOn(connection, settings) };
}

export function clientOn(connection: Connection | NativeConnection, settings: TemporalSettings): Client {
  return new Client({
    connection,
    namespace: settings.temporalNamespace,
    interceptors: CLIENT_INTERCEPTORS,
    ...converterOf(settings),
  });
}

/** The data converter of clients and workers. */
export function converterOf({ temporalEncryptPayloads, fieldEncryptionKeys = [] }: TemporalSettings): {
  dataConverter?: DataConverter;
} {
  return temporalEncryptPayloads === true
    ? { dataConverter: { payloadCodecs: [new EncryptingCodec(fieldEncryptionKeys)] } }
    : {};
}

/** A connection for a worker. Throws if the server does not answer. */
export function workerConnection(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(settings));
}

const ANSWERS_WITHIN_MS = 2_000;

type Readable = Pick<Connection | NativeConnection, 'withDeadline' | 'workflowService'>;

/**
 * Whether Temporal answers a request that reads its database. A server whose database fails still answers health checks.
 * Describing the namespace by its name reads it anew each time.
 */
export function readsData(connection: Readable, namespace: string): Promise<boolean> {
  return describeNamespace(connection, namespace).then(
    () => true,
    () => false,
  );
}

/** Throws NamespaceNotFoundError if Temporal says so. Accepts that Temporal does not answer: it may come later. */
export async function requireNamespace(connection: Readable, namespace: string): Promise<void> {
  await describeNamespace(connection, namespace).catch((error: unknown) => {
    if (isGrpcServiceError(error) && error.code === GRPC.NOT_FOUND) throw new NamespaceNotFoundError(namespace);
  });
}

/** Whether the SDK's client failed because the namespace does not exist. It throws an error without a gRPC status then. */
export function isNamespaceMissing(error: unknown): boolean {
  return error instanceof NamespaceNotFoundError;
}

function describeNamespace(connection: Readable, namespace: string): Promise<unknown> {
  return connection.withDeadline(Date.now() + ANSWERS_WITHIN_MS, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
}

type Closable = { readonly close: () => Promise<void> };

export type Replaceable<C extends object> = {
  /** Behaves as the current connection. */
  readonly proxy: C;
  readonly current: () => C;
  /** Later calls take the new connection. The old one is closed after CLOSE_OLD_AFTER_MS. */
  readonly replace: (next: C) => void;
  /** Closes the current connection and those that were replaced. */
  readonly close: () => Promise<void>;
};

/** Lets a client follow a connection that is replaced: the SDK's clients keep the connection that they were made with. */
export function replaceable<C extends Closable & object>(first: C): Replaceable<C> {
  let current = first;
  const old = new Map<C, NodeJS.Timeout>();
  return {
    proxy: new Proxy(first, {
      get(_first, name) {
        const value: unknown = Reflect.get(current, name, current);
        return typeof value === 'function' ? value.bind(current) : value;
      },
    }),
    current: () => current,
    replace(next) {
      const replaced = current;
      const close = () => {
        old.delete(replaced);
        replaced.close().catch(() => undefined); // not awaited
      };
      old.set(replaced, setTimeout(close, CLOSE_OLD_AFTER_MS).unref());
      current = next;
    },
    async close() {
      for (const timer of old.values()) clearTimeout(timer);
      await Promise.all([current, ...old.keys()].map((connection) => connection.close()));
      old.clear();
    },
  };
}

function connectionOptions(settings: TemporalSettings): NativeConnectionOptions {
  const apiKey = apiKeyOf(settings);
  return {
    address: settings.temporalAddress,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...tlsOptions(settings, apiKey !== undefined),
  };
}

function apiKeyOf({ temporalApiKey, temporalApiKeyFile }: TemporalSettings): string | undefined {
  return temporalApiKeyFile === undefined ? temporalApiKey : readFileSync(temporalApiKeyFile, 'utf8').trim();
}

function tlsOptions(settings: TemporalSettings, hasApiKey: boolean): Pick<NativeConnectionOptions, 'tls'> {
  const { temporalTlsServerName, temporalTlsServerCaFile, temporalTlsClientCertFile, temporalTlsClientKeyFile } =
    settings;
  const isWanted = settings.temporalTls ?? (hasApiKey || temporalTlsClientCertFile !== undefined);
  if (!isWanted) return hasApiKey ? { tls: false } : {}; // with an API key the SDK uses TLS unless told otherwise
  const clientCertPair =
    temporalTlsClientCertFile === undefined || temporalTlsClientKeyFile === undefined
      ? undefined
      : { crt: readFileSync(temporalTlsClientCertFile), key: readFileSync(temporalTlsClientKeyFile) };
  return {
    tls: {
      ...(temporalTlsServerName === undefined ? {} : { serverNameOverride: temporalTlsServerName }),
      ...(temporalTlsServerCaFile === undefined
        ? {}
        : { serverRootCACertificate: readFileSync(temporalTlsServerCaFile) }),
      ...(clientCertPair === undefined ? {} : { clientCertPair }),
    },
  };
}

/** gRPC's status codes that the service tells apart. */
export const GRPC = {
  CANCELLED: 1,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  UNIMPLEMENTED: 12,
  UNAVAILABLE: 14,
  UNAUTHENTICATED: 16,
} as const;
