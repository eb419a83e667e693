import { type Gate, startGate } from './gate.ts';
import { testTemporal } from './temporal.ts';

/** The run's Temporal behind a gate that can be shut, for tests in which Temporal is down. `address`: host:port. */
export async function startTemporalGate(): Promise<Gate & { readonly address: string }> {
  const url = `http://${testTemporal().address}`;
  const gate = await startGate(url);
  return { ...gate, address: new URL(gate.through(url)).host };
}
