import { z } from '@hono/zod-openapi';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'hono';
import { readTenant } from '../../../db/core/orm.ts';
import {
  addDisputeNote,
  assignDispute,
  DISPUTE_SORTS,
  type DisputeNote,
  type DisputeRecord,
  findDispute,
  listDisputeNotes,
  listDisputes,
} from '../../../db/escrow/dispute-desk.ts';
import { Refusal } from '../../../domain/errors.ts';
import { type AdministratorId, type CompanyId, type EscrowId, publicId, publicIdOrNull } from '../../../domain/ids.ts';
import { requireEscrow } from '../../commands/escrow-commands.ts';
import { changeOnce } from '../../commands/idempotency.ts';
import type { ApiDependencies, ApiEnv } from '../../context.ts';
import { pageAnswer } from '../../contract/lists.ts';
import { type Operations, ok, tenant } from '../../operation.ts';
import { centsText, currency, id, idSchema, note, pathIds, timestamp } from '../../schemas/common.ts';
import { party } from '../../schemas/escrow.ts';
import { listing, pageResponse, splitQuery } from '../../schemas/lists.ts';

/** The work of administrators on disputes: the queue, who decides which one, and internal notes. */

const tag = 'Disputes';
const params = pathIds({ id: 'escrow' });

const Dispute = z
  .object({
    disputeId: z.string().describe('The dispute.'),
    escrowId: z.string().describe('The escrow.'),
    externalReference: z.string().nullable().describe('Your own reference.'),
    openedBy: party(),
    openedAt: timestamp().describe('When the dispute was opened.'),
    reason: z.string().nullable().describe('Why, as its opener wrote.'),
    currency: currency(),
    heldAmount: centsText(),
    buyerName: z.string().nullable().describe('The name of the buyer.'),
    sellerName: z.string().nullable().describe('The name of the seller.'),
    assignedTo: z
      .object({
        adminId: z.string().describe('The administrator.'),
        name: z.string().nullable().openapi({ description: 'Null for an administrator of the platform.' }),
        assignedAt: timestamp().describe('Since when.'),
      })
      .nullable()
      .describe('Who works on it. Null: nobody.'),
  })
  .openapi('Dispute');
const Note = z
  .object({
    text: z.string().describe('The note.'),
    adminId: z.string().nullable().openapi({ description: 'Null: written with an API key.' }),
    authorName: z.string().nullable().describe('Who wrote it. Null: an API key.'),
    at: timestamp().describe('When it happened.'),
  })
  .openapi('DisputeNote');
const DisputeDetails = Dispute.extend({ notes: z.array(Note).describe('Words for the timeline.') }).openapi(
  'DisputeDetails',
);
const Assignment = z
  .object({
    adminId: id('administrator')
      .nullable()
      .openapi({ ...idSchema('administrator'), type: ['string', 'null'], description: 'Null: nobody.' }),
    knownAdminId: id('administrator')
      .nullable()
      .optional()
      .openapi({
        ...idSchema('administrator'),
        type: ['string', 'null'],
        description:
          'Who has the dispute as you know it; null: nobody. If that has changed, the answer is 409 `wrong_state`.',
      }),
  })
  .openapi('DisputeAssignment');
const NewNote = z.object({ note: note().describe('The text.') }).openapi('NewDisputeNote');

const DisputeQuery = listing('page', DISPUTE_SORTS, 'openedAt').extend({
  currency: currency().optional().describe('Only those in this currency.'),
  assignedTo: id('administrator').optional().describe('Only those of this administrator.'),
  isAssigned: z
    .enum(['true', 'false'])
    .transform((word) => word === 'true')
    .optional()
    .describe('Only those that somebody has, or nobody.'),
});

