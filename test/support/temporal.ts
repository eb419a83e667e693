import { randomBytes } from 'node:crypto';
import { EMBEDDED_NAMESPACE } from '../../src/sandbox/stack/temporal.ts';
import { servers } from './servers.ts';

/** The run's Temporal server with a separate task queue, so that test files never see each other's work. */
export type TestTemporal = { readonly address: string; readonly namespace: string; readonly taskQueue: string };

export function testTemporal(): TestTemporal {
  return {
    address: servers().temporalAddress,
    namespace: EMBEDDED_NAMESPACE,
    taskQueue: `test-${randomBytes(6).toString('hex')}`,
  };
}
