import { rmSync } from 'node:fs';
import { takeForTeardown } from './servers.ts';

export default async function globalTeardown(): Promise<void> {
  const started = takeForTeardown();
  if (started === undefined) return;
  for (const child of started.children) await child.stop();
  rmSync(started.dataDir, { recursive: true, force: true });
}
