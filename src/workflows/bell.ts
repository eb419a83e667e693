import { CancellationScope } from '@temporalio/workflow';

/**
 * Wakes the main loop. What Temporal's `condition` does, for the one place that waits after every command: a condition is asked again
 * in every activation, each time by a call into the sandbox, and leaves a listener behind on the run's scope.
 */
export class Bell {
  #wake: (() => void) | undefined;
  #fail: ((error: unknown) => void) | undefined;
  #cancelled: { readonly error: unknown } | undefined;

  constructor() {
    CancellationScope.current().cancelRequested.catch((error: unknown) => {
      this.#cancelled = { error };
      this.#fail?.(error);
    });
  }

  ring(): void {
    this.#wake?.();
  }

  /** Resolves when it rings next. Rejects once somebody has cancelled the run. */
  next(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#cancelled !== undefined) reject(this.#cancelled.error);
      this.#wake = resolve;
      this.#fail = reject;
    });
  }
}
