import { Refusal } from '../../domain/errors.ts';

/**
 * Runs at most `limit` tasks at once for each key; the others wait in order of arrival. After a task its place rests for as long as the
 * task took, and at most `maxRestMs`.
 */
export class Turnstile {
  readonly #limit: number;
  readonly #maxRestMs: number;
  readonly #gates = new Map<string, { inside: number; readonly waiting: (() => void)[] }>();

  constructor(limit: number, maxRestMs = 0) {
    this.#limit = limit;
    this.#maxRestMs = maxRestMs;
  }

  /** Runs `work` when its turn comes. Throws `too_many_requests` if that is not before `deadline` (epoch ms). */
  async pass<T>(key: string, deadline: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(key, deadline);
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      const restMs = Math.min(this.#maxRestMs, performance.now() - beganAt);
      if (restMs === 0) this.#leave(key);
      else setTimeout(() => this.#leave(key), restMs);
    }
  }

  #enter(key: string, deadline: number): Promise<void> {
    const gate = this.#gates.get(key) ?? { inside: 0, waiting: [] };
    this.#gates.set(key, gate);
    if (gate.inside < this.#limit) {
      gate.inside += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(overdue);
        resolve();
      };
      const overdue = setTimeout(() => {
        gate.waiting.splice(gate.waiting.indexOf(enter), 1);
        reject(new Refusal('too_many_requests'));
      }, deadline - Date.now());
      gate.waiting.push(enter);
    });
  }

  /** The task that has waited longest takes the free place. */
  #leave(key: string): void {
    const gate = this.#gates.get(key);
    if (gate === undefined) return;
    const next = gate.waiting.shift();
    if (next !== undefined) next();
    else if (gate.inside > 1) gate.inside -= 1;
    else this.#gates.delete(key);
  }
}
