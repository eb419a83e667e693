import type { Page } from 'playwright-core';
import { WAIT } from './browser.ts';

/** A person who has only the keyboard. */

const CONTROLS = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
const MAX_STOPS = 150;

/** Where the focus is; null: at the browser itself, before and after the page. */
type Stop = {
  /** Of the control, among all of the page in their order. */
  readonly index: number;
  readonly name: string;
  readonly kind: 'a' | 'button' | 'input' | 'select' | 'textarea' | 'summary';
  readonly isClosed: boolean;
  readonly complaints: readonly string[];
};

/** Links and buttons count their presses, and do nothing. */
const PREPARE = `
  const controls = [...document.querySelectorAll(${JSON.stringify(CONTROLS)})];
  globalThis.walk = { controls, before: null, presses: new Map() };
  addEventListener('click', (event) => {
    const pressed = event.target.closest('a[href], button');
    if (pressed === null) return;
    event.preventDefault();
    walk.presses.set(pressed, (walk.presses.get(pressed) ?? 0) + 1);
  }, true);`;

const LOOK = `(() => {
  const one = document.activeElement;
  if (one === null || one === document.body || one === document.documentElement) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const [box] = one.getClientRects();
  const complaints = [];
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) complaints.push('has no visible focus');
  const isOnScreen = box !== undefined && box.width > 4 && box.height > 4 && box.bottom > 0 && box.top < innerHeight;
  if (!isOnScreen) complaints.push('is not on the screen');
  else {
    const y = Math.min(Math.max(box.top + box.height / 2, 1), innerHeight - 1);
    const shown = document.elementFromPoint(box.left + box.width / 2, y);
    if (shown === null || !(one.contains(shown) || shown.contains(one))) complaints.push('is covered');
  }
  const [last] = walk.before?.getClientRects() ?? [];
  if (last !== undefined && box !== undefined && box.bottom <= last.top) complaints.push('stands above the control before it');
  walk.before = one;
  const kind = one.tagName.toLowerCase();
  const name = kind + ' ' + (one.textContent.trim() || one.name || one.id).replace(/\\s+/g, ' ').slice(0, 60);
  const isClosed = kind === 'summary' && !one.parentElement.open;
  return { index: walk.controls.indexOf(one), name, kind, isClosed, complaints };
})()`;

const MISSED = `walk.controls.map((one, index) => [one, index])
  .filter(([one]) => !one.disabled && (one.closest('details:not([open])') !== null || one.checkVisibility()))
  .map(([, index]) => index)`;

const PRESSES = '(() => walk.presses.get(document.activeElement) ?? 0)()';

/**
 * Goes through a page with Tab, unfolds what is folded, and presses each link and button. Returns what a person without a mouse would
 * complain of.
 */
export async function walkByKeyboard(page: Page): Promise<string[]> {
  await page.evaluate(PREPARE);
  const complaints: string[] = [];
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<Stop | null>(LOOK);
    if (stop === null || stop.index === stops[0]?.index) break; // it leaves the page, or begins again
    complaints.push(...stop.complaints.map((what) => `${stop.name} ${what}`));
    if (stops.length === MAX_STOPS || stops.some(({ index }) => index === stop.index))
      return [...complaints, `${stop.name} keeps the focus`];
    complaints.push(...(await operate(page, stop, stops.length)));
    stops.push(stop);
  }
  const all = await page.evaluate<number[]>(MISSED);
  const reached = stops.map(({ index }) => index);
  if (reached.join() !== all.join()) complaints.push(`Tab reaches ${reached.join()} of ${all.join()}`);
  return complaints;
}

async function operate(page: Page, { kind, name, isClosed }: Stop, count: number): Promise<string[]> {
  const keys = kind === 'button' ? ['Enter', 'Space'] : kind === 'a' ? ['Enter'] : [];
  for (const key of keys) await page.keyboard.press(key);
  if (isClosed) await page.keyboard.press(count % 2 === 0 ? 'Enter' : 'Space');
  const isOpen = !isClosed || (await page.evaluate<boolean>('document.activeElement.parentElement.open'));
  const presses = keys.length === 0 ? 0 : await page.evaluate<number>(PRESSES);
  return isOpen && presses === keys.length ? [] : [`${name} does not react to the keyboard`];
}

/** Presses Tab until the control with this selector has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const isThere = `document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`;
  for (let presses = 0; !(await page.evaluate<boolean>(isThere)); presses++) {
    if (presses === MAX_STOPS) throw new Error(`the keyboard does not reach ${selector}`);
    await page.keyboard.press('Tab');
  }
}

/** Proves to hold the phone of an order page, unless the page offers no act. `newCode`: waits for a code that comes after the call. */
export async function unlockByKeyboard(
  page: Page,
  newCode: (ask: () => Promise<void>) => Promise<string>,
): Promise<void> {
  if ((await page.locator('details.method').count()) === 0) return;
  if ((await page.locator('details.method[open]').count()) === 0) {
    await tabTo(page, 'details.method > summary');
    await page.keyboard.press('Enter');
  }
  const code = await newCode(async () => {
    await tabTo(page, 'form[action$="/code"] button');
    await page.keyboard.press('Enter');
    await page.locator('input[name=otp]:focus').waitFor(WAIT);
  });
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page
    .locator('form[action$="/act"]')
    .first()
    .waitFor({ ...WAIT, state: 'attached' });
}
