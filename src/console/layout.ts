import { permits } from '../domain/roles.ts';
import type { ApiProblem } from './api-client.ts';
import { ASSET_PATHS } from './assets.ts';
import { type Html, html, NOTHING } from './components/html.ts';
import { notice, shortId } from './components/parts.ts';
import { type ConsolePage, MENU_SECTIONS, type Screen, type Visit } from './page.ts';
import { fieldSentence, sentenceOf } from './problems.ts';
import type { Flash } from './session/session.ts';

/** The frame of every page. No inline script and no inline style: the content security policy allows neither. */

/** htmx would add a style element and evaluate code in attributes by default. */
const HTMX_SETTINGS = JSON.stringify({
  includeIndicatorStyles: false,
  allowEval: false,
  allowScriptTags: false,
  historyCacheSize: 0,
  selfRequestsOnly: true,
});

export function htmlDocument(title: string, body: Html, className: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="htmx-config" content="${HTMX_SETTINGS}">
<title>${title} · Escrow console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console${ASSET_PATHS.style}">
<script src="/console${ASSET_PATHS.htmx}" defer></script>
<script src="/console${ASSET_PATHS.script}" defer></script>
</head>
<body class="${className}">
${body}
</body>
</html>`;
}

/** A page outside a session: login, and failures that no session belongs to. */
export function barePage(title: string, main: Html): Html {
  return htmlDocument(title, html`<main class="bare" id="main">${main}</main>`, 'bare-page');
}

export function framedPage(page: ConsolePage, visit: Visit, screen: Screen, pages: readonly ConsolePage[]): Html {
  const title = screen.title ?? page.title;
  return htmlDocument(
    title,
    html`<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="brand" href="/console">Escrow console</a>
${searchBox(visit)}
${person(visit)}
</header>
<div class="frame">
${menu(page, visit, pages)}
<main id="main" tabindex="-1">
${trail(screen)}
<h1>${title}</h1>
${flashBox(visit.session.flash)}
${attemptBox(visit)}
${screen.main}
</main>
<p class="hidden" id="announcements" role="status"></p>
</div>`,
    'framed',
  );
}

function searchBox({ query }: Visit): Html {
  return html`<form class="search" role="search" action="/console/search" method="get">
<label class="hidden" for="search">Search an id, reference, phone or name</label>
<input id="search" name="q" type="search" placeholder="Search id, reference, phone, name" value="${query.get('q') ?? ''}" maxlength="255" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
</form>`;
}

const ROLE_NAMES = { SUPER_ADMIN: 'Platform', OWNER: 'Owner', ADMIN: 'Administrator', MANAGER: 'Manager' } as const;

function person({ session, csrf }: Visit): Html {
  const isAway = session.companyId !== session.homeCompanyId;
  return html`<div class="person">
${isAway ? html`<span class="away">for <strong>${session.companyName}</strong> ${shortId(session.companyId)}</span>` : NOTHING}
<span class="who"><span class="email" title="${session.email}">${session.email}</span> <span class="role">${ROLE_NAMES[session.role]}</span></span>
<a href="/console/password">Password</a>
<form method="post" action="/console/logout"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet">Log out</button></form>
</div>`;
}

function menu(current: ConsolePage, { session, settings }: Visit, pages: readonly ConsolePage[]): Html {
  const visible = pages.filter(
    (page) =>
      page.menu !== undefined &&
      permits(session.role, page.who) &&
      !(page.isSandboxOnly === true && settings.isProduction),
  );
  if (session.mustChangePassword) return NOTHING;
  const isWithin = (page: ConsolePage) => current === page || current.path.startsWith(`${page.path}/`);
  const sections = MENU_SECTIONS.map((section) => ({
    section,
    pages: visible.filter((page) => page.menu?.section === section),
  })).filter((one) => one.pages.length > 0);
  return html`<nav class="menu" aria-label="Console">
<details class="menu-phone"><summary>Menu</summary>${menuLists(sections, isWithin)}</details>
<div class="menu-desktop">${menuLists(sections, isWithin)}</div>
</nav>`;
}

function menuLists(
  sections: readonly { readonly section: string; readonly pages: readonly ConsolePage[] }[],
  isWithin: (page: ConsolePage) => boolean,
): Html {
  return html`${sections.map(
    ({ section, pages }) => html`<p class="menu-section">${section}</p>
<ul>${pages.map(
      (page) =>
        html`<li><a href="/console${page.path === '/' ? '' : page.path}" ${isWithin(page) ? html`aria-current="page"` : NOTHING}>${page.menu?.label}</a></li>`,
    )}</ul>`,
  )}`;
}

function trail({ trail: pages = [] }: Screen): Html {
  if (pages.length === 0) return NOTHING;
  return html`<nav class="trail" aria-label="Above this page"><ol>${pages.map(
    ([label, path]) => html`<li><a href="/console${path}">${label}</a></li>`,
  )}</ol></nav>`;
}

export function flashBox(flash: Flash | null): Html {
  if (flash === null) return NOTHING;
  return notice(flash);
}

/** What went wrong, and which fields are not valid. */
export function problemNotice(problem: ApiProblem): Html {
  const fields = problem.errors.map((error) => html`<li>${fieldSentence(error)}</li>`);
  const text = html`<p>${sentenceOf(problem)}</p>${fields.length === 0 ? NOTHING : html`<ul class="plain">${fields}</ul>`}`;
  return notice({ tone: 'bad', text });
}

function attemptBox({ attempt }: Visit): Html {
  if (attempt === null) return NOTHING;
  return problemNotice(attempt.problem);
}
