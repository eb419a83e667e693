import { log, ParentClosePolicy, proxyLocalActivities, startChild } from '@temporalio/workflow';
import type { Arrival } from '../activities/contract.ts';
import type { PaymentLinkActivities } from '../activities/payment-link.activities.ts';
import type { CommandResult } from '../domain/entity.ts';
import { publicId } from '../domain/ids.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/messages/ids.ts';
import { toWire } from '../domain/messages/wire.ts';
import { formatAmount } from '../domain/money.ts';
import { type Accepted, decide, nextLinkDeadline } from '../domain/payment-link/decide.ts';
import { evolve } from '../domain/payment-link/evolve.ts';
import {
  awaited,
  isLinkFinal,
  type LinkCommand,
  type LinkEvent,
  type PaymentLink,
} from '../domain/payment-link/link.ts';
import { parseCreation, parseLinkCommand } from '../domain/payment-link/parse-command.ts';
import { askProvider } from './ask-provider.ts';
import { LINK_MESSAGE_TEXTS } from './details/message-texts.ts';
import { linkDisplay } from './details/payment-link-details.ts';
import { CREATE_LINK_UPDATE, ESCROW_WORKFLOW, type LinkInput, WORKFLOW_TASK_TIMEOUT } from './messages.ts';
import { listen, listenForUpdate, Mailbox } from './run/mailbox.ts';
import { serve } from './run/serve.ts';
import { companyOfRun, LOCAL_ACTIVITY, type RunResult, requireId, type ServedEntity } from './run/served-entity.ts';
import { CompanyClock } from './run/waiting.ts';
import { attributesOf } from './search-attributes.ts';

const activities = proxyLocalActivities<PaymentLinkActivities>(LOCAL_ACTIVITY);

/** One payment link, from its creation until it is paid, rejected or expired and every attempt has ended. */
export async function paymentLinkWorkflow(input: LinkInput): Promise<RunResult> {
  const linkId = requireId('paymentLink', input, 'linkId', linkWorkflowId);
  const mailbox = new Mailbox<LinkCommand, CommandResult<LinkEvent>>(input.refused);
  listen(mailbox, LINK_MESSAGE_TEXTS, parseLinkCommand);
  listenForUpdate(mailbox, CREATE_LINK_UPDATE, parseCreation);

  const clock = new CompanyClock();
  const link: ServedEntity<PaymentLink, LinkCommand, LinkEvent, Accepted> = {
    kind: 'payment-link',
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
      if (event.type === 'CREATED' || notRunning.includes(escrowWorkflowId(state.terms.escrowId)))
        await startEscrow(state);
    },
    load: () => activities.loadLink(linkId, companyOfRun()),
    apply: (decision, next, summary, arrival, instead) =>
      activities.applyLinkEvent.executeWithOptions({ ...LOCAL_ACTIVITY, summary }, [
        {
          ...stepOf(decision, next, arrival),
          instead: instead && stepOf(instead.decision, instead.next, { ...arrival, answer: undefined }),
        },
      ]),
    nextInput: () => ({ linkId: input.linkId, refused: mailbox.refused.kept }),
  };

  return serve(link, mailbox);
}

function stepOf(
  { event, postings, escrowCommand, asksForMoney, movement, reversedId }: Accepted,
  next: PaymentLink,
  arrival: Arrival,
) {
  return {
    event: toWire(event),
    state: toWire(next),
    postings: postings.map((posting) => toWire(posting)),
    escrowCommand: escrowCommand === null ? null : toWire(escrowCommand),
    asksForMoney,
    movement: movement === null ? null : toWire(movement),
    reversedId,
    arrival,
  };
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
