import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { type Releases, Trader, twoReleases } from '../support/releases.ts';
import { rebuildWorkflows } from '../support/role-process.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';

/**
 * Versioned workers: a release whose workflow code cannot replay the histories of the previous release. Servers before 1.30 start
 * the next run of a chain on the same release, so moving open runs is tried on a newer one: `npm run try:release`.
 */

const OPEN_ESCROWS = 4;

let service: OwnService;
let company: TestCompany;
let releases: Releases;
let escrows: string[];

beforeAll(async () => {
  service = await ownService({ withWorker: false });
  company = await newCompany(service);
  releases = twoReleases(service);
});
afterAll(async () => {
  await releases.stop();
  await service.stop();
});

async function initiate(): Promise<string> {
  const { escrow } = await newParties(company);
  const { status, body } = await company.post('/v1/escrow/initiate', escrow());
  expect(status).toBe(201);
  return body.id;
}

describe('a second release, incompatible with the first', () => {
  test('leaves open runs to the workers of their own release, and takes new ones', async () => {
    await releases.startWorker('1');
    // Temporal names a worker's version some time after its first poll.
    await eventually(async () => (await rebuildWorkflows(service)).includes('run npm run release'));
    expect(await releases.release('1')).toMatchObject({ exitCode: 0 });
    expect(await rebuildWorkflows(service)).not.toContain('npm run release');
    escrows = await Promise.all(Array.from({ length: OPEN_ESCROWS }, initiate));
    expect(await releases.buildsOf(escrows)).toEqual(['1']);

    const trader = new Trader(company);
    await releases.startWorker('2');
    const before = trader.done;
    const releasing = releases.release('2');
    await eventually(async () => {
      const id = await initiate();
      escrows.push(id);
      return (await releases.buildsOf([id]))[0] === '2';
    });
    for (const id of escrows) expect(await company.post(`/v1/escrow/${id}/release`)).toMatchObject({ status: 200 });
    await eventually(() => trader.done > before + 4);
    await trader.end();
    expect(trader.failures).toEqual([]);
    expect(await releasing).toMatchObject({ exitCode: 0, output: expect.stringContaining('All runs are on it.') });
  });

  test('the books balance at the end', async () => {
    expect((await company.get('/v1/ledger/verify-ledger-integrity')).body).toMatchObject({ ok: true, mismatches: [] });
  });
});
