import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The files that pages of the checkout load. Each name depends on the content, so that browsers can cache it for ever. */

type Asset = { readonly name: string; readonly content: string; readonly type: string };

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

function asset(file: string, type: string, shared = ''): Asset {
  const content = shared + read(file);
  const [base, extension] = file.slice(2).split('.');
  return {
    name: `${base}-${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${extension}`,
    content,
    type,
  };
}

export const STYLE = asset('./checkout.css', 'text/css', read('../../styles/base.css'));
export const SCRIPT = asset('./checkout.js', 'text/javascript');

/** The name of the style sheet with a company's colour. `color`: `#rrggbb`. */
export function brandFile(color: string): string {
  return `brand-${color.slice(1)}.css`;
}

/** The sheet of that name. The colour was checked against white text when it was stored. */
export function brandSheet(hex: string): string {
  return `:root { --action: #${hex}; --action-strong: color-mix(in srgb, #${hex} 85%, black); --on-action: #ffffff; --action-edge: var(--edge); }\n`;
}
