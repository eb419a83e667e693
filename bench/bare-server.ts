import { spawn } from 'node:child_process';

/** Starts a reference server, a file of this folder that prints its port. */
export async function startServer(file: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())),
  );
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.kill() };
}
