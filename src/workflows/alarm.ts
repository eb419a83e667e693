import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';

/**
 * One durable timer for the next deadline. It is armed anew only when the deadline changes: a timer costs history events, and
 * most commands move no deadline.
 */
export class Alarm {
  #armedFor: string | null = null;
  #scope: CancellationScope | null = null;

  /** Does not ring any more. */
  clear(): void {
    this.#scope?.cancel();
    this.#scope = null;
    this.#armedFor = null;
  }

  isSetTo(at: string): boolean {
    return at === this.#armedFor;
  }

  /** Rings at `at` (an ISO instant; one that has passed: at once), instead of at whatever was set before. Ops read `what`. */
  set(at: string, what: string, ring: () => void): void {
    this.clear();
    this.#armedFor = at;
    const scope = new CancellationScope();
    this.#scope = scope;
    scope
      .run(() => sleep(Math.max(1, Date.parse(at) - Date.now()), { summary: `${what} at ${at}` }))
      .then(
        () => {
          this.#armedFor = null;
          this.#scope = null;
          ring();
        },
        (error: unknown) => {
          if (!isCancellation(error)) throw error;
        },
      );
  }
}
