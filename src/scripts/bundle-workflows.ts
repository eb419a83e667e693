import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows, hashOfSources, sourcesFileOf } from '../worker/workflow-bundle.ts';

/**
 * `npm run bundle -- FILE`: the workflow code as one file, for workers that start without building it. They use dist/workflows.js if it
 * is of their sources, or the one that WORKFLOW_BUNDLE names.
 */
const file = process.argv[2] ?? 'dist/workflows.js';
const { code } = await bundleWorkflows(new DefaultLogger('WARN'));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, code);
writeFileSync(sourcesFileOf(file), hashOfSources());
console.log(`${file}: ${Math.round(code.length / 1024)} KiB`);
