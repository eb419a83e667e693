import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { TroubleLog } from '../../observability/log.ts';

/**
 * One dedicated connection that listens on a PostgreSQL channel. It reconnects by itself, and then wakes all subscribers, because
 * notifications in between are lost.
 */
export type Listener = {
  /** Calls `wake` for each notification with this payload, and after each reconnection. Returns the function that ends it. */
  readonly subscribe: (payload: string, wake: () => void) => () => void;
  readonly close: () => Promise<void>;
};

type ListenerOptions = {
  readonly databaseUrl: string;
  readonly channel: string;
  readonly applicationName: string;
  readonly trouble: TroubleLog;
};

const RECONNECT_AFTER_MS = 500;
const CONNECT_TIMEOUT_MS = 3_000;
/** How long to wait until the server closes its side; a server that hangs never does. */
const END_TIMEOUT_MS = 1_000;
/** How often a statement checks that the connection is alive. */
const CHECK_EVERY_MS = 10_000;

/** The connection is opened with the first subscription. */
export function createListener(options: ListenerOptions): Listener {
  const wakes = new Map<string, Set<() => void>>();
  const closing = new AbortController();
  let running: Promise<void> | undefined;

  const wakeAll = () => {
    for (const ofPayload of wakes.values()) for (const wake of ofPayload) wake();
  };
  const run = async () => {
    while (!closing.signal.aborted) {
      try {
        const onReady = () => {
          options.trouble.worked();
          wakeAll();
        };
        await listenOnce(options, closing.signal, onReady, (payload) => {
          for (const wake of wakes.get(payload) ?? []) wake();
        });
      } catch (error) {
        if (!closing.signal.aborted) options.trouble.failed(error);
      }
      await wait(RECONNECT_AFTER_MS, undefined, { signal: closing.signal }).catch(() => undefined); // aborted: the loop ends
    }
  };

  return {
    subscribe(payload, wake) {
      running ??= run();
      const ofPayload = wakes.get(payload) ?? new Set();
      wakes.set(payload, ofPayload.add(wake));
      return () => {
        ofPayload.delete(wake);
        if (ofPayload.size === 0 && wakes.get(payload) === ofPayload) wakes.delete(payload);
      };
    },
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** A subscription that remembers a notification until a caller waits for one. */
export type News = {
  /**
   * Waits for a notification that no earlier call has reported. False if none came within `timeoutMs`, or if `signal`
   * aborted.
   */
  readonly isNews: (timeoutMs: number) => Promise<boolean>;
  readonly end: () => void;
};

export function subscribeToNews(listener: Listener, payload: string, signal: AbortSignal): News {
  let hasNews = false;
  let waiting: (() => void) | undefined;
  const stop = () => waiting?.();
  signal.addEventListener('abort', stop);
  const unsubscribe = listener.subscribe(payload, () => {
    hasNews = true;
    waiting?.();
  });
  return {
    async isNews(timeoutMs) {
      if (!hasNews && !signal.aborted)
        await new Promise<void>((resolve) => {
          const overdue = setTimeout(resolve, timeoutMs);
          waiting = () => {
            clearTimeout(overdue);
            resolve();
          };
        });
      waiting = undefined;
      const wasNews = hasNews;
      hasNews = false;
      return wasNews;
    },
    end() {
      signal.removeEventListener('abort', stop);
      unsubscribe();
    },
  };
}

/** Listens until the connection ends or `signal` aborts. Rejects if the connection fails. */
async function listenOnce(
  { databaseUrl, channel, applicationName }: ListenerOptions,
  signal: AbortSignal,
  onReady: () => void,
  onNotification: (payload: string) => void,
): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  const ended = new Promise<void>((resolve, reject) => {
    client.once('end', resolve);
    client.once('error', reject);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  ended.catch(() => undefined); // awaited below; an error before that is the error of connect
  client.on('notification', ({ payload }) => onNotification(payload ?? ''));
  let check: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    await client.query(`listen ${channel}`);
    onReady();
    check = setInterval(() => {
      client.query('select 1').catch((error: unknown) => client.emit('error', error));
    }, CHECK_EVERY_MS);
    await ended;
  } finally {
    clearInterval(check);
    const overdue = setTimeout(() => client.connection.stream.destroy(), END_TIMEOUT_MS);
    await client.end().catch(() => undefined); // it has ended already
    clearTimeout(overdue);
  }
}
