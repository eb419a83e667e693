/** A number of places for work. Who finds none free waits, in order of arrival. */
export class Places {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waiting.length;
  }

  get isEmpty(): boolean {
    return this.#taken === 0;
  }

  /** Takes a place, which `leave` frees. Answers false if there is none within `withinMs`; absent: it waits without a limit. */
  enter(withinMs?: number): Promise<boolean> {
    if (this.#taken < this.#count) {
      this.#taken += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const enter = () => {
        clearTimeout(overdue);
        resolve(true);
      };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
      };
      const overdue = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      this.#waiting.push(enter);
    });
  }

  /** The one who has waited longest takes the place. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }

  /** Does the work in a place, without a limit for the wait. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    await this.enter();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }
}
