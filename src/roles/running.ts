/** A role at work. `migrate` does its work and has none. */
export type RunningRole = {
  /** Settles when it cannot go on. */
  readonly failed: Promise<Error>;
  /** Takes no new work, ends what is at hand, lets go of everything. */
  stop(): Promise<void>;
};

export type Log = (line: string) => void;
