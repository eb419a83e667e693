import { log, ParentClosePolicy, proxyLocalActivities, startChild, uuid4 } from '@temporalio/workflow';
import type { CommandResult } from '../activities/contract.ts';
import type { PaymentLinkActivities } from '../activities/payment-link.activities.ts';
import { type CommandId, publicId } from '../domain/ids.ts';
import { toWire } from '../domain/messages/wire.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/messages/workflow-ids.ts';
import { formatAmount } from '../domain/money.ts';
import { nextLinkDeadline } from '../domain/payment-link/deadlines.ts';
import { type Accepted, decide } from '../domain/payment-link/decide.ts';
import { evolve } from '../domain/payment-link/evolve.ts';
import {
  awaited,
  isLinkFinal,
  type LinkCommand,
  type LinkEvent,
  linkNeedsProof,
  type PaymentLink,
} from '../domain/payment-link/link.ts';
import { parseCreation, parseLinkCommand } from '../domain/payment-link/parse-command.ts';
import { askProvider } from './ask-provider.ts';
import { CompanyClock, companyOfRun } from './company-clock.ts';
import { Complaints } from './complaints.ts';
import { LINK_HANDLERS } from './details/handler-texts.ts';
import { linkDisplay } from './details/payment-link-details.ts';
import type { Entity, RunResult } from './entity.ts';
import { LINK_LOGS, logEvent } from './event-logs.ts';
import { requireId } from './inputs.ts';
import { listen, listenForUpdate } from './listen.ts';
import { Mailbox } from './mailbox.ts';
import { CREATE_LINK_UPDATE, ESCROW_WORKFLOW, type LinkInput, WORKFLOW_TASK_TIMEOUT } from './messages.ts';
import { continueAsNextRun } from './next-run.ts';
import { LOCAL_ACTIVITY } from './options.ts';
import { attributesOf } from './search-attributes.ts';
import { serve } from './serve.ts';

const activities = proxyLocalActivities<PaymentLinkActivities>(LOCAL_ACTIVITY);
const newCommandId = () => uuid4() as CommandId; // made here, deterministically

/** One payment link, from its creation until it is paid, rejected or expired and every attempt has ended. */
export async function paymentLinkWorkflow(input: LinkInput): Promise<RunResult> {
  const linkId = requireId('paymentLink', input, 'linkId', linkWorkflowId);
  const mailbox = new Mailbox<LinkCommand, CommandResult<LinkEvent>>(new Complaints(input.complaints));
  listen(mailbox, LINK_HANDLERS, parseLinkCommand);
  listenForUpdate(mailbox, CREATE_LINK_UPDATE, parseCreation);

  const clock = new CompanyClock();
  const link: Entity<PaymentLink, LinkCommand, LinkEvent, Accepted> = {
    kind: 'paymentLink',
    id: linkId,
    noun: 'payment link',
    publicId: publicId('paymentLink', linkId),
    display: linkDisplay,
    clock,
    prepare: (state, command) => askProvider(state, command, clock),
    decide,
    evolve,
    isOver: (state) => isLinkFinal(state.status) && awaited(state).length === 0,
    nextDeadline(state) {
      const deadline = nextLinkDeadline(state);
      if (deadline === null) return null;
      return {
        at: deadline.at,
        command: (commandId) =>
          deadline.kind === 'expire'
            ? { type: 'expire', commandId }
            : { type: 'check-attempt', commandId, attemptId: deadline.attemptId },
      };
    },
    // The escrow no longer takes the money: credit the buyer instead.
    fallbackCommand: (command) =>
      command.type === 'settle-attempt' && command.outcome === 'succeeded' && !command.isLate
        ? { ...command, isLate: true }
        : null,
    async afterEvent(state, event, notRunning) {
      logEvent(LINK_LOGS, event, { linkId });
      if (event.type === 'CREATED' || notRunning.includes(escrowWorkflowId(state.terms.escrowId)))
        await startEscrow(state);
    },
    load: () => activities.loadLink(linkId, companyOfRun()),
    apply: ({ event, postings, escrowCommand, asksForMoney, movement, reversedId }, next, summary, sent) =>
      activities.applyLinkEvent.executeWithOptions({ ...LOCAL_ACTIVITY, summary }, [
        {
          event: toWire(event),
          state: toWire(next),
          postings: postings.map((posting) => toWire(posting)),
          escrowCommand: escrowCommand === null ? null : toWire(escrowCommand),
          asksForMoney,
          movement: movement === null ? null : toWire(movement),
          reversedId,
          sent: linkNeedsProof(event) ? sent : null,
        },
      ]),
  };

  return (
    (await serve(link, mailbox, newCommandId)) ??
    continueAsNextRun({ linkId: input.linkId, complaints: mailbox.complaints.kept })
  );
}

/** Starts the escrow's run as a child workflow, so that operators see it immediately and can navigate between the two. */
async function startEscrow({ terms }: PaymentLink): Promise<void> {
  const { escrowId, companyId, amountCents, currency } = terms;
  try {
    await startChild(ESCROW_WORKFLOW, {
      workflowId: escrowWorkflowId(escrowId),
      args: [{ escrowId: publicId('escrow', escrowId) }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
      staticSummary: `Escrow of ${formatAmount(amountCents, currency)} ${currency}`,
      typedSearchAttributes: attributesOf({ companyId, kind: 'escrow', currency }),
    });
  } catch (error) {
    // A command to the escrow was faster and started its run.
    log.debug('the escrow has a run', { escrowId, error: String(error) });
  }
}
