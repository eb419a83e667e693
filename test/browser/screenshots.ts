import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DESKTOP, PHONE, startBrowser } from '../support/browser.ts';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';
import { startService } from '../support/service.ts';
import { openShop, SCENES } from './scenes.ts';

/** `npm run screenshots`: writes every state of the hosted checkout, at both widths, to docs/screenshots. */

const DIRECTORY = new URL('../../docs/screenshots/', import.meta.url).pathname;
const SHOTS = [
  { name: 'phone', viewport: PHONE, colorScheme: 'light' },
  { name: 'desktop', viewport: DESKTOP, colorScheme: 'light' },
] as const;
/** In the dark only where it tells something new. */
const DARK = [{ name: 'phone-dark', viewport: PHONE, colorScheme: 'dark' }] as const;
const SHOWN_DARK: readonly string[] = ['open', 'paid'];

rmSync(DIRECTORY, { recursive: true, force: true });
mkdirSync(DIRECTORY, { recursive: true });
await globalSetup();
const service = await startService();
const browser = await startBrowser();
try {
  const shop = await openShop(service);
  for (const scene of SCENES) {
    const path = await scene.arrange(shop);
    for (const { name, ...settings } of SHOWN_DARK.includes(scene.name) ? [...SHOTS, ...DARK] : SHOTS) {
      const context = await browser.newContext({ ...settings, reducedMotion: 'reduce' });
      const page = await context.newPage();
      await page.goto(`${service.url}${path}`, { waitUntil: 'load' });
      await scene.act?.(page);
      await page.screenshot({ path: join(DIRECTORY, `${scene.name}-${name}.png`), fullPage: true });
      await context.close();
    }
    console.log(scene.name);
  }
} finally {
  await browser.close();
  await service.stop();
  await globalTeardown();
}
