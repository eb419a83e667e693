import { Refusal } from '../../domain/errors.ts';
import { Places } from '../../turns/places.ts';

/**
 * Runs at most `limit` tasks at once for each key; the others wait in order of arrival. After a task its place rests for as long as the
 * task took, and at most `maxRestMs`. `why` explains the refusal of a task whose turn does not come. `reserved`: of the places of a key,
 * those that only an owner without one takes.
 */
export class Turnstile {
  readonly #limit: number;
  readonly #maxRestMs: number;
  readonly #why: string | undefined;
  readonly #reserved: number;
  readonly #gates = new Map<string, Places>();

  constructor(limit: number, maxRestMs = 0, why?: string, reserved = 0) {
    this.#limit = limit;
    this.#maxRestMs = maxRestMs;
    this.#why = why;
    this.#reserved = reserved;
  }

  /** Runs `work` when its turn comes. Throws `too_many_requests` if that is not before `deadline` (epoch ms). */
  async pass<T>(key: string, deadline: number, work: () => Promise<T>, owner?: string): Promise<T> {
    const gate = this.#gates.get(key) ?? new Places(this.#limit, this.#reserved);
    this.#gates.set(key, gate);
    if (!(await gate.enter(deadline - Date.now(), owner))) throw new Refusal('too_many_requests', this.#why);
    const leave = () => {
      gate.leave(owner);
      if (gate.isEmpty) this.#gates.delete(key);
    };
    const beganAt = performance.now();
    try {
      return await work();
    } finally {
      const restMs = Math.min(this.#maxRestMs, performance.now() - beganAt);
      if (restMs === 0) leave();
      else setTimeout(leave, restMs);
    }
  }
}
