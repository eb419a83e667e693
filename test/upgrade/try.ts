import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { audit } from '../chaos/audit.ts';
import { acknowledgedBy, Client, type Company, endAll, get, post, register } from '../chaos/clients.ts';
import { type Installation, startInstallation } from '../production/installation.ts';
import { openEscrows, progress, timed } from '../production/traffic.ts';
import { eventually } from '../support/eventually.ts';
import { runTrial } from '../support/trial.ts';
import { writeNextVersion } from './next-version.ts';

/**
 * `npm run try:upgrade -- [directory]`: an installation with traffic is upgraded to a made-up next version by the steps of
 * docs/operations/upgrade.md, its new command is used, it is rolled back, and upgraded again. Old and new processes run side by side.
 * Then the key of stored fields is rotated. Nothing that was acknowledged may be lost or doubled, nothing refused, and the version before
 * must read what the next one wrote.
 *
 * `directory` has the unpacked root of the image of a release. Then that is upgraded to this code, which has no new command.
 */

const CLIENTS = 4;
const OPEN = 20;
const PATIENCE_MS = 120_000;
const READ_MS = 200;

const REPOSITORY = resolve(import.meta.dirname, '../..');

const released = process.argv[2] === undefined ? undefined : resolve(process.argv[2]);
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-upgrade-'));
await runTrial(tryUpgrade, dataDir);

async function tryUpgrade(): Promise<number> {
  const installation = await startInstallation(
    dataDir,
    released === undefined ? { next: madeUpVersion() } : { root: released, next: REPOSITORY },
  );
  try {
    return (await upgrade(installation)) ? 0 : 1;
  } finally {
    await installation.stop();
  }
}

function madeUpVersion(): string {
  const next = join(dataDir, 'next');
  mkdirSync(next);
  writeNextVersion(next);
  return next;
}

