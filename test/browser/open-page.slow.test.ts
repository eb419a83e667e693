import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openPage, startBrowser, WAIT } from '../support/browser.ts';

/** A form that leads to a page that refreshes itself, and is then redirected. `policy` applies to all of them. */
async function startSite(policy: string): Promise<{ server: Server; url: string }> {
  let refreshes = 0;
  const server = createServer((request, response) => {
    response.setHeader('Referrer-Policy', policy).setHeader('Content-Type', 'text/html');
    const redirect = (location: string) => response.writeHead(303, { location }).end();
    if (request.url === '/start') response.end('<form action="/go" method="post"><button>Go</button></form>');
    else if (request.url === '/go') redirect('/wait');
    else if (request.url === '/end') response.end('<h1>The end</h1>');
    else if (request.url !== '/wait') response.writeHead(204).end();
    else if (refreshes++ === 0) response.setHeader('Refresh', '0.2').end('<p>Please wait</p>');
    else redirect('/end');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

test.each([
  { policy: 'no-referrer', sent: [] },
  { policy: 'same-origin', sent: ['/start', '/start', '/wait', '/wait'] },
])('a page with the policy $policy is reported for the Referer headers it sends', async ({ policy, sent }) => {
  const { server, url } = await startSite(policy);
  const context = await browser.newContext();
  const { page, complaints } = await openPage(context, [url]);
  await page.goto(`${url}/start`);
  await page.getByRole('button').click();
  await page.getByRole('heading', { name: 'The end' }).waitFor(WAIT);
  await page.waitForLoadState('networkidle');
  await context.close();
  server.close();
  expect([...complaints].sort()).toEqual(sent.map((path) => `referer: ${url}${path}`));
});
