import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRelease } from '../../src/roles/release.ts';
import type { OwnService } from './own-service.ts';
import { type RoleProcess, startWorkerProcess } from './role-process.ts';
import { servers } from './servers.ts';
import { newParties, type TestCompany } from './service.ts';
import { testTemporal } from './temporal.ts';

/** Two releases of the workers. Neither release's workflow code can replay a history of the other. */
export type Build = '1' | '2';

export type Releases = {
  startWorker(build: Build): Promise<RoleProcess>;
  /** What `npm run release` does. */
  release(build: Build): Promise<{ exitCode: number | null; output: string }>;
  /** The builds of the escrows' runs. */
  buildsOf(escrowIds: readonly string[]): Promise<string[]>;
  stop(): Promise<void>;
};

export function twoReleases(service: OwnService): Releases {
  const directory = mkdtempSync(join(tmpdir(), 'escrow-release-'));
  const deployment = `escrow-${randomBytes(4).toString('hex')}`;
  const bundles = { '1': servers().workflowBundleFile, '2': join(directory, '2.js') };
  writeFileSync(bundles['2'], incompatible(readFileSync(bundles['1'], 'utf8')));
  const workers: RoleProcess[] = [];
  const environment = (build: Build) => ({ TEMPORAL_DEPLOYMENT: deployment, TEMPORAL_BUILD_ID: build });
  return {
    async startWorker(build) {
      const worker = await startWorkerProcess(service, { ...environment(build), WORKFLOW_BUNDLE: bundles[build] });
      workers.push(worker);
      return worker;
    },
    async release(build) {
      const { address, namespace } = testTemporal();
      const env = {
        ...environment(build),
        TEMPORAL_ADDRESS: address,
        TEMPORAL_NAMESPACE: namespace,
        TEMPORAL_TASK_QUEUE: service.taskQueue,
      };
      const lines: string[] = [];
      // Tests may run on a server that `npm run release` refuses, because it fails there under load.
      const server = { major: 1, minor: 0 };
      const failed = await startRelease(env, (line) => lines.push(line), new AbortController().signal, server).then(
        () => false,
        (error: Error) => lines.push(error.message) > 0,
      );
      return { exitCode: failed ? 1 : 0, output: lines.join('\n') };
    },
    async buildsOf(escrowIds) {
      const builds = new Set<string>();
      for (const id of escrowIds) {
        const { raw } = await service.temporal.workflow.getHandle(`escrow/${id}`).describe();
        builds.add(raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? 'none');
      }
      return [...builds];
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.kill()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The same workflows, but an escrow reads its row twice. */
export function incompatible(code: string): string {
  const load = /load: \(\)\s*=>\s*(activities\.loadEscrow\([^;{}]*?\)),\n/;
  if (!load.test(code)) throw new Error('the bundle reads an escrow in another way: adapt this test');
  return code.replace(load, 'load: async () => { await $1; return $1; },\n');
}

/** A client that initiates and releases escrows, one after the other, until it is stopped. It repeats no request. */
export class Trader {
  done = 0;
  /** The longest time for an answer. */
  slowestMs = 0;
  /** Answers that were not a success. */
  readonly failures: unknown[] = [];
  #isEnding = false;
  readonly #company: TestCompany;
  readonly #work: Promise<void>;

  constructor(company: TestCompany) {
    this.#company = company;
    this.#work = this.#trade();
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#work;
  }

  async #trade(): Promise<void> {
    const { escrow } = await newParties(this.#company, 100_000_000);
    while (!this.#isEnding) {
      const begun = await this.#send('/v1/escrow/initiate', escrow());
      if (begun !== undefined) await this.#send(`/v1/escrow/${begun.id}/release`);
    }
  }

  async #send(path: string, sent?: unknown): Promise<{ readonly id: string } | undefined> {
    const startedAt = performance.now();
    const { status, body } = await this.#company.post(path, sent, randomUUID());
    this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
    this.done += 1;
    if (status < 300) return body;
    this.failures.push({ path, status, body, at: new Date().toISOString() });
    return undefined;
  }
}
