import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';

/** Parses the JSON body with `schema`. Throws 400 with the reason if it does not match. */
export async function readJson<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const body: unknown = await c.req.json().catch(() => undefined);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new HTTPException(400, { res: c.json({ error: problems.join('; ') }, 400) });
}

/** Keeps only the digits: a `+` in a query has become a space, and people write numbers with dashes. */
export function digitsOf(phone: string): string {
  return phone.replace(/\D/g, '');
}

/** Whether the request carries this bearer token. */
export function bears(c: Context, token: string): boolean {
  return c.req.header('authorization') === `Bearer ${token}`;
}

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
