import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { Browser } from 'playwright-core';
import { type EmbeddedTemporal, startTemporal } from '../../src/sandbox/stack/temporal.ts';
import { findTemporalProgram } from '../../src/sandbox/stack/temporal-program.ts';
import { bare, sql } from '../support/api.ts';
import { writeBehindTheRun } from '../support/behind-the-run.ts';
import { startBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { anyFreePort } from '../support/ports.ts';
import { newCompany, newParties, type TestCompany } from '../support/service.ts';
import { asked, newHolder } from '../support/treasury.ts';

/**
 * The current details of a run in the real Temporal UI: every line is on the page whole. `TEMPORAL_UI_PICTURES` names a directory
 * for screenshots.
 */

const UI_MS = 60_000;
/** A narrow page with two columns, on which lines need more rows. */
const SMALL_DESKTOP = { width: 1024, height: 860 };

let dataDir: string;
let temporal: EmbeddedTemporal;
let service: OwnService;
let company: TestCompany;
let browser: Browser;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'temporal-ui-'));
  const program = await findTemporalProgram({ env: process.env, progress: () => undefined });
  const [port, uiPort] = [await anyFreePort(), await anyFreePort()];
  temporal = await startTemporal({ program, dataDir, port, uiPort, databaseFile: null });
  [service, browser] = await Promise.all([
    ownService({ temporal: { temporalAddress: temporal.address } }),
    startBrowser(),
  ]);
  company = await newCompany(service);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  await temporal?.child.stop();
  rmSync(dataDir, { recursive: true });
});

/** The most that an escrow can have: the UI passes the details in an address. */
const MILESTONES = 50;

async function begin(fields: Record<string, unknown> = {}) {
  const { escrow } = await newParties(company);
  const { body } = await company.post('/v1/escrow/initiate', escrow(fields));
  return {
    id: String(body.id),
    run: service.temporal.workflow.getHandle(`escrow/${body.id}`),
    post: (step: string, sent?: object) => company.post(`/v1/escrow/${body.id}/${step}`, sent),
  };
}

/** Waits until the details of a run contain `text`. */
async function shows(run: WorkflowHandle, text: string): Promise<void> {
  await eventually(async () => {
    const { currentDetails = '' } = await run.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return currentDetails.includes(text);
  });
}

const STATES: readonly (readonly [name: string, given: () => Promise<WorkflowHandle>, lastLine: RegExp])[] = [
  [
    'an escrow with a refused signal',
    async () => {
      const milestones = Array.from({ length: MILESTONES }, (_one, index) => ({ title: `${index}`, percentage: 2 }));
      const { run } = await begin({ milestones });
      await run.signal(`nonsense${' and more'.repeat(20)}`);
      await shows(run, 'Refused the signal');
      return run;
    },
    /\bcancel$/,
  ],
  [
    'an escrow whose release is blocked',
    async () => {
      const { id, run } = await begin({ autoReleaseHours: 1 });
      const [item] = (await company.get(`/v1/escrow/${id}`)).body.items;
      const items = [{ itemId: item.id, quantity: 2, price_per_item: 12_500 }];
      await company.post(`/v1/escrow/${id}/delivery-note`, { items });
      const late = new Date(Date.now() + 2 * 3_600_000).toISOString();
      await writeBehindTheRun(service, id, { type: 'block-release', reason: 'user_blacklisted' }, late);
      await run.signal('refresh');
      await shows(run, '**blocked: user_blacklisted**');
      return run;
    },
    /dispute|cancel/,
  ],
  [
    'a finished escrow',
    async () => {
      const { run, post } = await begin();
      await post('release');
      await run.result();
      return run;
    },
    /^Final\.$/,
  ],
  [
    'a withdrawal that needs a person',
    async () => {
      const { company: owner, accountId } = await newHolder(service, { isTaxed: true });
      await service.sandbox.outage('payout', 3_600);
      const { body } = await owner.post('/v1/treasury/withdraw', asked(accountId, 5_000));
      const run = service.temporal.workflow.getHandle(`withdrawal/${body.id}`);
      await sql(service, 'alter table withdrawal disable trigger withdrawal_terms'); // as a superuser would
      await sql(service, 'update withdrawal set amount_cents = 4000 where id = $1', [bare(String(body.id))]);
      await service.sandbox.outage('payout', 0);
      await shows(run, 'Needs a person');
      await run.signal('book-outcome', { outcome: 'PAID', adminId: `adm_${crypto.randomUUID()}` }); // refused
      await shows(run, 'Refused the signal');
      return run;
    },
    /book-outcome books the outcome by hand/,
  ],
];

describe('the current details in the Temporal UI', () => {
  test.each(STATES)('of %s are visible to the last line', async (name, given, lastLine) => {
    const run = await given();
    const { runId } = await run.describe();
    const page = await browser.newPage({ viewport: SMALL_DESKTOP });
    const path = `/namespaces/default/workflows/${encodeURIComponent(run.workflowId)}/${runId}/user-metadata`;
    await page.goto(`${temporal.uiUrl}${path}`);
    const frame = page.frameLocator('iframe[src*="%0A%0A"]'); // the details have paragraphs; the summary has none
    await frame.locator('p').first().waitFor({ timeout: UI_MS });
    const shown = await frame.locator('body').evaluate((body): Shown => {
      const root = body.ownerDocument.documentElement;
      const lines = [...body.querySelectorAll('p')].filter(({ textContent }) => /\w/.test(textContent ?? ''));
      const last = lines.at(-1);
      return {
        lastLine: last?.textContent ?? '',
        bottom: last?.getBoundingClientRect().bottom ?? Number.NaN,
        height: root.clientHeight,
        widest: Math.max(root.scrollWidth, ...lines.map((line) => line.scrollWidth)),
        width: root.clientWidth,
      };
    });
    if (process.env.TEMPORAL_UI_PICTURES !== undefined)
      await page.screenshot({ path: join(process.env.TEMPORAL_UI_PICTURES, `${name}.png`), fullPage: true });
    await page.close();
    expect(shown.lastLine).toMatch(lastLine);
    expect(shown.bottom).toBeLessThanOrEqual(shown.height);
    expect(shown.widest).toBeLessThanOrEqual(shown.width);
  });
});

type Shown = {
  readonly lastLine: string;
  /** In pixels, as are the others. */
  readonly bottom: number;
  readonly height: number;
  readonly widest: number;
  readonly width: number;
};
