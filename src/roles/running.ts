/** A role that runs until it is stopped. The roles that end by themselves have none. */
export type RunningRole = {
  /** Settles when it cannot continue. */
  readonly failed: Promise<Error>;
  /** Takes no new work, finishes work in progress, and closes all connections. */
  stop(): Promise<void>;
};

export type Log = (line: string) => void;

/** Stops a part that has started if a later one fails, and rethrows the failure. */
export function stopFirst(part: { stop(): Promise<void> }): (error: unknown) => Promise<never> {
  return async (error) => {
    await part.stop();
    throw error;
  };
}
