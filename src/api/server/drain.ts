import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { WAIT_LIMITS } from '../limits.ts';

/**
 * Stops a server without failing a request. First readiness answers 503 while requests are still accepted: the load balancer
 * has time to notice, and every response closes its connection. Then new connections are refused, and requests in progress are
 * finished.
 */
export type Drain = {
  /** Whether the drain has begun: readiness then answers 503. */
  readonly isStopping: () => boolean;
  /** Resolves when the last connection has closed, at the latest after `noticeMs` and WAIT_LIMITS.drainMs. */
  readonly end: (server: Server, noticeMs: number) => Promise<void>;
  /** Call it once, before the server accepts requests. */
  readonly watch: (server: Server) => void;
};

const IDLE_CHECK_MS = 50;

export function createDrain(): Drain {
  let isStopping = false;
  return {
    isStopping: () => isStopping,
    watch: (server) => {
      server.prependListener('request', (_request, response) => {
        if (isStopping) response.shouldKeepAlive = false;
      });
    },
    end: async (server, noticeMs) => {
      isStopping = true;
      await wait(noticeMs);
      const closed = new Promise((resolve) => server.close(resolve));
      // Responses that were in progress before the drain began leave their connections open.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const overdue = setTimeout(() => server.closeAllConnections(), WAIT_LIMITS.drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(overdue);
    },
  };
}
