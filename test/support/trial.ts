import { rmSync } from 'node:fs';

/** Runs a trial and ends the process with its exit code. The data and logs of a trial that failed are kept. */
export async function runTrial(trial: () => Promise<number>, dataDir: string): Promise<never> {
  const code = await trial().catch((error: unknown) => {
    console.error(error);
    return 1;
  });
  if (code === 0) rmSync(dataDir, { recursive: true, force: true });
  else console.log(`Its data and logs are kept: ${dataDir}`);
  process.exit(code);
}
