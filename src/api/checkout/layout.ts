import { html, raw } from 'hono/html';
import type { Branding } from '../../db/payments/payment-links.ts';
import { logoPath } from '../schemas/company.ts';
import { brandFile, SCRIPT, STYLE } from './assets.ts';
import type { Language } from './texts/languages.ts';

/**
 * The frame of every page. Tagged templates and not JSX, because Node strips types from `.ts` and compiles no JSX, and there is
 * no build step (docs/adr/0002). `html` escapes whatever is put into it.
 */

export type Html = ReturnType<typeof html>;
export const NOTHING: Html = html``;

/** The values that are the same for all pages of one visit. */
export type Site = {
  readonly language: Language;
  /** The company's. */
  readonly timeZone: string;
  /** The payments are not real. */
  readonly isTest: boolean;
};

export type Shop = { readonly name: string; readonly branding: Branding };

export type Frame = {
  readonly site: Site;
  readonly title: string;
  /**
   * The relative path from the page to the checkout's root: '' on a link's page, '../' below it. A proxy may serve the checkout
   * under another path. Order pages use the files of the checkout.
   */
  readonly root: '' | 'checkout/' | '../' | '../checkout/' | '../../checkout/';
  /** Null on a page that must not reveal the company. */
  readonly shop: Shop | null;
  readonly main: Html;
  readonly head?: Html;
};

export function page({ site, title, root, shop, main, head = NOTHING }: Frame): Html {
  const { language, timeZone, isTest } = site;
  const { texts } = language;
  const color = shop?.branding.color ?? null;
  return html`<!doctype html>
<html lang="${language.locale}" data-zone="${timeZone}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<title>${isTest ? `[${texts.testMode.name}] ${title}` : title}</title>
<link rel="icon" href="${FAVICON}">
<link rel="stylesheet" href="${root}assets/${STYLE.name}">
${color === null ? NOTHING : html`<link rel="stylesheet" href="${root}assets/${brandFile(color)}">`}
<script src="${root}assets/${SCRIPT.name}" defer></script>
${head}
</head>
<body>
<header>
${isTest ? html`<p class="test-mode"><strong>${texts.testMode.name}</strong> <span>${texts.testMode.text}</span></p>` : NOTHING}
<div class="bar">
<div class="bar-inner">
${shop === null ? html`<span class="company"></span>` : brand(shop, root)}
<span class="secure">${icon('lock')}${texts.secure}</span>
</div>
</div>
</header>
<main>${main}</main>
${shop === null ? NOTHING : footer(shop, site)}
</body>
</html>`;
}

function brand({ name, branding }: Shop, root: string): Html {
  if (branding.logo !== null)
    return html`<span class="company"><img class="logo" src="${root}${logoPath(branding.logo)}" alt="${name}"></span>`;
  const [initial = ''] = name.trim();
  return html`<span class="company"><span class="monogram" aria-hidden="true">${initial.toUpperCase()}</span>${name}</span>`;
}

function footer({ branding: { supportEmail, termsUrl } }: Shop, { language: { texts } }: Site): Html {
  if (supportEmail === null && termsUrl === null) return NOTHING;
  return html`<footer>
${supportEmail === null ? NOTHING : html`<span>${texts.help} <a href="mailto:${supportEmail}">${supportEmail}</a></span>`}
${termsUrl === null ? NOTHING : html`<a href="${termsUrl}">${texts.terms}</a>`}
</footer>`;
}

/** Line drawings on a grid of 24, in the colour of the text around them. */
const DRAWINGS = {
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  shield: '<path d="M12 3l7 3v5c0 4.6-2.9 8-7 10-4.1-2-7-5.4-7-10V6z"/><path d="M9 12l2.2 2.2L15.2 10"/>',
  card: '<rect x="3" y="6" width="18" height="12" rx="2"/><path d="M3 10h18M7 15h4"/>',
  mobile: '<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 17.5h2"/>',
  balance:
    '<path d="M4 8.5A2.5 2.5 0 0 1 6.5 6H18v3"/><rect x="4" y="9" width="16" height="10" rx="2"/><path d="M16 14h.5"/>',
  check: '<circle cx="12" cy="12" r="9"/><path d="M8 12.5l2.7 2.7L16 9.8"/>',
  clock: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5.2l3.2 2"/>',
  cross: '<circle cx="12" cy="12" r="9"/><path d="M9 9l6 6M15 9l-6 6"/>',
  alert: '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.3v.2"/>',
} as const;
export type Icon = keyof typeof DRAWINGS;

export function icon(name: Icon): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${raw(DRAWINGS[name])}</svg>`;
}

const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0f6b4f" stroke-width="2">${DRAWINGS.shield}</svg>`,
)}`;
