import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';

/**
 * The style sheet and the scripts of the console. Their names contain a hash of the content, so that browsers cache them for
 * ever. All files of `assets` are served: the style sheets as one after the base, in the order of their names.
 */

type Asset = { readonly type: string; readonly content: Buffer; readonly gzipped: Buffer };

const FOLDER = new URL('./assets/', import.meta.url);
const BASE_STYLE = readFileSync(new URL('../styles/base.css', import.meta.url), 'utf8');
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const files = readdirSync(FOLDER).sort();
const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const joined = (ending: string) =>
  files
    .filter((file) => file.endsWith(ending))
    .map(read)
    .join('\n');
const htmx = readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'), 'utf8');

const served = new Map<string, Asset>();
export const ASSETS: ReadonlyMap<string, Asset> = served;

/** The address of each asset below `/console`. */
export const ASSET_PATHS = {
  style: serve('console', 'css', CSS, BASE_STYLE + joined('.css')),
  script: serve('console', 'js', SCRIPT, joined('.js')),
  htmx: serve('htmx', 'js', SCRIPT, htmx),
};

function serve(name: string, ending: string, type: string, text: string): string {
  const content = Buffer.from(text);
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const path = `/assets/${name}-${hash}.${ending}`;
  served.set(path, { type, content, gzipped: gzipSync(content, { level: 9 }) });
  return path;
}
