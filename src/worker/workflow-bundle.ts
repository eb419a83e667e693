import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/**
 * The workflow code as one script, which a worker runs in isolation. It is loaded once for all runs and not once per run, which
 * would take more memory than the rest of a cached run. Therefore no module in it may keep state of a run outside functions.
 */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  const workflows = pathOf('../workflows/index.ts');
  const interceptors = pathOf('../workflows/run/cause.ts');
  return bundleWorkflowCode({
    workflowsPath: workflows,
    workflowInterceptorModules: [interceptors],
    preloadModules: [workflows, interceptors],
    payloadConverterPath: pathOf('../workflows/payload-converter.ts'),
    logger,
  });
}

const APPLICATION = new URL('../../', import.meta.url);

/** The file beside a bundle that names the sources of which it was built. */
export function sourcesFileOf(bundle: string): string {
  return `${bundle}.sources`;
}

/**
 * The bundle that ships with the application, if it fits: the archive and the image have `dist/workflows.js`, and not the compiler that
 * would build another. A checkout may have one of other sources, which is not used.
 */
export function findShippedBundle(application = APPLICATION): { readonly codePath: string } | undefined {
  const codePath = fileURLToPath(new URL('dist/workflows.js', application));
  const noted = sourcesFileOf(codePath);
  if (!existsSync(codePath) || !existsSync(noted)) return undefined;
  return readFileSync(noted, 'utf8').trim() === hashOfSources(application) ? { codePath } : undefined;
}

/** Identifies all sources and the versions of all packages. Not only workflow code: it imports from other folders. */
export function hashOfSources(application = APPLICATION): string {
  const files = readdirSync(new URL('src/', application), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts')).toSorted();
  const hash = createHash('sha256');
  for (const file of [...sources.map((source) => `src/${source}`), 'package-lock.json'])
    hash.update(JSON.stringify([file, readFileSync(new URL(file, application), 'utf8')]));
  return hash.digest('hex');
}
