import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { WAIT_LIMITS } from '../limits.ts';

/**
 * Ends a server without failing a request. First readiness answers 503 while requests are still taken: the load balancer has time
 * to notice, and every answer closes its connection. Then new connections are refused, and requests at work are finished.
 */
export type Drain = {
  /** Whether it has begun: readiness is 503 then. */
  readonly isStopping: () => boolean;
  /** Resolves when the last connection has ended, at the latest after `noticeMs` and WAIT_LIMITS.drainMs. */
  readonly end: (server: Server, noticeMs: number) => Promise<void>;
  /** To be called once, before the server takes requests. */
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
      // Answers that were under way before the drain began leave their connections open.
      const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
      const overdue = setTimeout(() => server.closeAllConnections(), WAIT_LIMITS.drainMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(overdue);
    },
  };
}
