import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audit } from '../chaos/audit.ts';
import { acknowledgedBy, Client, post, register } from '../chaos/clients.ts';
import { runTrial } from '../support/trial.ts';
import { type Installation, startInstallation } from './installation.ts';
import { openEscrows, progress, timed } from './traffic.ts';

/**
 * `npm run try:production`: the installation of docker-compose.yml as processes, for machines without containers. The Temporal
 * server is built with Go the first time. Clients trade while each process is killed and restarted in turn, while a release of
 * incompatible workflow code replaces the workers and then the APIs, and while the release is rolled back. At the end nothing
 * that was acknowledged to a client is lost or doubled, and the books balance.
 */

const CLIENTS = 6;
/** Escrows that stay open while processes are killed and releases change. */
const OPEN = 40;
/** Keys that a killed API had claimed stay claimed for a minute. */
const FINISH_MS = 300_000;

const dataDir = mkdtempSync(join(tmpdir(), 'escrow-production-'));
await runTrial(tryProduction, dataDir);

async function tryProduction(): Promise<number> {
  const installation = await startInstallation(dataDir);
  try {
    return (await disturb(installation)) ? 0 : 1;
  } finally {
    await installation.stop();
  }
}

async function disturb(installation: Installation): Promise<boolean> {
  const company = await register(installation.apiUrl);
  const open = await openEscrows(company, OPEN);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => Client.join(company, number)));
  for (const client of clients) client.start();

  const { victims } = installation;
  for (const victim of victims) {
    await progress(clients);
    await timed(`${victim.name} was killed and restarted`, async () => {
      await victim.kill();
      await victim.restart();
    });
  }
  for (const build of ['2', '1'] as const) {
    await progress(clients);
    await timed(`release ${build} replaced the workers`, () => installation.release(build));
    await progress(clients);
    await timed('the APIs were restarted', () => installation.restartApis(build));
  }
  await progress(clients);
  const areDone = await Promise.race([
    Promise.all(clients.map((client) => client.end())).then(() => true),
    new Promise<false>((resolve) => setTimeout(resolve, FINISH_MS, false)),
  ]);
  for (const id of open) await post(company, `/v1/escrow/${id}/release`);

  const { lost, doubled, complaints } = await audit(installation.ownerUrl, clients);
  if (!areDone) complaints.push(`clients were not done ${FINISH_MS / 1_000} s after the last disturbance`);
  complaints.push(...installation.unasked);
  for (const complaint of complaints.slice(0, 50)) console.error(complaint);
  console.log(
    `production: kills ${victims.length}, releases 2, open escrows ${OPEN}, acknowledged ${acknowledgedBy(clients)}, lost ${lost}, doubled ${doubled}, other faults ${complaints.length}`,
  );
  return complaints.length === 0;
}
