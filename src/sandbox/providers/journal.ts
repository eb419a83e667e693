import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Values by key that survive a restart: one line for each change, in a file that is read at the start. */
export class Journal<Value> {
  readonly #file: string | undefined;

  /** Without a file, nothing is stored. */
  constructor(file: string | undefined) {
    this.#file = file;
  }

  /** The stored values, oldest first. Afterwards the file has each key once. A last line that a crash truncated is skipped. */
  read(isValue: (value: unknown) => value is Value): [key: string, value: Value][] {
    if (this.#file === undefined || !existsSync(this.#file)) return [];
    const kept = new Map<string, Value>();
    for (const line of readFileSync(this.#file, 'utf8').split('\n')) {
      const entry = parse(line);
      if (Array.isArray(entry) && typeof entry[0] === 'string' && isValue(entry[1])) kept.set(entry[0], entry[1]);
    }
    const unfinished = `${this.#file}.unfinished`;
    writeFileSync(unfinished, [...kept].map(lineOf).join(''), { mode: 0o600 });
    renameSync(unfinished, this.#file);
    return [...kept];
  }

  write(key: string, value: Value): void {
    if (this.#file !== undefined) appendFileSync(this.#file, lineOf([key, value]), { mode: 0o600 });
  }
}

function lineOf(entry: readonly [string, unknown]): string {
  return `${JSON.stringify(entry)}\n`;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
