// What the pages do beyond links and forms. Every page works without it.

/** Texts come with the page, in its language. */
const TEXTS = document.body.dataset;
const COPIED_MS = 2_000;

/** A button behind each id, address and secret. Browsers offer the clipboard over TLS and to localhost only. */
function offerCopies(root) {
  if (navigator.clipboard === undefined) return;
  for (const source of root.querySelectorAll('[data-copy]')) {
    if (source.nextElementSibling?.matches('.copy')) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = TEXTS.textCopy;
    button.setAttribute('aria-label', TEXTS.textCopyNamed.replace('%', source.dataset.copy || TEXTS.textId));
    button.addEventListener('click', () => void copy(source.textContent, button));
    source.after(button);
  }
}

async function copy(text, button) {
  const said = document.querySelector('#announcements');
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = TEXTS.textCopied;
  } catch {
    button.textContent = TEXTS.textNotCopied;
  }
  if (said !== null) said.textContent = button.textContent;
  setTimeout(() => {
    button.textContent = TEXTS.textCopy;
  }, COPIED_MS);
}

const isTyping = (element) => element?.matches('input, textarea, select, [contenteditable]') === true;

/** Escape closes the menu, or the opened part that the focus is in; else the last one that stands open. */
function closeInnermost(event) {
  const own = document.activeElement?.closest('details[open]');
  const open =
    own ?? [...document.querySelectorAll('details.menu-phone[open], details.confirm[open], details.more[open]')].at(-1);
  if (open === undefined || open === null) return;
  event.preventDefault();
  open.open = false;
  open.querySelector('summary')?.focus();
}

/** `/` searches, and Escape closes. The arrow keys walk through the rows of a list; Enter follows the link that has the focus. */
function onKey(event) {
  if (event.key === 'Escape') {
    closeInnermost(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(document.activeElement)) return;
  if (event.key === '/') {
    const search = document.querySelector('#search');
    if (search === null) return;
    event.preventDefault();
    search.focus();
    search.select();
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (step === undefined) return;
  const links = [...document.querySelectorAll('[data-rows] .row-link')];
  if (links.length === 0) return;
  const now = links.indexOf(document.activeElement);
  const next = links[now === -1 ? (step === 1 ? 0 : links.length - 1) : now + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** For browsers that do not report that a navigation was stopped. The second form acts once with the first one. */
const LONGEST_WAIT_MS = 10_000;

/** The second of two quick clicks sends nothing, while the first one waits for its answer. */
function onSubmit(event) {
  const form = event.target;
  if (form.method !== 'post' || event.defaultPrevented) return;
  if (Date.now() - Number(form.dataset.sent ?? 0) < LONGEST_WAIT_MS) event.preventDefault();
  else form.dataset.sent = String(Date.now());
}

/** The browser keeps the mark when somebody comes back, and when somebody stops the form that is being sent. */
function forgetSent() {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
}

/** Browsers show no answer to a file that the server does not read to its end. */
function onChange({ target }) {
  const { maxBytes, tooLarge } = target.dataset;
  if (maxBytes === undefined) return;
  target.setCustomValidity((target.files[0]?.size ?? 0) > Number(maxBytes) ? tooLarge : '');
  target.reportValidity();
}

// The answer to a form becomes an ordinary entry of the history: Back and Reload ask for the page, and never send the form again.
history.replaceState(history.state, '', location.href);
document.addEventListener('keydown', onKey);
document.addEventListener('submit', onSubmit);
document.addEventListener('change', onChange);
window.addEventListener('pageshow', forgetSent);
window.navigation?.addEventListener('navigate', ({ signal }) => signal.addEventListener('abort', forgetSent));
const enhance = (root) => {
  offerCopies(root);
};
document.addEventListener('htmx:afterSwap', (event) => enhance(event.target.parentElement ?? document));
enhance(document);
