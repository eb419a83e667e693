/** A role at work. `migrate` does its work and has none. */
export type RunningRole = {
  /** Settles when it cannot go on. */
  readonly failed: Promise<Error>;
  /** Takes no new work, ends what is at hand, lets go of everything. */
  stop(): Promise<void>;
};

export type Log = (line: string) => void;

/** For what fails after something has started: stops that, and fails all the same. */
export function stopFirst(part: { stop(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await part.stop();
    throw error;
  };
}
