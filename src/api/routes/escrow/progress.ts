import { createRoute, z } from '@hono/zod-openapi';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { pathIds } from '../../schemas/common.ts';

const Progress = z
  .object({
    workflowId: z.string().openapi({ description: 'The id in Temporal', example: 'escrow/esc_0190…' }),
    running: z.boolean().openapi({ description: 'False if the escrow is final or its run was lost' }),
    runId: z.string().nullable().openapi({ description: 'The latest run; null if there was none' }),
    waitingFor: z
      .array(z.string())
      .openapi({ description: 'The commands that the run accepts now; `fund` comes from the payment link' }),
    nextDeadline: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'The time of the next automatic event: a release, or the end of a proposal' }),
    historyLength: z.int().openapi({ description: "The number of events in the run's history" }),
  })
  .openapi('EscrowProgress');

export function registerEscrowProgress(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const progress = createRoute({
    method: 'get',
    path: '/v1/escrow/{id}/progress',
    tags: ['Escrow'],
    summary: "What the escrow's workflow run waits for, and its next deadline",
    ...tenant(guard, 'read'),
    request: { params: pathIds({ id: 'escrow' }) },
    responses: { ...ok(Progress), ...refusals('not_found', 'dependency_unavailable') },
  });

  app.openapi(progress, async (c) => {
    const { id } = await requireEscrow(dependencies, c.var.companyId, c.req.valid('param').id);
    const answer = await dependencies.readProgress(id);
    return c.json({ ...answer, waitingFor: [...answer.waitingFor] }, 200);
  });
}
