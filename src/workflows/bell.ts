/**
 * Wakes the main loop. It replaces Temporal's `condition` in the one place that waits after every command: a condition is
 * evaluated in every activation, each time through a call into the sandbox, and leaves a listener on the run's scope.
 */
export class Bell {
  #wake: (() => void) | undefined;

  ring(): void {
    this.#wake?.();
  }

  /** Resolves at the next ring. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
