import { createRoute, z } from '@hono/zod-openapi';
import { inTenant } from '../../db/core/orm.ts';
import { advanceClock, clockAheadMs } from '../../db/identity/company-clock.ts';
import { findOpenRuns, type OpenRun } from '../../db/operations/open-runs.ts';
import { listSandboxMessages, MAX_SANDBOX_MESSAGES } from '../../db/operations/sandbox-messages.ts';
import { MAX_ADVANCE_HOURS } from '../../domain/clock.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { phoneOf } from '../bodies/phones.ts';
import { runOnce } from '../commands/idempotency.ts';
import type { Api, ApiDependencies } from '../context.ts';
import { type Guard, json, ok, refusals, tenant } from '../openapi/operation.ts';
import { text, timestamp } from '../schemas/common.ts';

/** Operations for tests of an integration. Production has none of them. */

const tags = ['Sandbox'];
const RUNS_PER_BATCH = 200;
const MS_PER_HOUR = 3_600_000;

const Advance = z
  .object({
    advanceHours: z.int().min(1).max(MAX_ADVANCE_HOURS).openapi({ description: 'How far time moves forward.' }),
  })
  .openapi('ClockAdvance');
const clockFields = {
  now: timestamp().openapi({
    description: "The company's time, which escrows, links, withdrawals, proposals and codes use.",
  }),
  realNow: timestamp().openapi({
    description: 'Real time, which ledger, audit log, events, keys and request limits use.',
  }),
  hoursAhead: z.number().openapi({ description: "By how many hours the company's time is ahead.", example: 72 }),
};
const Clock = z.object(clockFields).openapi('Clock');
const AdvancedClock = z
  .object({
    ...clockFields,
    wokenRuns: z.int().openapi({ description: 'The number of workflow runs that were told the new time.' }),
  })
  .openapi('AdvancedClock');
const Messages = z
  .object({
    messages: z.array(
      z.object({
        to: z.string().openapi({ example: '+263771234567' }),
        code: z.string().openapi({ example: '123456' }),
        merchant: z.string(),
        amount: z.string().openapi({ example: 'USD 250.00' }),
        sentAt: timestamp(),
      }),
    ),
  })
  .openapi('SandboxMessages');

export function registerSandbox(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const { orm, commands, settings } = dependencies;
  if (settings.isProduction) return;
  const read = createRoute({
    method: 'get',
    path: '/v1/sandbox/clock',
    tags,
    summary: "The company's test clock",
    ...tenant(guard, 'read'),
    responses: { ...ok(Clock), ...refusals() },
  });
  const advance = createRoute({
    method: 'post',
    path: '/v1/sandbox/clock',
    tags,
    summary: "Move the company's time forward, and wake its workflows",
    ...tenant(guard, 'manage_company', { idempotency: 'accepted' }),
    request: json(Advance),
    responses: { ...ok(AdvancedClock), ...refusals('wrong_state', 'idempotency_key_reused', 'dependency_unavailable') },
  });

  app.openapi(read, async (c) => c.json(await clockOf(c.var.companyId), 200));

  app.openapi(advance, async (c) => {
    const { advanceHours } = c.req.valid('json');
    const { companyId } = c.var;
    const { status, body } = await runOnce(c, dependencies, async (commandId) => {
      await inTenant(orm, companyId, (em) => advanceClock(em, companyId, { hours: advanceHours, commandId }));
      const wokenRuns = await wakeRuns(companyId);
      return { status: 200, body: { ...(await clockOf(companyId)), wokenRuns } };
    });
    return c.json(body, status);
  });

  if (settings.isMessagingSandboxed) registerMessages(app, dependencies, guard);

  async function clockOf(companyId: CompanyId) {
    const aheadMs = await inTenant(orm, companyId, (em) => clockAheadMs(em, companyId));
    const realNow = Date.now();
    return {
      now: new Date(realNow + aheadMs).toISOString(),
      realNow: new Date(realNow).toISOString(),
      hoursAhead: aheadMs / MS_PER_HOUR,
    };
  }

  /** Tells every open run of the company to read the clock. A run that starts later reads it when it starts. */
  async function wakeRuns(companyId: CompanyId): Promise<number> {
    let woken = 0;
    let open = await openRunsAfter(companyId, null);
    for (;;) {
      await commands.refresh(open);
      woken += open.length;
      const last = open.at(-1);
      if (last === undefined || open.length < RUNS_PER_BATCH) return woken;
      open = await openRunsAfter(companyId, last.id);
    }
  }

  function openRunsAfter(companyId: CompanyId, after: string | null): Promise<readonly OpenRun[]> {
    return inTenant(orm, companyId, (em) => findOpenRuns(em, after, RUNS_PER_BATCH));
  }
}

function registerMessages(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/sandbox/messages',
    tags,
    summary: `The newest ${MAX_SANDBOX_MESSAGES} messages that were sent for the company, newest first`,
    ...tenant(guard, 'operate'),
    request: { query: z.object({ to: text().optional().openapi({ description: 'A phone number.' }) }) },
    responses: { ...ok(Messages), ...refusals() },
  });

  app.openapi(list, async (c) => {
    const { companyId } = c.var;
    const { to } = c.req.valid('query');
    const number = to === undefined ? null : await phoneOf(dependencies, companyId, 'to', to);
    const messages = await inTenant(dependencies.orm, companyId, (em) => listSandboxMessages(em, companyId, number));
    return c.json({ messages: messages.map((one) => ({ ...one, sentAt: one.sentAt.toISOString() })) }, 200);
  });
}
