import { proxyLocalActivities, uuid4 } from '@temporalio/workflow';
import type { CommandResult } from '../activities/contract.ts';
import type { EscrowActivities } from '../activities/escrow.activities.ts';
import { nextDeadline } from '../domain/escrow/deadlines.ts';
import { decide } from '../domain/escrow/decide.ts';
import type { Accepted } from '../domain/escrow/decision.ts';
import { type Escrow, type EscrowCommand, type EscrowEvent, needsProof } from '../domain/escrow/escrow.ts';
import { evolve } from '../domain/escrow/evolve.ts';
import { parseCommand, parseInitiation } from '../domain/escrow/parse-command.ts';
import { isFinal } from '../domain/escrow/transitions.ts';
import { type CommandId, publicId } from '../domain/ids.ts';
import { toWire } from '../domain/messages/wire.ts';
import { escrowWorkflowId } from '../domain/messages/workflow-ids.ts';
import { CompanyClock, companyOfRun } from './company-clock.ts';
import { Complaints } from './complaints.ts';
import { escrowDisplay } from './details/escrow-details.ts';
import { ESCROW_HANDLERS } from './details/handler-texts.ts';
import type { Entity, RunResult } from './entity.ts';
import { requireId } from './inputs.ts';
import { listen, listenForUpdate } from './listen.ts';
import { Mailbox } from './mailbox.ts';
import { type EscrowInput, INITIATE_UPDATE } from './messages.ts';
import { continueAsNextRun } from './next-run.ts';
import { LOCAL_ACTIVITY } from './options.ts';
import { serve } from './serve.ts';

const activities = proxyLocalActivities<EscrowActivities>(LOCAL_ACTIVITY);
const newCommandId = () => uuid4() as CommandId; // made here, deterministically

/** One escrow, from its first command to its last. */
export async function escrowWorkflow(input: EscrowInput): Promise<RunResult> {
  const escrowId = requireId('escrow', input, 'escrowId', escrowWorkflowId);
  const mailbox = new Mailbox<EscrowCommand, CommandResult<EscrowEvent>>(new Complaints(input.complaints));
  listen(mailbox, ESCROW_HANDLERS, parseCommand);
  listenForUpdate(mailbox, INITIATE_UPDATE, parseInitiation);

  const escrow: Entity<Escrow, EscrowCommand, EscrowEvent, Accepted> = {
    kind: 'escrow',
    id: escrowId,
    noun: 'escrow',
    publicId: publicId('escrow', escrowId),
    display: escrowDisplay,
    clock: new CompanyClock(),
    decide,
    evolve,
    isOver: ({ status }) => isFinal(status),
    nextDeadline,
    onDeadlineRefused(command, code) {
      // After `wrong_state` another command was first, and nothing is due any more. Any other refusal blocks the release, and
      // is shown.
      if (command.type !== 'auto-release' || code === 'wrong_state') return;
      mailbox.tell({ type: 'block-release', commandId: newCommandId(), reason: code }, () => undefined);
    },
    load: () => activities.loadEscrow(escrowId, companyOfRun()),
    apply: ({ event, postings, checks }, next, summary, sent) =>
      activities.applyEscrowEvent.executeWithOptions({ ...LOCAL_ACTIVITY, summary }, [
        {
          event: toWire(event),
          state: toWire(next),
          postings: postings.map((posting) => toWire(posting)),
          checks,
          sent: needsProof(event) ? sent : null,
        },
      ]),
  };

  return (
    (await serve(escrow, mailbox, newCommandId)) ??
    continueAsNextRun({ escrowId: input.escrowId, complaints: mailbox.complaints.kept })
  );
}
