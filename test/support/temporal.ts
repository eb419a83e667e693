import { randomBytes } from 'node:crypto';
import { servers } from './servers.ts';

/** The run's Temporal server with a separate task queue, so that test files never see each other's work. */
export type TestTemporal = { readonly address: string; readonly namespace: string; readonly taskQueue: string };

export function testTemporal(): TestTemporal {
  const { temporalAddress, temporalNamespace } = servers();
  return {
    address: temporalAddress,
    namespace: temporalNamespace,
    taskQueue: `test-${randomBytes(6).toString('hex')}`,
  };
}
