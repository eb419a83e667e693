import { proxyLocalActivities } from '@temporalio/workflow';
import type { EscrowActivities } from '../activities/escrow.activities.ts';
import type { CommandResult } from '../domain/entity.ts';
import { type EscrowCommand, type EscrowEvent, parseCommand, parseInitiation } from '../domain/escrow/commands.ts';
import { nextDeadline } from '../domain/escrow/deadlines.ts';
import { decide } from '../domain/escrow/decide.ts';
import type { Accepted } from '../domain/escrow/decision.ts';
import { type Escrow, isFinal } from '../domain/escrow/escrow.ts';
import { evolve } from '../domain/escrow/evolve.ts';
import { publicId } from '../domain/ids.ts';
import { escrowWorkflowId } from '../domain/messages/ids.ts';
import { toWire } from '../domain/messages/wire.ts';
import { escrowDisplay } from './details/escrow-details.ts';
import { ESCROW_MESSAGE_TEXTS } from './details/message-texts.ts';
import { type EscrowInput, INITIATE_UPDATE } from './messages.ts';
import { listen, listenForUpdate, Mailbox } from './run/mailbox.ts';
import { serve } from './run/serve.ts';
import { companyOfRun, LOCAL_ACTIVITY, type RunResult, requireId, type ServedEntity } from './run/served-entity.ts';
import { CompanyClock } from './run/waiting.ts';

const activities = proxyLocalActivities<EscrowActivities>(LOCAL_ACTIVITY);

/** One escrow, from its first command to its last. */
export async function escrowWorkflow(input: EscrowInput): Promise<RunResult> {
  const escrowId = requireId('escrow', input, 'escrowId', escrowWorkflowId);
  const mailbox = new Mailbox<EscrowCommand, CommandResult<EscrowEvent>>(input.refused);
  listen(mailbox, ESCROW_MESSAGE_TEXTS, parseCommand);
  listenForUpdate(mailbox, INITIATE_UPDATE, parseInitiation);

  const escrow: ServedEntity<Escrow, EscrowCommand, EscrowEvent, Accepted> = {
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
    // After `wrong_state` another command was first, and nothing is due any more. Any other refusal blocks the release, and is
    // shown.
    afterRefusedDeadline: ({ type }, code) =>
      type === 'auto-release' && code !== 'wrong_state'
        ? (commandId) => ({ type: 'block-release', commandId, reason: code })
        : null,
    load: () => activities.loadEscrow(escrowId, companyOfRun()),
    apply: ({ event, postings, checks }, next, summary, arrival) =>
      activities.applyEscrowEvent.executeWithOptions({ ...LOCAL_ACTIVITY, summary }, [
        {
          event: toWire(event),
          state: toWire(next),
          postings: postings.map((posting) => toWire(posting)),
          checks,
          arrival,
        },
      ]),
    nextInput: () => ({ escrowId: input.escrowId, refused: mailbox.refused.kept }),
  };

  return serve(escrow, mailbox);
}
