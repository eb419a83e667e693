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
