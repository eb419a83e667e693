import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Ends a server without failing anybody. First readiness says no, while requests are still taken: whoever spreads them has
 * time to notice, and every answer closes its connection. Then nobody new is let in, and who is inside is served.
 */
export type Drain = {
  /** Whether it has begun: readiness is 503 then. */
  readonly isStopping: () => boolean;
  /** Resolves when the last connection has ended, at the latest after `noticeMs` and SERVE_MS. */
  readonly end: (server: Server, noticeMs: number) => Promise<void>;
  /** To be called once, before the server takes requests. */
  readonly watch: (server: Server) => void;
};

/** How long requests at work may still take: a command waits 9 s for its result. */
const SERVE_MS = 9_000;
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
      const overdue = setTimeout(() => server.closeAllConnections(), SERVE_MS);
      await closed;
      clearInterval(sweep);
      clearTimeout(overdue);
    },
  };
}
