import { permits, type Role } from '../domain/roles.ts';
import type { ApiProblem } from './api-client.ts';
import { ASSET_PATHS } from './assets.ts';
import { Html, html, NOTHING, rich } from './components/html.ts';
import { notice, shortId } from './components/parts.ts';
import { spanText } from './components/time.ts';
import { LANGUAGES } from './language/languages.ts';
import { Message, type Text, t } from './language/message.ts';
import { type ConsolePage, MENU_SECTIONS, type MenuSection, type Screen, type Visit } from './page.ts';
import { fieldSentence, sentenceOf } from './problems.ts';
import { askedPath } from './responses.ts';
import type { Tone } from './session/session.ts';

/** The frame of every page. No inline script and no inline style: the content security policy allows neither. */

/** htmx would add a style element and evaluate code in attributes by default. */
const HTMX_SETTINGS = JSON.stringify({
  includeIndicatorStyles: false,
  allowEval: false,
  allowScriptTags: false,
  historyCacheSize: 0,
  selfRequestsOnly: true,
});

const LANGUAGE_TAG = new Message(({ tag }) => tag);

/** What the scripts show. */
const SCRIPT_TEXTS = html` data-locale="${new Message(({ locale }) => locale)}" data-text-copy="${t('Copy')}" data-text-copy-named="${t('Copy {name}', { name: '%' })}" data-text-id="${t('the id')}" data-text-copied="${t('Copied')}" data-text-not-copied="${t('Not copied')}" data-text-exported="${t('Rows exported')}" data-text-rows="${t('Rows: {count}', { count: '%' })}" data-text-cut-off="${t('The export was cut off. Try again.')}"`;

/** Under every page: the choice of the language. `path`: the page to go back to, below `/console`. */
function languageChoice(path: string): Html {
  return html`<form class="languages" method="post" action="/console/language" aria-label="${t('Language')}">
<input type="hidden" name="next" value="${path}">${Object.values(LANGUAGES).map(
    ({ tag, name }) =>
      html`<button class="quiet" name="language" value="${tag}" lang="${tag}"${new Html((language) => (language.tag === tag ? ' aria-current="true"' : ''))}>${name}</button>`,
  )}</form>`;
}

function htmlDocument(title: Text, body: Html, className: string): Html {
  return html`<!doctype html>
<html lang="${LANGUAGE_TAG}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="htmx-config" content="${HTMX_SETTINGS}">
<title>${title} · ${t('Escrow console')}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console${ASSET_PATHS.style}">
<script src="/console${ASSET_PATHS.htmx}" defer></script>
<script src="/console${ASSET_PATHS.script}" defer></script>
</head>
<body class="${className}"${SCRIPT_TEXTS}>
${body}
</body>
</html>`;
}

/** A page outside a session: login, and failures that no session belongs to. `path`: its own, for the choice of the language. */
export function barePage(title: Message, main: Html, path: string | null = null): Html {
  return htmlDocument(
    title,
    html`<main class="bare" id="main">${main}</main>${path === null ? NOTHING : html`<footer>${languageChoice(path)}</footer>`}`,
    'bare-page',
  );
}

export function framedPage(page: ConsolePage, visit: Visit, screen: Screen, pages: readonly ConsolePage[]): Html {
  const title = screen.title ?? page.title;
  if (screen.isShownOnce === true) return shownOncePage(title, screen.main);
  return htmlDocument(
    title,
    html`<a class="skip" href="#main">${t('Skip to content')}</a>
<header class="top">
<a class="brand" href="/console">${t('Escrow console')}</a>
${searchBox(visit)}
${person(visit)}
</header>
<div class="frame">
${menu(page, visit, pages)}
<main id="main" tabindex="-1">
${trail(screen)}
<h1>${title}</h1>
${flashBox(visit.session.flash)}
${refusedBox(visit)}
${screen.main}
</main>
<p class="hidden" id="announcements" role="status"></p>
</div>
${languagesUnder(visit)}`,
    'framed',
  );
}

/** Not under the answer to a form: the page would be asked for again, without what was typed. */
function languagesUnder({ c, language }: Visit): Html {
  return c.req.method === 'POST'
    ? NOTHING
    : html`<footer>${zoneNote(language)}${languageChoice(askedPath(c))}</footer>`;
}

function zoneNote({ timeZone }: Visit['language']): Html {
  return html`<p class="soft">${t('Times are in {zone}.', { zone: timeZone })}</p>`;
}

/** The main part alone. */
function shownOncePage(title: Text, main: Html): Html {
  const body = html`<header class="top"><span class="brand">${t('Escrow console')}</span></header>
<div class="frame">
<main id="main" tabindex="-1"><h1>${title}</h1>
${main}
</main>
<p class="hidden" id="announcements" role="status"></p>
</div>`;
  return htmlDocument(title, body, 'framed');
}

