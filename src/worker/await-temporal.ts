import { setTimeout as wait } from 'node:timers/promises';
import { type Client, isGrpcServiceError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import { messageOf } from '../observability/thrown.ts';
import {
  clientOn,
  type Replaceable,
  replaceable,
  type TemporalSettings,
  workerConnection,
} from '../temporal/connection.ts';
import { ensureSchedules } from '../temporal/schedules.ts';

const RETRY_MS = 1_000;
/** gRPC's DEADLINE_EXCEEDED, NOT_FOUND (the namespace does not exist yet) and UNAVAILABLE. */
const AWAY_CODES = new Set([4, 5, 14]);

export type Connected = { readonly held: Replaceable<NativeConnection>; readonly client: Client };

/**
 * Connects to Temporal and creates the schedules. While Temporal does not answer, or the namespace does not exist, it retries
 * every second and logs so once. Rejects when `signal` aborts, and for errors that waiting cannot fix, such as a refused API
 * key.
 */
export async function awaitTemporal(
  settings: TemporalSettings & { readonly temporalTaskQueue: string },
  log: Logger,
  signal?: AbortSignal,
): Promise<Connected> {
  let hasSaidSo = false;
  for (;;) {
    try {
      return await connectOnce(settings);
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!hasSaidSo) log.warn({ reason: messageOf(error) }, 'waiting for Temporal');
      hasSaidSo = true;
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

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'TransportError') return true;
  if (isGrpcServiceError(error) && AWAY_CODES.has(error.code)) return true;
  return isAway(error.cause);
}
