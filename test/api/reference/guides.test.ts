import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const NAMES = readdirSync(new URL('../../../docs/guides/', import.meta.url));
const PAGES = NAMES.map((name) => (name === 'README.md' ? '/guides' : `/guides/${name.replace(/\.md$/, '')}`));

describe('the guides', () => {
  test.each(PAGES)('%s is a page without scripts that loads only our own resources', async (path) => {
    const { status, headers, body } = await service.request('GET', path);
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|https?:|\*/);
    const html = String(body);
    expect(html).not.toMatch(/<script|<img|javascript:| on\w+=/);
    expect(html).toMatch(/<h1 id="[\w-]+">/);
    expect(html).not.toContain('.md"');
  });

  test('link only to existing pages', async () => {
    const anchors = new Map<string, string[]>();
    const links: string[] = [];
    for (const path of PAGES) {
      const html = String((await service.request('GET', path)).body);
      anchors.set(
        path,
        [...html.matchAll(/ id="([\w-]+)"/g)].map(([, id = '']) => id),
      );
      links.push(...[...html.matchAll(/href="(\/[^"]*)"/g)].map(([, href = '']) => href));
    }
    for (const link of new Set(links)) {
      const [path = '', fragment] = link.split('#');
      expect([link, (await service.request('GET', path)).status]).toEqual([link, 200]);
      if (fragment !== undefined) expect([link, anchors.get(path)]).toEqual([link, expect.arrayContaining([fragment])]);
    }
  });

  test('an unknown guide is 404', async () => {
    expect(await service.request('GET', '/guides/nothing')).toMatchObject({ status: 404 });
  });
});

describe('addresses that people type', () => {
  test('/ leads to the reference, the console and the guides', async () => {
    const { status, headers, body } = await service.request('GET', '/');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    for (const path of ['/docs', '/openapi.json', '/console', '/guides']) expect(body).toContain(`href="${path}"`);
  });

  test('/checkout has its style, with a slash at the end and without', async () => {
    for (const [path, address] of [
      ['/checkout', 'checkout/assets/'],
      ['/checkout/', 'assets/'],
    ] as const) {
      const { status, body } = await service.request('GET', path);
      const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(String(body)) ?? [];
      expect([status, style]).toEqual([404, expect.stringMatching(new RegExp(`^${address}`))]);
      const sheet = new URL(style, `${service.url}${path}`).pathname;
      expect((await service.request('GET', sheet)).status).toBe(200);
    }
  });

  test('/console/ is the console', async () => {
    const response = await fetch(`${service.url}/console/`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, '../console']);
  });
});
