import { sleep } from '@temporalio/workflow';
import { isHistoryLongForIdle } from './history.ts';

const IDLE_MS = 60_000;

/**
 * Notices that a run with a long history is idle. A run with a short history has no timer for it, and a busy run has one each
 * minute and not one for each command.
 */
export class IdleWatch {
  readonly #onIdle: () => void;
  #busyAtMs = 0;
  #isSet = false;

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Call it whenever the run begins to wait. */
  begin(): void {
    this.#busyAtMs = Date.now();
    if (this.#isSet || !isHistoryLongForIdle()) return;
    this.#isSet = true;
    void this.#watch();
  }

  async #watch(): Promise<void> {
    for (let leftMs = IDLE_MS; leftMs > 0; leftMs = this.#busyAtMs + IDLE_MS - Date.now())
      await sleep(leftMs, { summary: 'continues as new if idle until then' });
    this.#onIdle();
  }
}
