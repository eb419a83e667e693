/* The only script of the checkout's own. Every page works without it. */

/* Times in the buyer's zone, with the company's beside: only the browser knows the buyer's. */
const { lang, dataset } = document.documentElement;
const clock = { hour: 'numeric', minute: '2-digit' };
const date = { day: 'numeric', month: 'long', year: 'numeric' };
for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime);
  const written = (options) => new Intl.DateTimeFormat(lang, options).format(at);
  if (written({ ...date, ...clock }) === written({ ...date, ...clock, timeZone: dataset.zone })) continue;
  const other = document.createElement('span');
  other.className = 'utc';
  const isSameDay = written(date) === written({ ...date, timeZone: dataset.zone });
  other.textContent = isSameDay
    ? written({ ...clock, timeZoneName: 'short', timeZone: dataset.zone })
    : time.textContent;
  time.textContent = written({ ...date, ...clock, timeZoneName: 'short' });
  time.after(' ', other);
}

/* Files that are too large are not sent. */
for (const field of document.querySelectorAll('[data-too-large]'))
  field.addEventListener('change', () => {
    const { each, all, tooLarge } = field.dataset;
    let left = Number(all);
    for (const { size } of field.files) left = size > Number(each) ? -1 : left - size;
    field.setCustomValidity(left < 0 ? tooLarge : '');
    field.reportValidity();
  });

/* The gateway's card form reads its language here. */
globalThis.wpwlOptions = { locale: document.documentElement.lang.slice(0, 2) };
