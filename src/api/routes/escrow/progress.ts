import { createRoute, z } from '@hono/zod-openapi';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import type { Api, ApiDependencies } from '../../context.ts';
import { type Guard, ok, refusals, tenant } from '../../openapi/operation.ts';
import { pathIds } from '../../schemas/common.ts';

const Progress = z
  .object({
    workflowId: z.string().openapi({ description: 'The id in Temporal', example: 'escrow/esc_0190…' }),
    running: z.boolean().openapi({ description: 'False where the escrow is final, or its run was lost' }),
    runId: z.string().nullable().openapi({ description: 'The latest run; null where there never was one' }),
    waitingFor: z
      .array(z.string())
      .openapi({ description: 'The commands that the run takes now; `fund` comes from the payment link' }),
    nextDeadline: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'When something happens by itself: an automatic release, or a proposal that lapses' }),
    historyLength: z.int().openapi({ description: 'How many events the history of the run has' }),
  })
  .openapi('EscrowProgress');

export function registerEscrowProgress(app: Api, dependencies: ApiDependencies, guard: Guard): void {
  const progress = createRoute({
    method: 'get',
    path: '/v1/escrow/{id}/progress',
    tags: ['Escrow'],
    summary: 'What its run waits for, asked of the run itself',
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
