import { Refusal } from '../../domain/errors.ts';

/** Runs at most `limit` tasks at once for each key; the others wait in order of arrival. */
export class Turnstile {
  readonly #limit: number;
  readonly #gates = new Map<string, { inside: number; readonly waiting: (() => void)[] }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Runs `work` when its turn comes. Throws `too_many_requests` if that is not before `deadline` (epoch ms). */
  async pass<T>(key: string, deadline: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(key, deadline);
    try {
      return await work();
    } finally {
      this.#leave(key);
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
