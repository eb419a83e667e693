/**
 * The generator describes a component that may be null as `allOf` of its reference and of null, which no value satisfies but an
 * object. Says `anyOf` instead, everywhere in `value`.
 */
export function describeNulls(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) describeNulls(inner);
  const schema: { allOf?: unknown; anyOf?: unknown } = value;
  const reference = nullableReference(schema.allOf);
  if (reference === undefined) return;
  delete schema.allOf;
  schema.anyOf = [reference, { type: 'null' }];
}

function nullableReference(allOf: unknown): object | undefined {
  if (!Array.isArray(allOf) || allOf.length !== 2) return undefined;
  const [reference, beside]: unknown[] = allOf;
  const isReference = typeof reference === 'object' && reference !== null && '$ref' in reference;
  return isReference && JSON.stringify(beside) === '{"type":["object","null"]}' ? reference : undefined;
}
