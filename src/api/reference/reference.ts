import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import type { Api } from '../context.ts';
import { ACCESSIBLE_SCRIPT, ACCESSIBLE_STYLE } from './reference-mending.ts';

/** The reference page at `/docs`: Scalar, served by this process alone. `npm run vendor-scalar` fetches another version of it. */

const PROGRAM = readFileSync(new URL('scalar/standalone.js.br', import.meta.url));

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Escrow Payments Service: API reference</title>
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** Whatever would contact another server is off. */
const SETTINGS = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  customCss: ACCESSIBLE_STYLE,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
};
const START = `Scalar.createApiReference('#reference', ${JSON.stringify(SETTINGS)});\n${ACCESSIBLE_SCRIPT}`;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHE = 'public, max-age=86400';

export function serveReference(app: Api): void {
  app.get('/docs', (c) => {
    c.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    return c.html(PAGE);
  });
  app.get('/docs/start.js', (c) => c.body(START, 200, { 'Content-Type': 'text/javascript' }));
  app.get('/docs/scalar.js', (c) => {
    const headers = { 'Content-Type': 'text/javascript', 'Cache-Control': CACHE, Vary: 'Accept-Encoding' };
    const readsBrotli = /\bbr\b/.test(c.req.header('accept-encoding') ?? '');
    return readsBrotli
      ? c.body(PROGRAM, 200, { ...headers, 'Content-Encoding': 'br' })
      : c.body(decompressed(PROGRAM), 200, headers);
  });
}

/** Piece by piece as the client reads it, so that a client that does not read holds no memory. */
function decompressed(brotli: Buffer): ReadableStream {
  const pieces = Readable.from([brotli]).pipe(createBrotliDecompress());
  return Readable.toWeb(pieces) as ReadableStream; // Node's type of the same class
}
