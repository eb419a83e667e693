import { z } from '@hono/zod-openapi';
import { inTenant } from '../../db/core/orm.ts';
import { listCompanies, readServiceState } from '../../db/operations/platform.ts';
import { publicId } from '../../domain/ids.ts';
import type { ApiDependencies } from '../context.ts';
import { answerAfter } from '../contract/lists.ts';
import { type Operations, ok, tenant } from '../operation.ts';
import { id, text, timestamp } from '../schemas/common.ts';
import { CompanySummary, companySummaryView } from '../schemas/company.ts';
import { paging } from '../schemas/lists.ts';

const tag = 'Platform';

const RunsHealth = z.object({
  sweptAt: timestamp().describe('When all runs were last compared with the database.'),
  rowsChecked: z.int().describe('How many rows were compared.'),
  runsChecked: z.int().describe('How many runs were compared.'),
  healed: z
    .object({
      missing: z.int().describe('Runs that were missing and were started.'),
      behind: z.int().describe('Runs that were behind their rows.'),
      overdue: z.int().describe('Deadlines that had passed.'),
      final: z.int().describe('Runs of what is final.'),
      stuck: z.int().describe('Runs that made no progress.'),
    })
    .openapi({ description: 'What differed, and was repaired. `stuck`: the run failed at every step.' }),
  needAttention: z.int().openapi({ description: 'Open runs that a person should look at.' }),
});

const ServiceState = z
  .object({
    metrics: z
      .array(
        z.object({
          metric: z.string().openapi({ example: 'oldest_withdrawal_seconds' }).describe('Its name.'),
          label: z.string().nullable().describe('Its label.'),
          value: z.number().describe('Its value.'),
        }),
      )
      .describe('Counters and gauges.'),
    audits: z
      .array(
        z.object({
          seq: z.string().describe('Its number.'),
          at: timestamp().describe('When it happened.'),
          isFull: z.boolean().describe('Whether all of the ledger was checked.'),
          root: z.string().describe('The head of the chain of hashes.'),
        }),
      )
      .openapi({
        description:
          'The last audits of all companies that found nothing, latest first; `root` covers the head of every chain.',
      }),
    concerns: z
      .array(
        z.object({
          kind: z.string().openapi({ example: 'LATE_MONEY' }).describe('The subject of the concern.'),
          companyId: z.string().describe('The company.'),
          objectId: z.string().describe('The subject of the concern.'),
          at: timestamp().describe('When it happened.'),
        }),
      )
      .openapi({ description: 'Payments and payouts that a person has to look at, latest first.' }),
    runs: RunsHealth.nullable().openapi({
      description:
        'The findings of the last sweep over all workflow runs. Null: Temporal does not answer, or no sweep has ended yet.',
    }),
  })
  .openapi('ServiceState');

export function registerPlatform(operation: Operations, { orm, readRunsHealth }: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/platform/companies',
      tag,
      summary: 'All companies, newest first',
      description: "For the platform's administrators.",
      access: tenant('platform'),
      query: paging('page')
        .omit({ offset: true })
        .extend({
          search: text().optional().openapi({ description: 'A part of the name or the slug.' }),
          after: id('company').optional().openapi({ description: 'The last company that was read.' }),
        }),
      success: ok(
        z.object({
          data: z.array(CompanySummary).describe('The rows of this page.'),
          hasMore: z.boolean().describe('Whether there is a next page.'),
        }),
      ),
    },
    async ({ query: { limit, search = null, after = null }, principal, c }) => {
      const found = await inTenant(orm, principal.companyId, (em) =>
        listCompanies(em, { search, after, limit: limit + 1 }),
      );
      return answerAfter(c, limit, found, companySummaryView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/platform/state',
      tag,
      summary: 'What waits, what fails and what was audited, over all companies',
      description: 'The metrics have the names that the metrics endpoint shows with the prefix `escrow_`.',
      access: tenant('platform'),
      success: ok(ServiceState),
    },
    async ({ principal }) => {
      const [{ metrics, audits, concerns }, runs] = await Promise.all([
        inTenant(orm, principal.companyId, readServiceState),
        readRunsHealth(),
      ]);
      return {
        metrics: metrics.map(({ metric, label, value }) => ({ metric, label, value })),
        audits: audits.map((audit) => ({ ...audit, at: audit.at.toISOString() })),
        concerns: concerns.map(({ kind, companyId, object, objectId, at }) => ({
          kind,
          companyId: publicId('company', companyId),
          objectId: publicId(object, objectId),
          at: at.toISOString(),
        })),
        runs: runs === null ? null : { ...runs, sweptAt: runs.sweptAt.toISOString() },
      };
    },
  );
}
