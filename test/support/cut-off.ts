import type { Page } from 'playwright-core';

/** What a reader cannot see although it is on the page. */

/** A small laptop, and a usual screen at 200 % zoom. */
export const NARROW = [
  { width: 1024, height: 700 },
  { width: 640, height: 430 },
] as const;

/** A gradient at the edge of what scrolls, or three dots, say that there is more. A choice may be cut off if the page has its words elsewhere. */
const MEASURE = `(() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const nameOf = (one) => one.tagName.toLowerCase() + (one.id && '#' + one.id) + (one.getAttribute('class') ? '.' + one.getAttribute('class').replace(/ /g, '.') : '') +
    ' ' + one.textContent.trim().replace(/\\s+/g, ' ').slice(0, 50);
  const look = (one, isScrolled) => {
    const style = getComputedStyle(one);
    const box = one.getBoundingClientRect();
    const isForReadersOnly = style.clipPath !== 'none' || (box.width <= 1 && box.height <= 1 && style.overflow === 'hidden');
    if (style.display === 'none' || style.visibility === 'hidden' || isForReadersOnly) return;
    if (!isScrolled && box.width > 0 && box.height > 0 && (box.right > width + 1 || box.left < -1)) found.push('outside: ' + nameOf(one));
    const isWider = one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
    const isHigher = one.clientHeight > 0 && one.scrollHeight > one.clientHeight + 1;
    const hides = (overflow) => overflow === 'hidden' || overflow === 'clip';
    const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll';
    const isField = one.matches('input, select, textarea, iframe, svg');
    if (!isField && ((isWider && hides(style.overflowX) && style.textOverflow !== 'ellipsis') || (isHigher && hides(style.overflowY))))
      found.push('cut off: ' + nameOf(one));
    if (!isField && isWider && scrolls && !style.backgroundImage.includes('gradient')) found.push('scrolls without a cue: ' + nameOf(one));
    if (!isField && isWider && style.overflowX === 'visible' && style.display !== 'inline' && one.matches('a, button, .button, th, td, dd, dt, span, h1, h2, p, label'))
      found.push('wider than its place: ' + nameOf(one));
    if (one.matches('select') && one.selectedOptions.length > 0) {
      const pen = document.createElement('canvas').getContext('2d');
      pen.font = style.font;
      const room = one.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const { text } = one.selectedOptions[0];
      const isElsewhere = [...document.querySelectorAll('li, p, dd')].some((other) => other.textContent.includes(text));
      if (pen.measureText(text).width > room + 2 && !isElsewhere) found.push('choice cut off: ' + one.name + ' ' + text);
    }
    if (!one.matches('svg')) for (const child of one.children) look(child, isScrolled || scrolls);
  };
  look(document.body, false);
  if (document.documentElement.scrollWidth > width) found.push('the page scrolls sideways');
  return found;
})()`;

/** A laptop shows the last column, which has the buttons. */
export const LAPTOPS = [
  { width: 1280, height: 860 },
  { width: 1024, height: 700 },
] as const;

/** The tables that are wider than their frames. */
export function wideTablesIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.table-frame')]
    .filter((one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth)
    .map((one) => one.getAttribute('aria-label') + ': ' + one.scrollWidth + ' in ' + one.clientWidth)`);
}

export function cutOffIn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(MEASURE);
}