export function registerDisputeDesk(operation: Operations, dependencies: ApiDependencies): void {
  const { orm } = dependencies;

  operation(
    {
      method: 'get',
      path: '/v1/escrow/disputes',
      tag,
      summary: 'Open disputes, oldest first',
      description: 'The queue of the administrators who decide.',
      access: tenant('read'),
      query: DisputeQuery,
      success: ok(pageResponse(Dispute)),
    },
    async ({ query, companyId, c }) => {
      const { page, filter } = splitQuery(query, DISPUTE_SORTS);
      const found = await readTenant(orm, companyId, (em) =>
        listDisputes(em, companyId, { ...filter, isOpen: true as const }, page),
      );
      return pageAnswer(c, query, found, disputeView);
    },
  );

  operation(
    {
      method: 'get',
      path: '/v1/escrow/{id}/dispute',
      tag,
      summary: 'The dispute of an escrow, open or decided, with the internal notes',
      description: 'For staff: the parties do not see the notes.',
      access: tenant('read'),
      params,
      success: ok(DisputeDetails),
      refusals: ['not_found', 'wrong_state'],
    },
    ({ params, companyId }) => readTenant(orm, companyId, (em) => detailsIn(em, companyId, params.id)),
  );

  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/dispute/assign',
      tag,
      summary: 'Assign an open dispute to an administrator, or to nobody',
      description: 'The assignment tells who works on the dispute. Others may still decide it.',
      access: tenant('resolve_disputes'),
      idempotency: 'accepted',
      params,
      body: Assignment,
      success: ok(DisputeDetails),
      refusals: ['not_found', 'wrong_state', 'unknown_admin'],
    },
    ({ params: { id: escrowId }, body: { adminId, knownAdminId }, companyId, c }) =>
      changeOnce(c, dependencies, async (em) => {
        await detailsIn(em, companyId, escrowId);
        await assignDispute(em, companyId, escrowId, assignee(c, adminId), knownAdminId);
        return await detailsIn(em, companyId, escrowId);
      }),
  );

  operation(
    {
      method: 'post',
      path: '/v1/escrow/{id}/dispute/notes',
      tag,
      summary: 'Add an internal note to a dispute',
      description: 'Notes are for the staff of the company and the platform. They are never changed or deleted.',
      access: tenant('operate'),
      idempotency: 'accepted',
      params,
      body: NewNote,
      success: ok(DisputeDetails),
      refusals: ['not_found', 'wrong_state'],
    },
    async ({ params: { id: escrowId }, body: { note: text }, companyId, principal, c }) => {
      const administratorId = principal.kind === 'administrator' ? principal.administratorId : null;
      return changeOnce(c, dependencies, async (em, commandId) => {
        await detailsIn(em, companyId, escrowId);
        await addDisputeNote(em, { commandId, companyId, escrowId, administratorId, text });
        return await detailsIn(em, companyId, escrowId);
      });
    },
  );

  async function detailsIn(
    em: EntityManager,
    companyId: CompanyId,
    escrowId: EscrowId,
  ): Promise<z.infer<typeof DisputeDetails>> {
    const dispute = await findDispute(em, companyId, escrowId);
    const notes = await listDisputeNotes(em, companyId, escrowId);
    if (dispute === null) {
      await requireEscrow(dependencies, companyId, escrowId);
      throw new Refusal('wrong_state', 'the escrow was never disputed');
    }
    return { ...disputeView(dispute), notes: notes.map(noteView) };
  }
}

/** An administrator of the platform may take a dispute of any company on themselves. */
function assignee(c: Context<ApiEnv>, adminId: AdministratorId | null) {
  const { principal } = c.var;
  if (adminId === null) return null;
  const isPlatformStaff =
    principal.kind === 'administrator' &&
    principal.role === 'SUPER_ADMIN' &&
    principal.administratorId === adminId &&
    principal.companyId !== c.var.companyId;
  return { administratorId: adminId, isPlatformStaff };
}

function disputeView(dispute: DisputeRecord): z.infer<typeof Dispute> {
  const { assignedTo } = dispute;
  return {
    disputeId: publicId('dispute', dispute.disputeId),
    escrowId: publicId('escrow', dispute.escrowId),
    externalReference: dispute.externalReference,
    openedBy: dispute.openedBy,
    openedAt: dispute.openedAt,
    reason: dispute.reason,
    currency: dispute.currency,
    heldAmount: dispute.heldCents.toString(),
    buyerName: dispute.buyerName,
    sellerName: dispute.sellerName,
    assignedTo:
      assignedTo === null
        ? null
        : {
            adminId: publicId('administrator', assignedTo.administratorId),
            name: assignedTo.name,
            assignedAt: assignedTo.assignedAt.toISOString(),
          },
  };
}

function noteView({ text, administratorId, authorName, at }: DisputeNote): z.infer<typeof Note> {
  return { text, adminId: publicIdOrNull('administrator', administratorId), authorName, at: at.toISOString() };
}
