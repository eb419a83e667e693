import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from '../../src/worker/workflow-bundle.ts';
import { runTrial } from '../support/trial.ts';
import { audit } from './audit.ts';
import { acknowledgedBy, Client, endAll, register } from './clients.ts';
import { killEverything } from './everything.ts';
import { startWorld, type World } from './servers.ts';
import { watchWebhooks } from './webhooks.ts';

/**
 * `npm run chaos -- [kills]`: kills worker, API, PostgreSQL and Temporal at random (SIGKILL) while 16 clients trade over HTTP,
 * and then checks that everything acknowledged to a client exists exactly once. CHAOS_MINUTES limits the killing (60);
 * CHAOS_VICTIMS selects the processes (`PostgreSQL,api`); CHAOS_COMPANIES is the number of companies (1), each with a client.
 * `npm run chaos -- [kills] everything` kills all of them at once: everything.ts. `npm run chaos -- [kills] webhooks` also checks what
 * endpoints and readers of the feed receive: webhooks.ts.
 */

const CLIENTS = 16;
const MAX_PAUSE_MS = 1_500;
/** The minimum number of operations between two kills: killing a process that has only just started tests little. */
const PROGRESS = 4;
const PROGRESS_PATIENCE_MS = 90_000;

const wanted = Number(process.argv[2] ?? 100);
const isEverything = process.argv[3] === 'everything';
const hasWebhooks = process.argv[3] === 'webhooks';
const minutes = Number(process.env.CHAOS_MINUTES ?? 60);
const companyCount = Number(process.env.CHAOS_COMPANIES ?? 1);
if (!Number.isInteger(wanted) || wanted < 1 || !(minutes > 0) || !(companyCount >= 1))
  throw new Error('say how many kills, CHAOS_MINUTES and CHAOS_COMPANIES');

const dataDir = mkdtempSync(join(tmpdir(), 'escrow-chaos-'));
await runTrial(run, dataDir);

async function run(): Promise<number> {
  const bundleFile = join(dataDir, 'workflows.js');
  writeFileSync(bundleFile, (await bundleWorkflows(new DefaultLogger('WARN'))).code);
  const world = await startWorld(dataDir, bundleFile);
  try {
    if (isEverything) return (await killEverything(world, wanted)) ? 0 : 1;
    const company = await register(world.apiUrl);
    const companies = [company];
    while (companies.length < companyCount) companies.push(await register(world.apiUrl));
    const webhooks = hasWebhooks ? await watchWebhooks(world, company) : undefined;
    const clients = await Promise.all(
      Array.from({ length: Math.max(CLIENTS, companyCount) }, (_, number) =>
        Client.join(companies[number % companies.length] ?? company, number),
      ),
    );
    for (const client of clients) client.start();
    const kills = await rampage(world, clients);
    const complaints = await endAll(clients);

    const { lost, doubled, complaints: found } = await audit(world.ownerUrl, clients);
    complaints.push(...found);
    if (kills < wanted) complaints.push(`${wanted} kills were asked for; time was over before`);
    if (webhooks !== undefined) complaints.push(...(await webhooks.complaints()));
    complaints.push(...world.unasked);
    for (const complaint of complaints.slice(0, 50)) console.error(complaint);
    console.log(`chaos: kills ${kills}, acknowledged ${acknowledgedBy(clients)}, lost ${lost}, doubled ${doubled}`);
    return complaints.length === 0 ? 0 : 1;
  } finally {
    await world.stop();
  }
}

/** The number of kills within the time limit. */
async function rampage({ victims: all }: World, clients: readonly Client[]): Promise<number> {
  const names = process.env.CHAOS_VICTIMS?.split(',');
  const victims = all.filter(({ name }) => names?.includes(name) ?? true);
  const deadline = Date.now() + minutes * 60_000;
  let kills = 0;
  while (kills < wanted && Date.now() < deadline) {
    const before = acknowledgedBy(clients);
    const giveUpAt = Date.now() + PROGRESS_PATIENCE_MS;
    while (acknowledgedBy(clients) < before + PROGRESS) {
      if (Date.now() > giveUpAt) throw new Error(`nothing moves any more after ${kills} kills`);
      await wait(20);
    }
    await wait(Math.random() * MAX_PAUSE_MS);
    const victim = victims[Math.floor(Math.random() * victims.length)];
    if (victim === undefined) throw new Error('there is nobody to kill');
    const killedAt = performance.now();
    await victim.kill();
    await victim.restart();
    kills += 1;
    const seconds = ((performance.now() - killedAt) / 1000).toFixed(1);
    console.error(
      `${kills}/${wanted} ${victim.name}, back after ${seconds} s; ${acknowledgedBy(clients)} acknowledged`,
    );
  }
  return kills;
}
