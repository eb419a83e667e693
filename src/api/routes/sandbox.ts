import { z } from '@hono/zod-openapi';
import { inTenant } from '../../db/core/orm.ts';
import { advanceClock, clockAheadMs } from '../../db/identity/company-clock.ts';
import { findOpenRuns, type OpenRun } from '../../db/operations/open-runs.ts';
import { listSandboxMessages, MAX_SANDBOX_MESSAGES } from '../../db/operations/sandbox-messages.ts';
import { writeAnnounced } from '../../db/requests/audit-log.ts';
import type { CompanyId } from '../../domain/ids.ts';
import { MAX_ADVANCE_HOURS } from '../../domain/time.ts';
import { phoneOf } from '../bodies/phones.ts';
import { runOnce } from '../commands/idempotency.ts';
import type { ApiDependencies } from '../context.ts';
import { type Operations, ok, tenant } from '../operation.ts';
import { text, timestamp } from '../schemas/common.ts';

/** Operations for tests of an integration. Production has none of them. */

const tag = 'Sandbox';
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
  hoursAhead: z.int().openapi({ description: "By how many hours the company's time is ahead.", example: 72 }),
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
    messages: z
      .array(
        z.object({
          to: z.string().openapi({ example: '+263771234567' }).describe('The number.'),
          code: z.string().openapi({ example: '123456' }).describe('The one-time password.'),
          merchant: z.string().describe('The merchant that the message names.'),
          amount: z.string().openapi({ example: 'USD 250.00' }).describe('The amount that the message names.'),
          sentAt: timestamp().describe('When it was sent.'),
        }),
      )
      .describe('The messages.'),
  })
  .openapi('SandboxMessages');

export function registerSandbox(operation: Operations, dependencies: ApiDependencies): void {
  const { orm, commands, settings } = dependencies;
  if (settings.isProduction) return;

  operation(
    {
      method: 'get',
      path: '/v1/sandbox/clock',
      tag,
      summary: "The company's test clock",
      description: 'Escrows, links, withdrawals and proposals follow it.',
      access: tenant('read'),
      success: ok(Clock),
    },
    async ({ companyId }) => await clockOf(companyId),
  );

  operation(
    {
      method: 'post',
      path: '/v1/sandbox/clock',
      tag,
      summary: "Move the company's time forward, and wake its workflows",
      description: 'What falls due on the way happens, as if the time had passed.',
      access: tenant('manage_company'),
      idempotency: 'accepted',
      body: Advance,
      success: ok(AdvancedClock),
      refusals: ['wrong_state', 'idempotency_key_reused', 'dependency_unavailable'],
    },
    ({ body: { advanceHours }, companyId, c }) =>
      runOnce(c, dependencies, async (commandId) => {
        await inTenant(orm, companyId, async (em) => {
          await advanceClock(em, companyId, { hours: advanceHours, commandId });
          await writeAnnounced(em, [{ companyId, commandId }]);
        });
        const wokenRuns = await wakeRuns(companyId);
        return { ...(await clockOf(companyId)), wokenRuns };
      }),
  );

  if (settings.isMessagingSandboxed) registerMessages(operation, dependencies);

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

function registerMessages(operation: Operations, dependencies: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/sandbox/messages',
      tag,
      summary: `The newest ${MAX_SANDBOX_MESSAGES} messages that were sent for the company, newest first`,
      description: 'With their one-time passwords, for tests of the checkout.',
      access: tenant('operate'),
      query: z.object({ to: text().optional().openapi({ description: 'A phone number.' }) }),
      success: ok(Messages),
    },
    async ({ query: { to }, companyId }) => {
      const number = to === undefined ? null : await phoneOf(dependencies, companyId, 'to', to);
      const messages = await inTenant(dependencies.orm, companyId, (em) => listSandboxMessages(em, companyId, number));
      return { messages: messages.map((one) => ({ ...one, sentAt: one.sentAt.toISOString() })) };
    },
  );
}
