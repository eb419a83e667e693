/** A role that is running. `migrate` ends by itself and has none. */
export type RunningRole = {
  /** Settles when it cannot go on. */
  readonly failed: Promise<Error>;
  /** Takes no new work, finishes the work at hand, and closes all connections. */
  stop(): Promise<void>;
};

export type Log = (line: string) => void;

/** Stops a part that has started when a later one fails, and passes the failure on. */
export function stopFirst(part: { stop(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await part.stop();
    throw error;
  };
}
