import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions } from '@temporalio/worker';
import { CLIENT_INTERCEPTORS } from '../observability/tracing/temporal-client.ts';

/** How to reach a Temporal server: an address is enough for a server of our own; Temporal Cloud also needs TLS and an API key. */
export type TemporalSettings = {
  readonly temporalAddress: string;
  readonly temporalNamespace: string;
  readonly temporalApiKey?: string | undefined;
  readonly temporalTls?: boolean | undefined;
  readonly temporalTlsServerName?: string | undefined;
  readonly temporalTlsServerCaFile?: string | undefined;
  readonly temporalTlsClientCertFile?: string | undefined;
  readonly temporalTlsClientKeyFile?: string | undefined;
};

/** A client that connects at its first call, so that the API starts and serves reads while Temporal is down. */
export function lazyClient(settings: TemporalSettings): { client: Client; connection: Connection } {
  const connection = Connection.lazy(connectionOptions(settings));
  const { temporalNamespace: namespace } = settings;
  return { connection, client: new Client({ connection, namespace, interceptors: CLIENT_INTERCEPTORS }) };
}

/** A connection for a worker. Throws if the server does not answer. */
export function workerConnection(settings: TemporalSettings): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(settings));
}

function connectionOptions(settings: TemporalSettings): NativeConnectionOptions {
  const { temporalAddress: address, temporalApiKey: apiKey } = settings;
  return { address, ...(apiKey === undefined ? {} : { apiKey }), ...tlsOptions(settings) };
}

function tlsOptions(settings: TemporalSettings): Pick<NativeConnectionOptions, 'tls'> {
  const { temporalTlsServerName, temporalTlsServerCaFile, temporalTlsClientCertFile, temporalTlsClientKeyFile } =
    settings;
  const isWanted =
    settings.temporalTls ?? (settings.temporalApiKey !== undefined || temporalTlsClientCertFile !== undefined);
  if (!isWanted) return {};
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
