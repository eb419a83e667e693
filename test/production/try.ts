import { mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { audit } from '../chaos/audit.ts';
import { acknowledgedBy, Client, endAll, post, register } from '../chaos/clients.ts';
import { runTrial } from '../support/trial.ts';
import { type Installation, startInstallation } from './installation.ts';
import { openEscrows, progress, timed } from './traffic.ts';

/**
 * `npm run try:production -- [directory]`: the installation of docker-compose.yml as processes, for machines without containers. The Temporal
 * server is built with Go the first time. Clients trade while each process is killed and restarted in turn, while a release of
 * incompatible workflow code replaces the workers and then the APIs, and while the release is rolled back. At the end nothing
 * that was acknowledged to a client is lost or doubled, and the books balance.
 *
 * `directory` has the unpacked root of the image that `npm run release:check` makes. All roles then run from it, and must change
 * nothing in it: in a container it is read-only.
 */

const CLIENTS = 6;
/** Escrows that stay open while processes are killed and releases change. */
const OPEN = 40;

const root = process.argv[2] === undefined ? undefined : resolve(process.argv[2]);
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-production-'));
await runTrial(tryProduction, dataDir);

async function tryProduction(): Promise<number> {
  const before = filesIn(root);
  const installation = await startInstallation(dataDir, root === undefined ? {} : { root });
  try {
    const isRight = await disturb(installation);
    const isUnchanged = filesIn(root).join('\n') === before.join('\n');
    if (!isUnchanged) console.error(`files of ${root} were changed`);
    return isRight && isUnchanged ? 0 : 1;
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
  const complaints = await endAll(clients);
  for (const id of open) await post(company, `/v1/escrow/${id}/release`);

  const { lost, doubled, complaints: found } = await audit(installation.ownerUrl, clients);
  complaints.push(...found, ...installation.unasked);
  for (const complaint of complaints.slice(0, 50)) console.error(complaint);
  console.log(
    `production: kills ${victims.length}, releases 2, open escrows ${OPEN}, acknowledged ${acknowledgedBy(clients)}, lost ${lost}, doubled ${doubled}, other faults ${complaints.length}`,
  );
  return complaints.length === 0;
}

/** The paths, sizes and times of the files, in a fixed order. */
function filesIn(directory: string | undefined): string[] {
  if (directory === undefined) return [];
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return paths.map((path) => {
    const { size, mtimeMs } = statSync(join(directory, path), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
    return `${path} ${size} ${mtimeMs}`;
  });
}
