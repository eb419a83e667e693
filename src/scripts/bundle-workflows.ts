import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from '../worker/workflow-bundle.ts';

/** `npm run bundle -- FILE`: the workflow code as one file, for workers that start without building it (WORKFLOW_BUNDLE). */
const file = process.argv[2] ?? 'dist/workflows.js';
const { code } = await bundleWorkflows(new DefaultLogger('WARN'));
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, code);
console.log(`${file}: ${Math.round(code.length / 1024)} KiB`);
