/**
 * A reason not to start that a person can act on. Its message is all that is shown: it says what is wrong and what to do,
 * so no stack trace follows it unless LOG_LEVEL is debug.
 */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return property(error, 'message') ?? String(error);
}

/** The code of a system's or a database's error, such as EEXIST; undefined when it has none. */
export function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}

/** Looks, rather than asks `instanceof`: an error may come from another realm, as under jest. */
function property(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