async function upgrade(installation: Installation): Promise<boolean> {
  const { ownerUrl } = installation;
  const company = await register(installation.apiUrl);
  const open = await openEscrows(company, OPEN);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => Client.join(company, number)));
  for (const client of clients) client.start();
  const complaints: string[] = [];
  const expectSame = (what: string, found: unknown, expected: unknown) => {
    if (JSON.stringify(found) !== JSON.stringify(expected))
      complaints.push(`${what}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  };
  const step = async (what: string, work: () => Promise<void>) => {
    await progress(clients);
    await timed(what, work);
  };
  const remind = async (ids: readonly string[]) => {
    if (released !== undefined) return;
    for (const id of ids) await post(company, `/v1/escrow/${id}/remind`, { party: 'BUYER' });
  };
  const [before, after] = [open.slice(0, OPEN / 2), open.slice(OPEN / 2)];

  await step('the migrations of the next version ran', () => installation.migrate('2'));
  await step('its workers replaced the old ones', () => installation.release('2'));
  await step('its APIs replaced the old ones', () => installation.restartApis('2'));
  await remind(before);
  const reads = readAll(company, before);
  await step('the APIs were rolled back', () => installation.restartApis('1'));
  await step('the workers were rolled back', () => installation.release('1'));
  await progress(clients);
  complaints.push(...(await reads.end()));
  const events = released === undefined ? ['INITIATED', 'REMINDED'] : ['INITIATED'];
  for (const id of before) expectSame('the old version reads', await eventsOf(company, id), events);
  const [kept, ended] = [before.slice(1), before[0] ?? ''];
  await post(company, `/v1/escrow/${ended}/release`);
  await step('the workers were upgraded again', () => installation.release('2'));
  await step('the APIs were upgraded again', () => installation.restartApis('2'));
  await remind(after);
  const registrations = registerUsers(company);
  await step('the key was rotated', () => installation.rotateKeys('2'));
  await progress(clients);
  const { registered, refused } = await registrations.end();
  complaints.push(...refused);
  complaints.push(...(await endAll(clients)));
  for (const id of [...kept, ...after]) await post(company, `/v1/escrow/${id}/release`);

  const count = async (sql: string) =>
    withClient(ownerUrl, async (client) => Number((await client.query(`select count(*) as n from ${sql}`)).rows[0].n));
  if (released === undefined)
    expectSame('rows with the new column', await count('escrow where reminded_at is not null'), OPEN);
  expectSame('rows with the old key', await count(`app_user where id_number not like 'second.%'`), 0);
  for (const [id, idNumber] of registered)
    expectSame('the id number of a user', (await get(company, `/v1/identity/users/${id}`)).idNumber, idNumber);
  await eventually(async () => (await count('event_fact')) + (await count('event_set_aside')) === 0, PATIENCE_MS).catch(
    async () => complaints.push(`${await count('event_set_aside')} events are set aside`),
  );
  if (released === undefined) {
    const { data } = await get(company, '/v1/events?type=escrow.reminded&limit=100');
    expectSame('new events in the feed', data.length, OPEN);
  }

  expectSame('the books of the next version', (await get(company, '/v1/ledger/verify-ledger-integrity')).ok, true);
  const found = await audit(ownerUrl, clients);
  complaints.push(...found.complaints, ...installation.unasked);
  for (const complaint of complaints.slice(0, 50)) console.error(complaint);
  console.log(
    `upgrade: versions 1 to 2 to 1 to 2, open escrows ${OPEN}, acknowledged ${acknowledgedBy(clients)}, sent again ${clients.reduce((sum, { retried }) => sum + retried, 0)}, new commands ${released === undefined ? OPEN : 0}, registrations during the rotation of the key ${registered.size}, lost ${found.lost}, doubled ${found.doubled}, other faults ${complaints.length}`,
  );
  return complaints.length === 0;
}

async function eventsOf(company: Company, id: string): Promise<string[]> {
  return (await get(company, `/v1/escrow/${id}/timeline`)).map(({ event }: { event: string }) => event);
}

/** Reads these escrows again and again, as old and new APIs answer. Returns what was no success. */
function readAll(company: Company, ids: readonly string[]) {
  const refused = new Set<string>();
  let isEnding = false;
  const work = (async () => {
    for (; !isEnding; await wait(READ_MS))
      for (const id of ids)
        for (const path of [`/v1/escrow/${id}`, `/v1/escrow/${id}/timeline`, '/v1/events?limit=100']) {
          const status = await statusOf(company, path);
          if (status >= 400) refused.add(`GET ${path.replace(/[0-9a-f-]{36}/, '…')} answered ${status}`);
        }
  })();
  return {
    end: async () => {
      isEnding = true;
      await work;
      return [...refused];
    },
  };
}

/** Of one request. 0: the connection ended with an API that stopped. */
function statusOf({ apiUrl, headers }: Company, path: string): Promise<number> {
  return fetch(`${apiUrl}${path}`, { headers })
    .then((answer) => answer.text().then(() => answer.status))
    .catch(() => 0);
}

/** Registers users, and reads each of them, again and again. Returns their id numbers by their ids, and what was no success. */
function registerUsers(company: Company) {
  const registered = new Map<string, string>();
  const refused: string[] = [];
  let isEnding = false;
  const work = (async () => {
    for (let number = 0; !isEnding; number += 1) {
      const idNumber = `ROTATED-${number}`;
      const mobileNumber = `+263775${String(number).padStart(6, '0')}`;
      const { id } = await post(company, '/v1/identity/users', { mobileNumber, idNumber });
      registered.set(id, idNumber);
      const status = await statusOf(company, `/v1/identity/users/${id}`);
      if (status >= 400) refused.push(`reading a user answered ${status}`);
      await wait(READ_MS);
    }
  })();
  return {
    end: async () => {
      isEnding = true;
      await work;
      return { registered, refused };
    },
  };
}