function searchBox({ query }: Visit): Html {
  return html`<form class="search" role="search" action="/console/search" method="get">
<label class="hidden" for="search">${t('Search an id, reference, phone or name')}</label>
<input id="search" name="q" type="search" placeholder="${t('Search id, reference, phone, name')}" value="${query.get('q') ?? ''}" maxlength="255" autocomplete="off" spellcheck="false" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
</form>`;
}

const ROLE_NAMES = {
  SUPER_ADMIN: t('Platform'),
  OWNER: t('Owner'),
  ADMIN: t('Administrator'),
  MANAGER: t('Manager'),
} as const satisfies Readonly<Record<Role, Message>>;

function person({ session, csrf, now, companyNow }: Visit): Html {
  const aheadMs = companyNow.getTime() - now.getTime();
  const isAway = session.companyId !== session.homeCompanyId;
  return html`<div class="person">
${isAway ? html`<span class="away">${rich('for {company}', { company: html`<strong>${session.companyName}</strong> ${shortId(session.companyId)}` })}</span>` : NOTHING}
${aheadMs < 60_000 ? NOTHING : html`<a class="away" href="/console/clock">${t('The test clock is {span} ahead', { span: spanText(aheadMs) })}</a>`}
<span class="who"><span class="email" title="${session.email}">${session.email}</span> <span class="role">${ROLE_NAMES[session.role]}</span></span>
<a href="/console/password">${t('Password')}</a> <a href="/console/second-factor">${t('Second factor')}</a> <a href="/console/sessions">${t('Sessions')}</a>
<form method="post" action="/console/logout"><input type="hidden" name="csrf" value="${csrf}"><button class="quiet">${t('Log out')}</button></form>
</div>`;
}

function menu(current: ConsolePage, { session, settings }: Visit, pages: readonly ConsolePage[]): Html {
  const visible = pages.filter(
    (page) =>
      page.menu !== undefined &&
      permits(session.role, page.who) &&
      !(page.isSandboxOnly === true && settings.isProduction),
  );
  if (session.mustChangePassword || session.mustEnrolMfa) return NOTHING;
  const isWithin = (page: ConsolePage) => current === page || current.path.startsWith(`${page.path}/`);
  const sections = MENU_SECTIONS.map((section) => ({
    section,
    pages: visible.filter((page) => page.menu?.section === section),
  })).filter((one) => one.pages.length > 0);
  return html`<nav class="menu" aria-label="${t('Console')}">
<details class="menu-phone"><summary>${t('Menu')}</summary>${menuLists(sections, isWithin)}</details>
<div class="menu-desktop">${menuLists(sections, isWithin)}</div>
</nav>`;
}

const SECTION_NAMES = {
  Work: t('Work'),
  Money: t('Money'),
  Company: t('Company'),
  Platform: t('Platform'),
} as const satisfies Readonly<Record<MenuSection, Message>>;

function menuLists(
  sections: readonly { readonly section: MenuSection; readonly pages: readonly ConsolePage[] }[],
  isWithin: (page: ConsolePage) => boolean,
): Html {
  return html`${sections.map(
    ({ section, pages }) => html`<p class="menu-section">${SECTION_NAMES[section]}</p>
<ul>${pages.map(
      (page) =>
        html`<li><a href="/console${page.path === '/' ? '' : page.path}" ${isWithin(page) ? html`aria-current="page"` : NOTHING}>${page.menu?.label}</a></li>`,
    )}</ul>`,
  )}`;
}

function trail({ trail: pages = [] }: Screen): Html {
  if (pages.length === 0) return NOTHING;
  return html`<nav class="trail" aria-label="${t('Above this page')}"><ol>${pages.map(
    ([label, path]) => html`<li><a href="/console${path}">${label}</a></li>`,
  )}</ol></nav>`;
}

export function flashBox(flash: { readonly tone: Tone; readonly text: Text } | null): Html {
  if (flash === null) return NOTHING;
  return notice(flash);
}

/** What went wrong, and which fields are not valid. */
export function problemNotice(problem: ApiProblem): Html {
  const fields = problem.errors.map((error) => html`<li>${fieldSentence(error)}</li>`);
  const text = html`<p>${sentenceOf(problem)}</p>${fields.length === 0 ? NOTHING : html`<ul class="plain">${fields}</ul>`}`;
  return notice({ tone: 'bad', text, isFirst: true });
}

function refusedBox({ refused }: Visit): Html {
  if (refused === null) return NOTHING;
  return problemNotice(refused.problem);
}
