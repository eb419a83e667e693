import { sleep } from '@temporalio/workflow';
import { isHistoryLongForIdle } from './history.ts';

const IDLE_MS = 60_000;

/**
 * Notices that a run with a long history is idle: for one to two minutes. A run with a short history has no timer for it, and a
 * busy run has one each minute and not one for each command.
 */
export class IdleWatch {
  readonly #onIdle: () => void;
  #isSet = false;
  #wasBusy = false;

  constructor(onIdle: () => void) {
    this.#onIdle = onIdle;
  }

  /** Call it whenever the run begins to wait. */
  begin(): void {
    this.#wasBusy = true;
    if (this.#isSet || !isHistoryLongForIdle()) return;
    this.#isSet = true;
    void this.#watch();
  }

  /** Compares no times: on replay they may differ by seconds, and the run would set other timers. */
  async #watch(): Promise<void> {
    while (this.#wasBusy) {
      this.#wasBusy = false;
      await sleep(IDLE_MS, { summary: 'continues as new if idle until then' });
    }
    this.#onIdle();
  }
}
