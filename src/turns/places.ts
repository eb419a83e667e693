type Waiting = { readonly owner: string | undefined; readonly enter: () => void };

/**
 * A number of places for work. Who finds none free waits, in order of arrival. The last `reserved` free ones are for owners that have none,
 * so that few owners cannot take all.
 */
export class Places {
  readonly #count: number;
  readonly #reserved: number;
  readonly #waiting: Waiting[] = [];
  /** Of the places that are taken. */
  readonly #owners: (string | undefined)[] = [];

  constructor(count: number, reserved = 0) {
    this.#count = count;
    this.#reserved = reserved;
  }

  get isEmpty(): boolean {
    return this.#owners.length === 0;
  }

  /** Takes a place, which `leave` frees. Answers false if there is none within `withinMs`; absent: it waits without a limit. */
  enter(withinMs?: number, owner?: string): Promise<boolean> {
    if (this.#isFreeFor(owner)) {
      this.#owners.push(owner);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const enter = () => {
        clearTimeout(overdue);
        this.#owners.push(owner);
        resolve(true);
      };
      const waiting = { owner, enter };
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        resolve(false);
      };
      const overdue = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      this.#waiting.push(waiting);
    });
  }

  /** Those who have waited longest take what is free for them. */
  leave(owner?: string): void {
    this.#owners.splice(this.#owners.indexOf(owner), 1);
    for (;;) {
      const at = this.#waiting.findIndex((waiting) => this.#isFreeFor(waiting.owner));
      if (at === -1) return;
      this.#waiting.splice(at, 1)[0]?.enter();
    }
  }

  #isFreeFor(owner: string | undefined): boolean {
    const isFurther = owner !== undefined && this.#owners.includes(owner);
    return this.#owners.length + (isFurther ? this.#reserved : 0) < this.#count;
  }

  /** Does the work in a place, without a limit for the wait. */
  async hold<T>(work: () => Promise<T>, owner?: string): Promise<T> {
    await this.enter(undefined, owner);
    try {
      return await work();
    } finally {
      this.leave(owner);
    }
  }
}
