import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../observability/thrown.ts';
import type { Child } from './child.ts';
import type { EmbeddedTemporal } from './temporal.ts';

/** Between two probes of a server that answers. */
const PROBE_EVERY_MS = 5_000;
/** A busy machine may delay answers for seconds; a server whose database fails stays without answers. */
const ILL_AFTER_MS = 60_000;

/** How long an ill server may take to stop, of the time in which it did not answer. */
const STOPS_WITHIN_SHARE = 0.25;

export type WatchOptions = {
  /** Starts the server again, on the same port and data. */
  readonly restart: () => Promise<EmbeddedTemporal>;
  /** Whether the server answers from its data. Never rejects. */
  readonly probe: () => Promise<boolean>;
  readonly log: (line: string) => void;
  readonly illAfterMs?: number | undefined;
};

/**
 * Restarts the Temporal server when it runs but has not answered for `illAfterMs`. The returned child stands for the server over
 * its restarts: it has exited only when a server ended by itself or could not be started again.
 */
export function watchTemporal(first: EmbeddedTemporal, options: WatchOptions): Child {
  const { restart, probe, log, illAfterMs = ILL_AFTER_MS } = options;
  let current = first.child;
  let ending: string | undefined;
  const stopping = new AbortController();
  const exited = watch().then((how) => {
    ending = how;
    return how;
  });

  async function watch(): Promise<string> {
    for (;;) {
      const how = await Promise.race([current.exited, illness()]);
      if (how !== undefined) return how;
      if (stopping.signal.aborted) return current.exited;
      log(`Temporal has not answered for ${Math.round(illAfterMs / 1_000)} s. Restarting it …`);
      await current.stop(STOPS_WITHIN_SHARE * illAfterMs);
      if (stopping.signal.aborted) return current.exited;
      try {
        current = (await restart()).child;
      } catch (error) {
        return messageOf(error);
      }
      log('Temporal answers again.');
    }
  }

  /** Resolves when the server is ill, or when the watch ends. */
  async function illness(): Promise<undefined> {
    const { signal } = stopping;
    const watched = current;
    let wellAt = performance.now();
    while (!signal.aborted && watched.ending() === undefined && performance.now() - wellAt < illAfterMs) {
      await wait(Math.min(PROBE_EVERY_MS, illAfterMs / 4), undefined, { signal, ref: false }).catch(() => undefined);
      if (await probe()) wellAt = performance.now();
    }
    return undefined;
  }

  return {
    name: first.child.name,
    exited,
    ending: () => ending,
    stop: async () => {
      stopping.abort();
      await current.stop();
      await exited;
    },
    lastLines: () => current.lastLines(),
  };
}
