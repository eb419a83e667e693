/** Mends what the vendored reference page does wrong for people with a screen reader, a keyboard or weak eyes. */

/** Colours with a contrast of 4.5 to 1, and buttons of at least 24 by 24 pixels (WCAG 1.4.3 and 2.5.8). */
export const ACCESSIBLE_STYLE = `
.light-mode { --scalar-color-2: #525252; --scalar-color-3: #5e5e5e; --scalar-sidebar-color-2: #525252;
  --scalar-sidebar-search-color: #5e5e5e; --scalar-color-green: #056b3a; --scalar-color-red: #b3132b; --scalar-color-orange: #9a4a00;
  --scalar-color-blue: #0a5ca8; --scalar-color-yellow: #7a5a00; --scalar-color-purple: #5b3fb0; --scalar-color-accent: #0a5ca8; }
.dark-mode { --scalar-color-2: #b9b9b9; --scalar-color-3: #b0b0b0; --scalar-sidebar-color-2: #b9b9b9;
  --scalar-sidebar-search-color: #b0b0b0; }
.sidebar-search-placeholder, .client-libraries-text { opacity: 1 !important; }
button { min-width: 24px; min-height: 24px; }
`;

/** Runs in the page, whenever it changes: names unnamed buttons, and lets the keyboard reach lists that scroll. */
export const ACCESSIBLE_SCRIPT = `
function mend() {
  for (const button of document.querySelectorAll('button.scalar-code-copy:not([aria-label])')) button.setAttribute('aria-label', 'Copy');
  for (const button of document.querySelectorAll('button.show-more[aria-label]')) button.removeAttribute('aria-label');
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.setAttribute('tabindex', '0');
}
new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
`;
