import { z } from '@hono/zod-openapi';
import type { ApiDependencies } from '../context.ts';
import { type Operations, ok, responses } from '../operation.ts';

const READINESS_TIMEOUT_MS = 2_000;

const Health = z
  .object({
    status: z.literal('ok').describe('Its state.'),
    version: z.string().describe('The version of the service.'),
    uptimeSeconds: z.int().describe('Seconds since the start.'),
  })
  .openapi('Health');
const Check = z.enum(['up', 'down']);
const Checks = z.object({
  database: Check.describe('PostgreSQL.'),
  temporal: Check.describe('Temporal.'),
});
type Checks = z.infer<typeof Checks>;
const Readiness = z
  .object({ status: z.enum(['ok', 'unavailable']).describe('Its state.'), checks: Checks.describe('Each dependency.') })
  .openapi('Readiness');

const Serving = z
  .object({
    status: z.enum(['ok', 'degraded', 'unavailable']).describe('Its state.'),
    checks: Checks.describe('Each dependency.'),
  })
  .openapi('Serving');

export function registerHealth(
  operation: Operations,
  { orm, isTemporalUp, isStopping, settings }: ApiDependencies,
): void {
  operation(
    {
      method: 'get',
      path: '/health',
      tag: 'Health',
      summary: 'Whether the process is alive',
      description: 'Says nothing about PostgreSQL and Temporal: a restart would not help them.',
      access: 'probe',
      success: ok(Health),
    },
    () => ({ status: 'ok' as const, version: settings.version, uptimeSeconds: Math.floor(process.uptime()) }),
  );

  operation(
    {
      method: 'get',
      path: '/health/ready',
      tag: 'Health',
      summary: 'Whether the database and Temporal are reachable',
      description: '503 while one of them is down. For load balancers.',
      access: 'probe',
      success: responses({
        ...ok(Readiness).responses,
        503: {
          description: 'One of them is down, or this process is shutting down.',
          content: { 'application/json': { schema: Readiness } },
        },
      }),
    },
    async ({ c }) => {
      const checks = await check();
      return isReady(checks) && !isStopping()
        ? c.json({ status: 'ok' as const, checks }, 200)
        : c.json({ status: 'unavailable' as const, checks }, 503);
    },
  );

  operation(
    {
      method: 'get',
      path: '/health/serving',
      tag: 'Health',
      summary: 'Whether a load balancer should send requests here',
      description:
        'Follows the database alone. While Temporal is down the status is `degraded`: reads and deposits are served, and commands are answered 503.',
      access: 'probe',
      success: responses({
        ...ok(Serving).responses,
        503: {
          description: 'The database is down, or this process is shutting down.',
          content: { 'application/json': { schema: Serving } },
        },
      }),
    },
    async ({ c }) => {
      const checks = await check();
      if (checks.database === 'down' || isStopping()) return c.json({ status: 'unavailable' as const, checks }, 503);
      return c.json({ status: checks.temporal === 'up' ? ('ok' as const) : ('degraded' as const), checks }, 200);
    },
  );

  const check = () => checkDependencies({ orm, isTemporalUp });
}

export async function checkDependencies({
  orm,
  isTemporalUp,
}: Pick<ApiDependencies, 'orm' | 'isTemporalUp'>): Promise<Checks> {
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

export function isReady({ database, temporal }: Checks): boolean {
  return database === 'up' && temporal === 'up';
}

/** Whether `check` resolves to true in time. */
async function answers(check: Promise<boolean>): Promise<z.infer<typeof Check>> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), READINESS_TIMEOUT_MS).unref());
  return (await Promise.race([check.catch(() => false), late])) ? 'up' : 'down';
}
