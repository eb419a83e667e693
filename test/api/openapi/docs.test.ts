import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-services.ts';

let service: TestService;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const OPERATIONS = [
  'POST /v1/auth/login',
  'POST /v1/auth/refresh',
  'POST /v1/auth/password',
  'POST /v1/auth/logout',
  'POST /v1/core/companies',
  'GET /v1/core/companies/me',
  'GET /v1/core/companies/admins',
  'POST /v1/core/companies/admins',
  'POST /v1/core/companies/admins/{id}/remove',
  'POST /v1/core/companies/api-keys',
  'GET /v1/core/companies/api-keys',
  'POST /v1/core/companies/api-keys/{id}/revoke',
  'POST /v1/core/companies/api-keys/roll',
  'GET /health',
  'GET /health/ready',
  'GET /health/serving',
  'GET /v1/identity/users',
  'GET /v1/identity/users/{id}',
  'POST /v1/identity/users',
  'GET /v1/identity/users/{id}/ledger',
  'POST /v1/payments/deposit',
  'GET /v1/payments/transaction/{id}',
  'GET /v1/ledger/user/{userId}/accounts',
  'GET /v1/ledger/company/accounts',
  'GET /v1/ledger/accounts/{accountId}',
  'GET /v1/ledger/verify-ledger-integrity',
  'GET /v1/escrow',
  'GET /v1/escrow/active',
  'GET /v1/escrow/{id}',
  'GET /v1/escrow/{id}/timeline',
  'GET /v1/escrow/{id}/progress',
  'POST /v1/escrow/initiate',
  'POST /v1/escrow/{id}/delivery-note',
  'POST /v1/escrow/{id}/goods-received',
  'POST /v1/escrow/{id}/release',
  'POST /v1/escrow/{id}/cancel',
];

describe('GET /openapi.json', () => {
  test('is OpenAPI 3.1 and describes every operation, each with a summary, a tag and its responses', async () => {
    const { status, body } = await service.request('GET', '/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(body.info).toMatchObject({ title: expect.any(String), version: 'test' });
    const described = new Map(
      Object.entries<Record<string, unknown>>(body.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
      ),
    );
    expect([...described.keys()]).toEqual(expect.arrayContaining(OPERATIONS));
    for (const [name, operation] of described)
      expect([name, operation]).toEqual([
        name,
        expect.objectContaining({ summary: expect.any(String), tags: [expect.any(String)] }),
      ]);
  });

  test('every reference resolves, and every id in a path is declared', async () => {
    const { body } = await service.request('GET', '/openapi.json');
    const references = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g);
    const named = new Set([...references].map(([, name]) => name));
    expect(named.size).toBeGreaterThan(50);
    expect(Object.keys(body.components.schemas)).toEqual(expect.arrayContaining([...named]));
    for (const [path, methods] of Object.entries<Record<string, { parameters?: { name: string; in: string }[] }>>(
      body.paths,
    ))
      for (const operation of Object.values(methods)) {
        const declared = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
        expect([path, declared.sort()]).toEqual([
          path,
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort(),
        ]);
      }
  });

  test('describes the credential that each operation needs and its refusals', async () => {
    const { body } = await service.request('GET', '/openapi.json');
    const release = body.paths['/v1/escrow/{id}/release'].post;
    expect(release.security).toEqual([{ apiKey: [] }, { bearer: [] }]);
    expect(release.parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'x-company-id', in: 'header', required: true }),
        expect.objectContaining({ name: 'x-idempotency-key', in: 'header', required: true }),
      ]),
    );
    expect(Object.keys(release.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404', '409']));
    expect(body.components.securitySchemes).toHaveProperty('apiKey');
    expect(body.components.securitySchemes).toHaveProperty('bearer');
    expect(body.paths['/v1/auth/login'].post.security).toEqual([]);
  });
});

describe('GET /docs', () => {
  test('loads nothing from other hosts: every address in it is on this server and answers', async () => {
    const page = await service.request('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    const html = String(page.body);
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) {
      expect(address).toMatch(/^\/docs\//);
      expect(await service.request('GET', address)).toMatchObject({ status: 200 });
    }
    expect(html).not.toMatch(/https?:\/\//);
  });

  test('its policy forbids loading from other hosts', async () => {
    const policy = (await service.request('GET', '/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*/);
  });

  test('serves the program that its manifest names, compressed where the browser reads that', async () => {
    const manifest = JSON.parse(
      readFileSync(new URL('../../../src/api/reference/scalar/manifest.json', import.meta.url), 'utf8'),
    );
    for (const encoding of ['br', 'identity']) {
      const response = await fetch(`${service.url}/docs/scalar.js`, { headers: { 'accept-encoding': encoding } });
      expect(response.headers.get('content-encoding')).toBe(encoding === 'br' ? 'br' : null);
      const program = Buffer.from(await response.arrayBuffer()); // fetch decompresses it
      expect(createHash('sha256').update(program).digest('hex')).toBe(manifest.sha256);
      const headers = { 'if-none-match': response.headers.get('etag') ?? '', 'accept-encoding': encoding };
      expect((await fetch(`${service.url}/docs/scalar.js`, { headers })).status).toBe(304);
    }
  });
});
