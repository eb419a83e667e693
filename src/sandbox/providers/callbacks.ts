/** The sandbox's callbacks to the service. Like providers it retries until the service answers 200, but not for days. */

const RETRY_DELAYS_MS = [0, 500, 2_000, 10_000, 30_000] as const;
const TIMEOUT_MS = 10_000;

type Callback = {
  /** The path relative to the service's address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type Callbacks = {
  send(callback: Callback): void;
  /** Sends once, now, and returns the status; undefined if nobody answered. */
  sendNow(callback: Callback): Promise<number | undefined>;
  stop(): void;
};

/** `serviceUrl` returns undefined while the service has no address yet. */
export function createCallbacks(serviceUrl: () => string | undefined): Callbacks {
  const stopped = new AbortController();

  async function sendNow({ path, headers, body }: Callback): Promise<number | undefined> {
    const base = serviceUrl();
    if (base === undefined) return undefined;
    try {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(`${base}${path}`, { method: 'POST', headers, body, redirect: 'manual', signal });
      await response.body?.cancel();
      return response.status;
    } catch {
      return undefined; // the service is starting, stopping or not running
    }
  }

  function schedule(callback: Callback, attempt: number): void {
    const delayMs = RETRY_DELAYS_MS[attempt];
    if (delayMs === undefined || stopped.signal.aborted) return;
    const timer = setTimeout(() => {
      if (stopped.signal.aborted) return;
      void sendNow(callback).then((status) => {
        if (status !== 200) schedule(callback, attempt + 1);
      });
    }, delayMs);
    timer.unref();
  }

  return { send: (callback) => schedule(callback, 0), sendNow, stop: () => stopped.abort() };
}
