import { readdirSync, readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';
import { Marked } from 'marked';
import type { Api } from '../context.ts';

/** Serves docs/guides as pages at `/guides`. They run no script and load nothing but their style sheet. */

const DIRECTORY = new URL('../../../docs/guides/', import.meta.url);
const START_PAGE = 'README.md';
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const CACHE = 'public, max-age=3600';

type Guide = { readonly path: string; readonly title: string; readonly body: string };

export function serveGuides(app: Api): void {
  const guides = readdirSync(DIRECTORY).filter((name) => name.endsWith('.md'));
  const pages = new Map(guides.map((name) => readGuide(name)).map((guide) => [guide.path, pageOf(guide)]));
  app.get('/guides/style.css', (c) => c.body(GUIDE_STYLE, 200, { 'Content-Type': 'text/css', 'Cache-Control': CACHE }));
  for (const [path, page] of pages)
    app.get(path, (c) => {
      c.header('Content-Security-Policy', POLICY);
      c.header('Cache-Control', CACHE);
      return c.html(page);
    });
}

/** The page at `/`: where everything is. */
export function serveStartPage(app: Api, hasConsole: boolean): void {
  const consoleRow = hasConsole
    ? '<li><a href="/console">Console</a>: pages for the company and the platform</li>'
    : '';
  const page = pageOf({
    path: '/',
    title: 'Escrow Payments Service',
    body: `<h1>Escrow Payments Service</h1>
<p>The API is below <code>/v1</code>.</p>
<ul>${consoleRow}
<li><a href="/docs">API reference</a>, with its <a href="/openapi.json">description</a> for programs</li>
<li><a href="/guides">Guides</a>: the first payment, step by step</li>
<li><a href="/health/ready">Readiness</a></li></ul>`,
  });
  app.get('/', (c) => {
    c.header('Content-Security-Policy', POLICY);
    c.header('Cache-Control', CACHE);
    return c.html(page);
  });
}

function readGuide(name: string): Guide {
  const markdown = readFileSync(new URL(name, DIRECTORY), 'utf8');
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      // It scrolls, so the keyboard has to reach it.
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
      // A link to a file that is not served becomes plain text.
      link({ href, tokens }) {
        const address = addressOf(href);
        const text = this.parser.parseInline(tokens);
        return address === undefined ? text : `<a href="${address}">${text}</a>`;
      },
    },
  });
  const [, title = 'Guides'] = /^# (.+)$/m.exec(markdown) ?? [];
  return { path: pathOf(name), title, body: marked.parse(markdown, { async: false }) };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
const pathOf = (name: string) => (name === START_PAGE ? '/guides' : `/guides/${name.replace(/\.md$/, '')}`);
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');

/** The address of a link's target on this server or elsewhere. Undefined for other files of the project. */
function addressOf(target: string): string | undefined {
  const [, name, fragment = ''] = /^([\w-]+\.md)(#[\w-]+)?$/.exec(target) ?? [];
  if (name !== undefined) return `${pathOf(name)}${fragment}`;
  return /^(https:\/\/|#)[^"<>]+$/.test(target) ? target : undefined;
}

function pageOf({ path, title, body }: Guide) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${path === '/' ? title : `${title}: Escrow Payments Service`}</title>
<link rel="stylesheet" href="/guides/style.css">
</head>
<body>
<nav><a href="/guides"${path === '/guides' ? raw(' aria-current="page"') : ''}>Guides</a> <a href="/docs">API reference</a></nav>
<main>${raw(body)}</main>
</body>
</html>`;
}

/** The style sheet of the guides. Colours have the contrast of WCAG AA in the light and in the dark. */
const GUIDE_STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --raised: #f3f5f7; --ink: #14202b; --line: #dde3e9; --accent: #0d6a4e; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0e1318; --raised: #1c242c; --ink: #e9eef3; --line: #2a343e; --accent: #57cba3; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
nav { padding: 0.75rem 1.25rem; border-bottom: 1px solid var(--line); }
nav a { margin-right: 1.25rem; font-weight: 600; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; }
a { color: var(--accent); }
h1, h2 { line-height: 1.25; }
h2 { margin-top: 2.5rem; }
pre { overflow-x: auto; padding: 0.9rem 1rem; border-radius: 8px; background: var(--raised); }
code { font: 0.875rem/1.5 ui-monospace, monospace; background: var(--raised); padding: 0.1em 0.3em; border-radius: 4px; }
pre code { padding: 0; }
table { border-collapse: collapse; }
th, td { padding: 0.4rem 0.75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
`;
