import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** The workflow code as one script, which a worker runs in isolation. */
export function bundleWorkflows(logger: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: pathOf('./workflows/index.ts'),
    workflowInterceptorModules: [pathOf('./workflows/interceptors.ts')],
    payloadConverterPath: pathOf('./workflows/payload-converter.ts'),
    logger,
  });
}
