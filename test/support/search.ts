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
