import { ApplicationFailure, condition, log } from '@temporalio/workflow';
import { DENIED_BY_DATABASE } from '../domain/errors.ts';

const FIRST_WAIT_MS = 15_000;
/** A retry costs some events of history: at this rate a run can wait for weeks. */
export const LONGEST_WAIT_MS = 5 * 60_000;

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
  async carryOut<T>(step: () => Promise<T>): Promise<T> {
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
