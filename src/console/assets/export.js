// Exports: shows how many rows have come, and saves the file when all are there. Without this script the browser downloads it.

const STEP_MS = 200;

/** The page that asks for something first: the login, which leads back to this list, or a new password. Null for an answer to the request. */
function pageInstead(answer) {
  if (answer.redirected) return answer.url;
  if (answer.status !== 401) return null;
  const next = location.pathname.replace(/^\/console/, '') + location.search;
  return `/console/login?${new URLSearchParams({ next, ended: '' })}`;
}

async function exportRows(link) {
  const texts = document.body.dataset;
  const total = Number(link.dataset.rowsTotal ?? 0);
  const box = document.createElement('span');
  box.className = 'export-progress';
  box.setAttribute('role', 'status');
  const bar = document.createElement('progress');
  bar.setAttribute('aria-label', texts.textExported);
  if (total > 0) bar.max = total;
  const text = document.createElement('span');
  box.append(bar, text);
  link.replaceWith(box);
  const show = (rows) => {
    if (total > 0) bar.value = Math.min(rows, total);
    text.textContent = texts.textRows.replace('%', rows.toLocaleString(texts.locale));
  };
  try {
    const answer = await fetch(link.href, { credentials: 'same-origin', headers: { accept: 'text/csv' } });
    const elsewhere = pageInstead(answer);
    if (elsewhere !== null) {
      location.assign(elsewhere);
      return;
    }
    const isFile = answer.ok && answer.headers.get('content-type')?.startsWith('text/csv') === true;
    if (!isFile || answer.body === null) throw new Error(String(answer.status));
    const parts = [];
    let lines = 0;
    let shownAt = 0;
    for await (const part of answer.body) {
      parts.push(part);
      for (const byte of part) if (byte === 10) lines += 1;
      if (Date.now() - shownAt > STEP_MS) {
        show(Math.max(lines - 1, 0));
        shownAt = Date.now();
      }
    }
    show(Math.max(lines - 1, 0));
    const save = document.createElement('a');
    save.href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
    save.download = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'export.csv';
    save.click();
    URL.revokeObjectURL(save.href);
    box.replaceWith(link);
  } catch {
    text.textContent = texts.textCutOff;
    box.append(link);
  }
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a[data-export]') : null;
  if (link === null || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  void exportRows(link);
});
