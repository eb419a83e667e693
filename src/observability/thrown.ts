/** Reads values of any type that were thrown. */

/** The message of a thrown value. */
export function messageOf(error: unknown): string {
  return property(error, 'message') ?? String(error);
}

/** The code of an error of the operating system or the database, such as EEXIST; undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  return property(error, 'code');
}

/** Reads the property instead of asking `instanceof`: an error may come from another realm, as under jest. */
function property(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
}
