import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { LOCALES } from '../../src/domain/locale.ts';
import { DESKTOP, PHONE, startBrowser } from '../support/browser.ts';
import globalSetup from '../support/global-setup.ts';
import globalTeardown from '../support/global-teardown.ts';
import { ownService } from '../support/own-service.ts';
import { openShop, SCENES } from './scenes.ts';

/**
 * `npm run screenshots`: writes every state of the hosted checkout to dist/screenshots, in every language: on a phone, on a
 * phone in dark mode, and on a desktop. Words after the command select scenes: `npm run screenshots open paid`.
 */

const DIRECTORY = new URL('../../dist/screenshots/', import.meta.url).pathname;
const SHOTS = [
  { name: 'phone', viewport: PHONE, colorScheme: 'light' },
  { name: 'phone-dark', viewport: PHONE, colorScheme: 'dark' },
  { name: 'desktop', viewport: DESKTOP, colorScheme: 'light' },
] as const;
/** A palette keeps the files small. */
const COLORS = 64;

const chosen = process.argv.slice(2);
const scenes = SCENES.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
for (const locale of LOCALES) {
  if (chosen.length === 0) rmSync(join(DIRECTORY, locale), { recursive: true, force: true });
  mkdirSync(join(DIRECTORY, locale), { recursive: true });
}
await globalSetup();
const service = await ownService();
const browser = await startBrowser();
try {
  const shop = await openShop(service);
  for (const scene of scenes) {
    const path = await scene.arrange(shop);
    for (const locale of LOCALES)
      for (const { name, ...settings } of SHOTS) {
        const context = await browser.newContext({
          ...settings,
          locale,
          timezoneId: 'Africa/Harare',
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        await page.goto(`${service.url}${path}`, { waitUntil: 'load' });
        await scene.act?.(page);
        const taken = await page.screenshot({ fullPage: true });
        const reduced = await sharp(taken).png({ palette: true, colors: COLORS }).toBuffer();
        await sharp(reduced)
          .webp({ lossless: true })
          .toFile(join(DIRECTORY, locale, `${scene.name}-${name}.webp`));
        await context.close();
      }
    console.log(scene.name);
  }
} finally {
  await browser.close();
  await service.stop();
  await globalTeardown();
}
