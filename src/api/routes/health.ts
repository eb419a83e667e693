import { createRoute, z } from '@hono/zod-openapi';
import type { Api, ApiDependencies } from '../context.ts';
import { ok, UNLIMITED } from '../openapi/operation.ts';

const READINESS_TIMEOUT_MS = 2_000;

const Health = z.object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int() }).openapi('Health');
const Check = z.enum(['up', 'down']);
const Checks = z.object({ database: Check, temporal: Check });
type Checks = z.infer<typeof Checks>;
const Readiness = z.object({ status: z.enum(['ok', 'unavailable']), checks: Checks }).openapi('Readiness');

const Serving = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']),
    checks: Checks,
  })
  .openapi('Serving');

const live = createRoute({
  method: 'get',
  path: '/health',
  tags: ['Health'],
  summary: 'Whether the process is alive',
  ...UNLIMITED,
  responses: ok(Health),
});

const ready = createRoute({
  method: 'get',
  path: '/health/ready',
  tags: ['Health'],
  summary: 'Whether the database and Temporal are reachable',
  ...UNLIMITED,
  responses: {
    ...ok(Readiness),
    503: {
      description: 'One of them is down, or this process is shutting down.',
      content: { 'application/json': { schema: Readiness } },
    },
  },
});

const serving = createRoute({
  method: 'get',
  path: '/health/serving',
  tags: ['Health'],
  summary: 'Whether a load balancer should send requests here',
  description:
    'Follows the database alone. While Temporal is down the status is `degraded`: reads and deposits are served, and commands are answered 503.',
  ...UNLIMITED,
  responses: {
    ...ok(Serving),
    503: {
      description: 'The database is down, or this process is shutting down.',
      content: { 'application/json': { schema: Serving } },
    },
  },
});

export function registerHealth(app: Api, { orm, isTemporalUp, isStopping, settings }: ApiDependencies): void {
  app.openapi(live, (c) =>
    c.json({ status: 'ok' as const, version: settings.version, uptimeSeconds: Math.floor(process.uptime()) }, 200),
  );

  app.openapi(ready, async (c) => {
    const checks = await check();
    return checks.database === 'up' && checks.temporal === 'up' && !isStopping()
      ? c.json({ status: 'ok' as const, checks }, 200)
      : c.json({ status: 'unavailable' as const, checks }, 503);
  });

  app.openapi(serving, async (c) => {
    const checks = await check();
    if (checks.database === 'down' || isStopping()) return c.json({ status: 'unavailable' as const, checks }, 503);
    return c.json({ status: checks.temporal === 'up' ? ('ok' as const) : ('degraded' as const), checks }, 200);
  });

  async function check(): Promise<Checks> {
    const [database, temporal] = await Promise.all([
      answers(
        orm.em
          .fork()
          .execute('select 1')
          .then(() => true),
      ),
      answers(isTemporalUp()),
    ]);
    return { database, temporal };
  }
}

/** Whether `check` resolves to true in time. */
async function answers(check: Promise<boolean>): Promise<z.infer<typeof Check>> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), READINESS_TIMEOUT_MS).unref());
  return (await Promise.race([check.catch(() => false), late])) ? 'up' : 'down';
}
