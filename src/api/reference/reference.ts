import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { createBrotliDecompress } from 'node:zlib';
import type { Api } from '../context.ts';

/** The reference page at `/docs`: Scalar, served by this process alone. `npm run vendor-scalar` fetches another version of it. */

const PROGRAM = readFileSync(new URL('scalar/standalone.js.br', import.meta.url));
/** Weak: it is the same for both encodings. */
const PROGRAM_TAG = `W/"${createHash('sha256').update(PROGRAM).digest('base64url')}"`;

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

/**
 * What the vendored reference page does wrong for people with a screen reader, a keyboard or weak eyes is mended by two texts. This
 * one: colours with a contrast of 4.5 to 1, and buttons of at least 24 by 24 pixels (WCAG 1.4.3 and 2.5.8).
 */
const ACCESSIBLE_STYLE = `
.light-mode { --scalar-color-2: #525252; --scalar-color-3: #5e5e5e; --scalar-sidebar-color-2: #525252;
  --scalar-sidebar-search-color: #5e5e5e; --scalar-color-green: #056b3a; --scalar-color-red: #b3132b; --scalar-color-orange: #9a4a00;
  --scalar-color-blue: #0a5ca8; --scalar-color-yellow: #7a5a00; --scalar-color-purple: #5b3fb0; --scalar-color-accent: #0a5ca8; }
.dark-mode { --scalar-color-2: #b9b9b9; --scalar-color-3: #b0b0b0; --scalar-sidebar-color-2: #b9b9b9;
  --scalar-sidebar-search-color: #b0b0b0; --scalar-color-red: #ff9a9a; }
.sidebar-search-placeholder, .client-libraries-text { opacity: 1 !important; }
button { min-width: 24px; min-height: 24px; }
`;

/** Runs in the page, whenever it changes: names unnamed buttons, and lets the keyboard reach lists that scroll. */
const ACCESSIBLE_SCRIPT = `
function mend() {
  for (const button of document.querySelectorAll('button.scalar-code-copy:not([aria-label])')) button.setAttribute('aria-label', 'Copy');
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) button.removeAttribute('aria-label');
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.setAttribute('tabindex', '0');
}
new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
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
    const cached = { 'Cache-Control': CACHE, Vary: 'Accept-Encoding', ETag: PROGRAM_TAG };
    if (c.req.header('if-none-match')?.includes(PROGRAM_TAG)) return c.body(null, 304, cached);
    const headers = { ...cached, 'Content-Type': 'text/javascript' };
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
