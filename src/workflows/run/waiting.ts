import {
  ApplicationFailure,
  CancellationScope,
  condition,
  isCancellation,
  log,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { DENIED_BY_DATABASE } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';

/** What a run waits for besides messages: its next deadline, the end of its work, and a privilege that the database denies. */

/**
 * The time of a run's company. It is real time, unless a tester moved the company's clock. Each load of the row updates the
 * offset. The workflow's clock is deterministic, and so is this one.
 */
export class CompanyClock {
  #aheadMs = 0;

  /** Sets how far the company's time is ahead. Returns whether that is a change. */
  set(aheadMs: number): boolean {
    const isMoved = aheadMs !== this.#aheadMs;
    this.#aheadMs = aheadMs;
    return isMoved;
  }

  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  now(): Instant {
    return new Date(this.nowMs()).toISOString();
  }
}

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

/**
 * An idle run with this many events continues as new, so a worker that has evicted it replays a short history. A command adds
 * six or seven events, and most escrows end before the ninth command: they never pay for it (docs/adr/0029).
 */
const MAX_IDLE_HISTORY_EVENTS = 64;

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
    if (this.#isSet || workflowInfo().historyLength < MAX_IDLE_HISTORY_EVENTS) return;
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

const FIRST_WAIT_MS = 15_000;
/** A retry costs some events of history: at this rate a run can wait for weeks. */
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Retries steps that the database denies because its role lacks a privilege. A grant or a release has to correct this, so
 * operators must see it: the run shows the denial for as long as it lasts. Every other failure of the database is retried by
 * Temporal.
 */
export class DeniedSteps {
  #reason: string | null = null;
  #retries = 0;
  /** Called when a step is denied for the first time, to show it. */
  onDenied: () => void = () => undefined;

  /** The denial of the current step; null if no step is denied. */
  get reason(): string | null {
    return this.#reason;
  }

  /** Retries the denied step now. */
  retry(): void {
    this.#retries += 1;
  }

  /** Runs a local activity until the database does not deny it. */
  async untilAllowed<T>(step: () => Promise<T>): Promise<T> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        const result = await step();
        this.#reason = null;
        return result;
      } catch (error) {
        const denial = denialOf(error);
        if (denial === null) throw error;
        this.#show(denial);
      }
      const seen = this.#retries;
      await condition(() => this.#retries > seen, waitMs);
    }
  }

  #show(message: string): void {
    log.error('the database denies a step; it is retried until the privilege is granted', { reason: message });
    if (this.#reason !== null) return;
    this.#reason = `**The database denies this step** since ${new Date().toISOString()}: \`${message}\`. It is retried.`;
    this.onDenied();
  }
}

/** PostgreSQL's own message if it denied the step; null for any other failure. A local activity's failure has no wrapper. */
function denialOf(error: unknown): string | null {
  return error instanceof ApplicationFailure && error.type === DENIED_BY_DATABASE ? error.message : null;
}
