import { importOnce } from './import-once.ts';
import { clientOf } from './service.ts';
import type { OwnService, ServiceOptions } from './whole-service.ts';

export type { OwnService, ServiceOptions };

const SERVICE = new URL('./whole-service.ts', import.meta.url);
const METRICS = new URL('../../src/observability/metrics.ts', import.meta.url);

/** A service for tests that stop, break or configure it; the others use sharedService(), which costs them nothing. */
export async function ownService(options: ServiceOptions = {}): Promise<OwnService> {
  const { startService } = await importOnce<typeof import('./whole-service.ts')>(SERVICE);
  const service = await startService(options);
  const { request, sandbox } = clientOf(service);
  return { ...service, request, sandbox };
}

/** The metrics of the services of this process, which count on from the test files before. */
export const serviceMetrics = () => importOnce<typeof import('../../src/observability/metrics.ts')>(METRICS);
