import { setTimeout as wait } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { messageOf } from '../observability/thrown.ts';
import {
  clientOn,
  GRPC,
  type Replaceable,
  replaceable,
  type TemporalSettings,
  workerConnection,
} from '../temporal/connection.ts';
import { ensureSchedules } from '../temporal/schedules.ts';

const RETRY_MS = 1_000;
/**
 * All other codes may pass: a server that has just started answers requests about schedules with various codes, and NOT_FOUND
 * while the namespace does not exist.
 */
const REFUSAL_CODES: ReadonlySet<number> = new Set([GRPC.PERMISSION_DENIED, GRPC.UNIMPLEMENTED, GRPC.UNAUTHENTICATED]);

type Connected = { readonly held: Replaceable<NativeConnection>; readonly client: Client };

/**
 * Connects to Temporal and creates the schedules. While Temporal does not answer, or the namespace does not exist, it retries
 * after RETRY_MS, and logs each reason once. Rejects when `signal` aborts, and for errors that waiting cannot fix, such as a
 * refused API key.
 */
export async function awaitTemporal(
  settings: TemporalSettings & { readonly temporalTaskQueue: string },
  log: Logger,
  signal?: AbortSignal,
): Promise<Connected> {
  const logged = new Set<string>();
  for (;;) {
    try {
      return await connectOnce(settings);
    } catch (error) {
      if (!mayPass(error)) throw error;
      const reason = reasonOf(error);
      if (!logged.has(reason)) log.warn({ reason }, 'waiting for Temporal');
      logged.add(reason);
    }
    await wait(RETRY_MS, undefined, signal === undefined ? {} : { signal });
  }
}

async function connectOnce(settings: TemporalSettings & { readonly temporalTaskQueue: string }): Promise<Connected> {
  const connection = await workerConnection(settings);
  try {
    const held = replaceable(connection);
    const client = clientOn(held.proxy, settings);
    await ensureSchedules(client, settings.temporalTaskQueue);
    return { held, client };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function mayPass(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransportError') return true;
  if (isGrpcServiceError(error)) return !REFUSAL_CODES.has(error.code);
  return mayPass(error.cause);
}

/** The message of the innermost error: the SDK's own says only which call failed. */
function reasonOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : messageOf(error);
}
