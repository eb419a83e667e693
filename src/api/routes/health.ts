import { createRoute, z } from '@hono/zod-openapi';
import type { Api, ApiDependencies } from '../context.ts';
import { ok, UNLIMITED } from '../openapi/operation.ts';

const READINESS_TIMEOUT_MS = 2_000;

const Health = z.object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int() }).openapi('Health');
const Check = z.enum(['up', 'down']);
const Readiness = z
  .object({ status: z.enum(['ok', 'unavailable']), checks: z.object({ database: Check, temporal: Check }) })
  .openapi('Readiness');

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
  summary: 'Whether database and Temporal answer',
  ...UNLIMITED,
  responses: {
    ...ok(Readiness),
    503: {
      description: 'One is down, or this process is ending.',
      content: { 'application/json': { schema: Readiness } },
    },
  },
});

export function registerHealth(app: Api, { orm, isTemporalUp, isStopping, settings }: ApiDependencies): void {
  app.openapi(live, (c) =>
    c.json({ status: 'ok' as const, version: settings.version, uptimeSeconds: Math.floor(process.uptime()) }, 200),
  );

  app.openapi(ready, async (c) => {
    const [database, temporal] = await Promise.all([
      answers(
        orm.em
          .fork()
          .execute('select 1')
          .then(() => true),
      ),
      answers(isTemporalUp()),
    ]);
    const checks = {
      database: database ? ('up' as const) : ('down' as const),
      temporal: temporal ? ('up' as const) : ('down' as const),
    };
    return database && temporal && !isStopping()
      ? c.json({ status: 'ok' as const, checks }, 200)
      : c.json({ status: 'unavailable' as const, checks }, 503);
  });
}

/** Whether `check` comes true in time. */
async function answers(check: Promise<boolean>): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), READINESS_TIMEOUT_MS).unref());
  return Promise.race([check.catch(() => false), late]);
}
