// What the pages do beyond links and forms. Every page works without it.

const SHOWN = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Times in the reader's zone. The title keeps UTC. */
function localizeTimes(root) {
  for (const time of root.querySelectorAll('time[data-local]')) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = SHOWN.format(at);
  }
}

const isTyping = (element) => element?.matches('input, textarea, select, [contenteditable]') === true;

/** `/` searches. The arrow keys walk through the rows of a list; Enter follows the link that has the focus. */
function onKey(event) {
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

document.addEventListener('keydown', onKey);
document.addEventListener('htmx:afterSwap', (event) => localizeTimes(event.target.parentElement ?? document));
localizeTimes(document);
