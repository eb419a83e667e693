import { Agent, type IncomingMessage, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A browser that measures: one connection that is kept, a session, no scripts. */

export type Fetched = {
  readonly status: number;
  /** From the request to the last byte of a page; to the first of a file. */
  readonly tookMs: number;
  /** The body as it was sent, and unpacked. Null for a file, of which only the beginning was read. */
  readonly bytes: { readonly sent: number; readonly plain: number } | null;
  /** The page. Empty for a file. */
  readonly text: string;
};

export type MeasuringClient = {
  /** `path` begins with `/`. */
  get(path: string, headers?: Record<string, string>): Promise<Fetched>;
  post(path: string, fields: Record<string, string>): Promise<Fetched>;
  stop(): void;
};

type Sent = { readonly method: string; readonly headers: Record<string, string>; readonly body: string };

export function measuringClient(url: string): MeasuringClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let cookie = '';

  async function send(path: string, { method, headers, body }: Sent): Promise<Fetched> {
    const startedAt = performance.now();
    const took = () => performance.now() - startedAt;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(`${url}${path}`, {
        method,
        agent,
        headers: { 'accept-encoding': 'gzip, br', ...(cookie === '' ? {} : { cookie }), ...headers },
      });
      asked.once('response', resolve);
      asked.once('error', reject);
      asked.end(body);
    });
    for (const line of response.headers['set-cookie'] ?? []) cookie = line.split(';')[0] ?? '';
    const status = response.statusCode ?? 0;
    const isPage = /^text\/(html|css|javascript)/.test(response.headers['content-type'] ?? '');
    if (status === 200 && !isPage && method === 'GET' && path.startsWith('/console')) {
      for await (const _ of response) break; // the iterator ends the connection, and with it the file
      return { status, tookMs: took(), bytes: null, text: '' };
    }
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const tookMs = took();
    const content = Buffer.concat(chunks);
    const plain = unpacked(content, response.headers['content-encoding']);
    return { status, tookMs, bytes: { sent: content.length, plain: plain.length }, text: plain.toString() };
  }

  return {
    get: (path, headers = {}) => send(path, { method: 'GET', headers, body: '' }),
    post: (path, fields) => {
      const body = new URLSearchParams(fields).toString();
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      };
      return send(path, { method: 'POST', headers, body });
    },
    stop: () => agent.destroy(),
  };
}

function unpacked(content: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(content);
  return encoding === 'br' ? brotliDecompressSync(content) : content;
}
