import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/**
 * The workflow code as one script, which a worker runs in isolation. It is loaded once for all runs, and not again for each of them,
 * which would take more memory than all else that is kept of a run: so no module of it may keep anything of a run outside
 * functions.
 */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  const workflows = pathOf('../workflows/index.ts');
  const interceptors = pathOf('../workflows/interceptors.ts');
  return bundleWorkflowCode({
    workflowsPath: workflows,
    workflowInterceptorModules: [interceptors],
    preloadModules: [workflows, interceptors],
    payloadConverterPath: pathOf('../workflows/payload-converter.ts'),
    logger,
  });
}
