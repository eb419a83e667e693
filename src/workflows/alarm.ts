import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Instant } from '../domain/time.ts';
import type { CompanyClock } from './company-clock.ts';

/**
 * One durable timer for the next deadline. It is replaced only if the deadline changes: a timer costs history events, and most
 * commands move no deadline.
 */
export class Alarm {
  readonly #clock: CompanyClock;
  #armedFor: Instant | null = null;
  #scope: CancellationScope | null = null;

  constructor(clock: CompanyClock) {
    this.#clock = clock;
  }

  /** Cancels the timer. */
  clear(): void {
    this.#scope?.cancel();
    this.#scope = null;
    this.#armedFor = null;
  }

  /** Cancels a timer that should have fired: it is lost, or Temporal is late. */
  clearIfPast(): void {
    if (this.#armedFor !== null && Date.parse(this.#armedFor) <= this.#clock.nowMs()) this.clear();
  }

  isSetTo(at: Instant): boolean {
    return at === this.#armedFor;
  }

  /**
   * Sets the timer to `at`, an instant of the company's clock. It rings at once if that has passed. Replaces the earlier timer.
   * The UI shows `what`.
   */
  set(at: Instant, what: string, ring: () => void): void {
    this.clear();
    this.#armedFor = at;
    const scope = new CancellationScope();
    this.#scope = scope;
    scope
      .run(() => sleep(Math.max(1, Date.parse(at) - this.#clock.nowMs()), { summary: `${what} at ${at}` }))
      .then(
        () => {
          this.#scope = null; // `at` is kept, so that one deadline rings once
          ring();
        },
        (error: unknown) => {
          if (!isCancellation(error)) throw error;
        },
      );
  }
}
