import { sql } from './sql.ts';

/** The names of the values that `text` contains, in clear or encoded as JSON, base64 or hex. */
export function found(text: string, words: Readonly<Record<string, string>>): string[] {
  const haystack = text.toLowerCase();
  return Object.entries(words)
    .filter(([, word]) => {
      const bytes = Buffer.from(word);
      const digits = word.replace(/^\+/, '');
      return [word, digits, JSON.stringify(word).slice(1, -1), bytes.toString('hex'), encodeURIComponent(word)].some(
        (form) => haystack.includes(form.toLowerCase()),
      );
    })
    .map(([name]) => name);
}

/** Every string in a value, bytes decoded: payloads are bytes. */
export function textOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value !== 'object' || value === null || seen.has(value)) return '';
  seen.add(value);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8');
  return Object.entries(value)
    .map(([key, inner]) => `${key}=${textOf(inner, seen)}`)
    .join('\n');
}

/** Rows of all tables of the service that contain the text, as `table: count`. */
export async function traces(service: Parameters<typeof sql>[0], text: string): Promise<string[]> {
  const tables = await sql(
    service,
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const traced: string[] = [];
  for (const { name } of tables) {
    // Bytes are shown as hexadecimal digits.
    const rows = await sql(
      service,
      `select count(*)::int as n from (select lower(t::text) as whole from "${name}" t offset 0) as shown
       where whole like '%' || lower($1) || '%' or whole like '%' || encode(convert_to($1, 'UTF8'), 'hex') || '%'`,
      [text],
    );
    if (Number(rows[0]?.n) > 0) traced.push(`${name}: ${rows[0]?.n}`);
  }
  return traced;
}
