/** A bounded map of recent values: when it is full, the oldest value is dropped. */
export class Recent<Value> {
  readonly #max: number;
  readonly #kept = new Map<string, Value>();

  constructor(max = 10_000) {
    this.#max = max;
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key);
  }

  keep(key: string, value: Value): void {
    this.#kept.set(key, value);
    if (this.#kept.size <= this.#max) return;
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined) this.#kept.delete(oldest);
  }

  values(): Value[] {
    return [...this.#kept.values()];
  }
}
