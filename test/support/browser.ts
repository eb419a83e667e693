import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { eventually, TIMEOUT_MS } from './eventually.ts';

/** A real browser from npm: `@sparticuz/chromium` contains the program, its libraries and fonts, so `npm ci` is enough. */

const ROOT = new URL('../../', import.meta.url).pathname;
const EXTRACT = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

/** The package's own font configuration names directories of its authors. */
const fontsIn = (directory: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${directory}/fonts</dir><cachedir>${directory}/fonts-cache</cachedir></fontconfig>
`;

/** The package unpacks into the temporary directory of its process. It therefore runs in a separate process, once per version. */
async function unpacked(): Promise<string> {
  const version = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies['@sparticuz/chromium'];
  const directory = join(tmpdir(), `escrow-chromium-${version}-${userInfo().username}`);
  if (existsSync(directory)) return directory;
  const fresh = mkdtempSync(`${directory}-`);
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', EXTRACT], {
    cwd: ROOT,
    // With this variable of its usual runtime it unpacks the system libraries too.
    env: { PATH: process.env.PATH ?? '', TMPDIR: fresh, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
  });
  writeFileSync(join(fresh, 'fonts', 'fonts.conf'), fontsIn(directory));
  try {
    renameSync(fresh, directory);
  } catch {
    rmSync(fresh, { recursive: true, force: true }); // another test was faster
  }
  return directory;
}

export async function startBrowser(): Promise<Browser> {
  const directory = await unpacked();
  return chromium.launch({
    executablePath: join(directory, 'chromium'),
    // Root, as in containers, cannot use the browser's own sandbox. The browser opens only our pages. It draws in its own process,
    // which is cheaper. Without a zygote the pages' processes are its children, so that the run's report counts their time.
    args: ['--no-sandbox', '--no-zygote', '--in-process-gpu', '--disable-gpu', '--font-render-hinting=none'],
    env: {
      PATH: process.env.PATH ?? '',
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(directory, 'fonts'),
    },
  });
}

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1280, height: 860 };

export const WAIT = { timeout: TIMEOUT_MS };

/** Logs into the console of the service at `url`, and waits for its first page. */
export async function logIn(
  page: Page,
  url: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.goto(`${url}/console/login`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor(WAIT);
}

/**
 * Leaves what a page shows. What the page still does ends before this returns. An answer of the same service keeps the browser's
 * process: after a blank page, the opener policy of our pages demands a new one, which costs more than a page.
 */
export async function leave(page: Page): Promise<void> {
  await eventually(async () => {
    try {
      await page.goto(page.url().startsWith('http') ? new URL('/health', page.url()).href : 'about:blank');
      return true;
    } catch (error) {
      // A page that loads itself again may do so at this moment.
      if (error instanceof Error && error.message.includes('interrupted by another navigation')) return false;
      throw error;
    }
  });
}

/** Leaves what a page shows, and forgets its cookies. */
export async function startAfresh(page: Page): Promise<void> {
  await leave(page);
  await page.context().clearCookies();
}

/**
 * A page that records what our pages must never do: errors, requests to hosts other than `origins`, and Referer headers. The
 * header is read as it was sent: what the browser reports when a request starts names a Referer that is not sent after a
 * refresh that is redirected.
 */
export async function openPage(
  context: BrowserContext,
  origins: readonly string[],
): Promise<{ page: Page; complaints: string[] }> {
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT.timeout);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && !origins.includes(url.origin)) complaints.push(`request: ${url.href}`);
  });
  page.on('requestfinished', async (request) => {
    const referer = await request.headerValue('referer').catch(() => null); // fails if the page was closed
    if (referer !== null && referer !== '') complaints.push(`referer: ${referer}`);
  });
  return { page, complaints };
}
