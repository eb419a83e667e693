import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { z } from 'zod';
import { createOutages, SANDBOX_PROVIDERS, type SandboxProvider } from './outages.ts';
import { readJson } from './requests.ts';

/**
 * Stands in for the providers in development and tests: one HTTP application with the providers' own wire formats, so that the
 * real adapters run against it. It consists of parts, one per provider:
 *
 *   createSandbox([gatewayPart(…), messagingPart(…), mobileMoneyPart(…)])
 *
 * To add a provider, write a function that returns a SandboxPart, and add it to the list in server.ts. `wire` registers the
 * provider's own routes, with `door` first in each (`app.post('/v1/payments', door, handler)`), which simulates
 * outages and slowness; `control` registers the tester's routes, on an application that is mounted at `/_control`.
 *
 * State is in memory, bounded (recent.ts), and lost when the process ends: a checkout from before a restart of the embedded
 * stack is unknown after it, like an expired one at a gateway. Only the bank stores its payments.
 */

export type SandboxPart = {
  readonly provider: SandboxProvider;
  /** `isOut`: for a provider that does not speak HTTP. */
  wire(app: Hono, door: MiddlewareHandler, isOut: () => boolean): void;
  control(app: Hono): void;
  /** Stops timers and other background work. */
  stop?(): void;
};

const MAX_BODY_BYTES = 16 * 1_048_576; // far more than any request of the service
const MAX_OUTAGE_SECONDS = 3_600;
const MAX_SLOW_MS = 60_000;

const Outage = z.object({
  provider: z.enum(SANDBOX_PROVIDERS),
  /** 0 ends the outage. */
  seconds: z.number().min(0).max(MAX_OUTAGE_SECONDS),
  /** If set, the provider answers, but only after this delay. */
  slowMs: z.int().min(1).max(MAX_SLOW_MS).optional(),
});

type Sandbox = { readonly app: Hono; stop(): void };

export function createSandbox(parts: readonly SandboxPart[]): Sandbox {
  const app = new Hono();
  const control = new Hono();
  const outages = createOutages();
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES }));
  control.post('/outage', async (c) => {
    const outage = await readJson(c, Outage);
    outages.begin(outage);
    return c.json({ status: 'OK' });
  });
  for (const part of parts) {
    part.wire(app, outages.door(part.provider), () => outages.isOut(part.provider));
    part.control(control);
  }
  app.route('/_control', control);
  app.get('/', (c) => c.json({ sandbox: parts.map(({ provider }) => provider) }));
  return { app, stop: () => parts.forEach((part) => void part.stop?.()) };
}
