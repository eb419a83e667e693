import { cpSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../src/sandbox/stack/postgres-client.ts';
import { lazyClient } from '../../src/temporal/connection.ts';
import { audit } from '../chaos/audit.ts';
import {
  acknowledgedBy,
  Client,
  type Company,
  endAll,
  firstAcknowledged,
  get,
  newTrader,
  orderOf,
  post,
  register,
  type Trader,
} from '../chaos/clients.ts';
import { begunOf } from '../chaos/plots.ts';
import type { Victim } from '../chaos/servers.ts';
import { bringNear } from '../support/deadline.ts';
import { eventually } from '../support/eventually.ts';
import { runTrial } from '../support/trial.ts';
import { startInstallation } from './installation.ts';
import { type Layout, SETTINGS } from './temporal-server.ts';

/**
 * `npm run try:cluster -- [kills]`: kills processes of a Temporal cluster (40 times, one and two in turn) while clients of 20 companies
 * trade through two APIs and two workers. Each time the next command on an escrow of every company must succeed within 15 s of the kill,
 * or of the restart where both processes of a role were killed, and no automatic release may be late by more than a minute. At the end
 * nothing that was acknowledged is lost or doubled, and the books balance. It lacks several machines, TLS between the processes, and a
 * PostgreSQL that fails over.
 */

const CLUSTER: Layout = {
  historyShards: 64,
  connections: 5,
  nodes: {
    'matching-1': ['matching'],
    'matching-2': ['matching'],
    'history-1': ['history'],
    'history-2': ['history'],
    'frontend-1': ['frontend'],
    'frontend-2': ['frontend'],
    'internal-worker': ['worker'],
  },
  // Polls that a lost process had forwarded to another partition wait for their end, by default a minute, while tasks wait for a poll.
  settings: {
    ...SETTINGS,
    'matching.numTaskqueueReadPartitions': 1,
    'matching.numTaskqueueWritePartitions': 1,
    'matching.longPollExpirationInterval': '10s',
  },
};
/** Without one of these no command is carried out. */
const NEEDED = ['frontend', 'history', 'matching'];
const COMPANIES = 20;
/** The number of operations that must succeed between two kills. */
const PROGRESS = 20;
const PATIENCE_MS = 180_000;
const BACK_WITHIN_S = 15;
/** How many automatic releases fall due around each kill, and when. */
const DUE = 8;
const DUE_IN_MS = { least: 1_000, most: 15_000 };
const MAX_LATE_S = 60;
const CENTS = 1_000;

const kills = Number(process.argv[2] ?? 40);
const dataDir = mkdtempSync(join(tmpdir(), 'escrow-cluster-'));

/** A company with an escrow that stays open, on which each kill is followed by a command. */
type Shop = { readonly company: Company; readonly trader: Trader; readonly escrowId: string; readonly items: object };

async function tryCluster(): Promise<number> {
  const installation = await startInstallation(dataDir, { layout: CLUSTER });
  const { client: temporal, connection } = lazyClient(installation.temporal);
  try {
    const shops = await Promise.all(Array.from({ length: COMPANIES }, () => openShop(installation.apiUrl)));
    const clients = await Promise.all(shops.map(({ company }, number) => Client.join(company, number)));
    for (const client of clients) client.start();
    const complaints = await killNodes();
    complaints.push(...(await endAll(clients)));
    for (const { company, escrowId } of shops) await post(company, `/v1/escrow/${escrowId}/release`);
    const found = await audit(installation.ownerUrl, clients);
    complaints.push(...found.complaints, ...installation.unasked);
    for (const complaint of complaints.slice(0, 50)) console.error(complaint);
    console.log(
      `cluster: kills ${kills}, acknowledged ${acknowledgedBy(clients)}, lost ${found.lost}, doubled ${found.doubled}, other faults ${complaints.length}`,
    );
    return complaints.length === 0 ? 0 : 1;

    async function killNodes(): Promise<string[]> {
      const faults: string[] = [];
      const { temporalNodes } = installation;
      const singles = temporalNodes.map((node) => [node]);
      const pairs = temporalNodes.flatMap((one, index) => temporalNodes.slice(index + 1).map((other) => [one, other]));
      for (let kill = 0; kill < kills; kill += 1) {
        const before = acknowledgedBy(clients);
        await eventually(() => acknowledgedBy(clients) >= before + PROGRESS, PATIENCE_MS);
        const choices = kill % 2 === 0 ? singles : pairs;
        const killed = choices[Math.floor(kill / 2) % choices.length] ?? [];
        const due = await fallDue(shops.slice(0, DUE));
        await Promise.all(killed.map((node) => node.kill()));
        const backSeconds = await untilCommands(killed);
        const lateSeconds = await latest(due);
        const names = killed.map(({ name }) => name).join(' and ');
        const result = `commands again after ${backSeconds.toFixed(1)} s, automatic releases at most ${lateSeconds.toFixed(1)} s late`;
        const load = `load ${loadavg()[0]?.toFixed(0)}`;
        console.log(`${kill + 1}/${kills} ${names}: ${result}; ${acknowledgedBy(clients)} acknowledged, ${load}`);
        if (backSeconds > BACK_WITHIN_S || lateSeconds > MAX_LATE_S) {
          faults.push(`${names}: ${result}, ${load}`);
          cpSync(join(dataDir, 'logs'), join(dataDir, `logs-${kill + 1}`), { recursive: true }); // later restarts replace them
        }
      }
      return faults;
    }

    /** Starts the killed processes again. Returns when, after the kill or after that, commands on all escrows had succeeded. */
    async function untilCommands(killed: readonly Victim[]): Promise<number> {
      let from = performance.now();
      const isGone = NEEDED.some((role) =>
        installation.temporalNodes.every((node) => !node.name.startsWith(role) || killed.includes(node)),
      );
      const restart = async () => {
        await Promise.all(killed.map((node) => node.restart()));
      };
      const commands = Promise.all(
        shops.map(({ company, escrowId, items }) =>
          firstAcknowledged(company, `/v1/escrow/${escrowId}/delivery-note`, () => items),
        ),
      );
      if (isGone) {
        await restart();
        from = performance.now();
      }
      await commands;
      const seconds = Math.max(0, performance.now() - from) / 1_000;
      if (!isGone) await restart();
      return seconds;
    }

    /** Begins an escrow in each of these companies, and plans its automatic release for the next seconds. */
    async function fallDue(some: readonly Shop[]): Promise<Map<string, number>> {
      const { least, most } = DUE_IN_MS;
      const due = await Promise.all(
        some.map(async ({ company, trader }): Promise<[string, number]> => {
          const { id, items } = await begin(company, { ...orderOf(trader, CENTS), autoReleaseHours: 1 });
          await post(company, `/v1/escrow/${id}/delivery-note`, items);
          const at = Date.now() + least + Math.random() * (most - least);
          await bringNear(installation.ownerUrl, temporal, id, at);
          return [id.slice('esc_'.length), at];
        }),
      );
      return new Map(due);
    }

    /** The largest delay of an automatic release after its deadline, when all have taken place. */
    async function latest(due: ReadonlyMap<string, number>): Promise<number> {
      const rows = await eventually(
        () =>
          withClient(installation.ownerUrl, async (database) => {
            const { rows } = await database.query<{ id: string; at: Date }>(
              `select escrow_id as id, at from escrow_event where type = 'AUTO_RELEASED' and escrow_id = any ($1)`,
              [[...due.keys()]],
            );
            return rows.length === due.size && rows;
          }),
        PATIENCE_MS,
      );
      return Math.max(...rows.map(({ id, at }) => at.getTime() - (due.get(id) ?? 0))) / 1_000;
    }
  } finally {
    await connection.close();
    await installation.stop();
  }
}

async function openShop(apiUrl: string): Promise<Shop> {
  const company = await register(apiUrl);
  const trader = await newTrader(company, (kills + 1) * CENTS);
  const { id, items } = await begin(company, orderOf(trader, CENTS));
  return { company, trader, escrowId: id, items };
}

async function begin(company: Company, order: object): Promise<{ id: string; items: object }> {
  const { id } = await post(company, '/v1/escrow/initiate', order);
  const { items } = begunOf(await get(company, `/v1/escrow/${id}`));
  return { id, items: { items } };
}

await runTrial(tryCluster, dataDir);
