import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { Api } from '../context.ts';

/** Serves a large JSON document: compressed as the client reads it, and not at all to a client that has it. */

const compressors = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Higher qualities take seconds for a few per cent. */
const BROTLI = { params: { [zlib.BROTLI_PARAM_QUALITY]: 6 } };

/** What `serveDocument` prepares for an application. */
const documents = new WeakMap<Api, (() => Promise<Prepared>)[]>();

/**
 * Prepares the documents of the application. That takes some hundred milliseconds of processor time, which a serving process does not
 * have. Without it, the first request prepares its document.
 */
export async function prepareDocuments(app: Api): Promise<void> {
  for (const prepared of documents.get(app) ?? []) await prepared();
}

/** `document` is called once. */
export function serveDocument(app: Api, path: string, document: () => object): void {
  let preparing: Promise<Prepared> | undefined;
  const prepared = () => {
    preparing ??= prepare(document());
    return preparing;
  };
  documents.set(app, [...(documents.get(app) ?? []), prepared]);
  app.get(path, async (c) => {
    const { plain, br, gzip, tag } = await prepared();
    const accepted = c.req.header('accept-encoding') ?? '';
    const encoding = (['br', 'gzip'] as const).find((name) =>
      new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\D|$))`).test(accepted),
    );
    const headers = { 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ETag: tag };
    if (c.req.header('if-none-match')?.includes(tag)) return c.body(null, 304, headers);
    const body = { br, gzip, plain }[encoding ?? 'plain'];
    return c.body(body, 200, {
      ...headers,
      'Content-Type': 'application/json',
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
    });
  });
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** The tag is weak: it is the same for each encoding. */
async function prepare(document: object) {
  const plain = Buffer.from(JSON.stringify(document));
  const digest = createHash('sha256').update(plain).digest('base64url');
  return {
    plain,
    br: await compressors.br(plain, BROTLI),
    gzip: await compressors.gzip(plain),
    tag: `W/"${digest}"`,
  };
}
