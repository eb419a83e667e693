/* The only script of the checkout's own. Every page works without it. */

/* Times in the buyer's zone, with UTC beside: only the browser knows the zone. */
for (const time of document.querySelectorAll('time')) {
  const at = new Date(time.dateTime);
  if (at.getTimezoneOffset() === 0) continue;
  const { lang } = document.documentElement;
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' };
  const format = new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'long', year: 'numeric', ...clock });
  const utc = document.createElement('span');
  utc.className = 'utc';
  const isSameDay = at.getDate() === at.getUTCDate();
  utc.textContent = isSameDay
    ? new Intl.DateTimeFormat(lang, { ...clock, timeZone: 'UTC' }).format(at)
    : time.textContent;
  time.textContent = format.format(at);
  time.after(' ', utc);
}

/* The gateway's card form reads its language here. */
globalThis.wpwlOptions = { locale: document.documentElement.lang.slice(0, 2) };
