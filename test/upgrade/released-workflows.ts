import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';
import { MIGRATIONS_FOLDER } from '../../src/db/migrations/index.ts';
import { releasesOf } from '../support/released-schema.ts';
import type { Fixture } from './fixture.ts';
import { keep, readKept } from './kept.ts';

/** The workflow code of each release, as its workers run it. They continue the runs of this code after a rollback. */

// As in our worker's threads: stack traces of promises would take a third of the time of a replay.
Object.assign(globalHandlers, { setPromiseHook: () => undefined });

const SOURCE_MAP = '//# sourceMappingURL=data:';
const NO_SOURCES = Buffer.from(
  JSON.stringify({ version: 3, file: 'workflows.js', sources: [], names: [], mappings: '' }),
);

const fileOf = (version: string) => `${version}.workflows.js.br`;

/** Without the map of its sources, which is most of it. */
export function keepWorkflows(version: string, bundle: string): void {
  const code = bundle.slice(0, bundle.lastIndexOf(SOURCE_MAP));
  keep(fileOf(version), brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } }));
}

/** Of the newest release. */
export function releasedWorkflows(): { readonly version: string; readonly code: string } {
  const version = releasesOf(MIGRATIONS_FOLDER).at(-1)?.version ?? '';
  const code = brotliDecompressSync(readKept(fileOf(version))).toString();
  return { version, code: `${code}${SOURCE_MAP}application/json;base64,${NO_SOURCES.toString('base64')}` }; // a worker takes no code without a map
}

/** Of the runs that this workflow code would block, why. */
export async function unreadableFor(
  workflowBundle: WorkflowBundleOption,
  histories: Fixture['histories'],
): Promise<string[]> {
  const failed: string[] = [];
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    if (error !== undefined) failed.push(`${workflowId}: ${error.message}`);
  return failed;
}
