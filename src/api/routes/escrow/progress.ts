import { z } from '@hono/zod-openapi';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import type { ApiDependencies } from '../../context.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
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

export function registerEscrowProgress(operation: Operations, dependencies: ApiDependencies): void {
  operation(
    {
      method: 'get',
      path: '/v1/escrow/{id}/progress',
      tag: 'Escrow',
      summary: "What the escrow's workflow run waits for, and its next deadline",
      description: 'For support, asked of the run itself.',
      access: tenant('read'),
      params: pathIds({ id: 'escrow' }),
      success: ok(Progress),
      refusals: ['not_found', 'dependency_unavailable'],
    },
    async ({ params, companyId }) => {
      const { id } = await requireEscrow(dependencies, companyId, params.id);
      const answer = await dependencies.readProgress(id);
      return { ...answer, waitingFor: [...answer.waitingFor] };
    },
  );
}
