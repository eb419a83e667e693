import { log, ParentClosePolicy, proxyActivities, proxyLocalActivities, startChild, uuid4 } from '@temporalio/workflow';
import type {
  ChangeOutcome,
  CheckOutcome,
  FoundChange,
  PaymentLinkActivities,
  RefundOutcome,
} from '../activities/payment-link.activities.ts';
import { type CommandId, publicId } from '../domain/ids.ts';
import { formatAmount } from '../domain/money.ts';
import { nextLinkDeadline } from '../domain/payment-link/deadlines.ts';
import { type Accepted, changesAttempt, decide } from '../domain/payment-link/decide.ts';
import { evolve } from '../domain/payment-link/evolve.ts';
import {
  type Attempt,
  type AttemptId,
  awaited,
  isLinkFinal,
  type LinkCommand,
  type LinkEvent,
  linkNeedsProof,
  type PaymentLink,
} from '../domain/payment-link/link.ts';
import { parseCreation, parseLinkCommand } from '../domain/payment-link/parse-command.ts';
import { fromWire, toWire } from '../domain/wire.ts';
import { escrowWorkflowId, linkWorkflowId } from '../domain/workflow-ids.ts';
import { CompanyClock, companyOfRun } from './company-clock.ts';
import { Complaints } from './complaints.ts';
import type { Entity, EntityResult, RunResult } from './entity.ts';
import { LINK_HANDLERS } from './handler-texts.ts';
import { requireId } from './inputs.ts';
import { listen, listenForUpdate } from './listen.ts';
import { Mailbox } from './mailbox.ts';
import { CREATE_LINK_UPDATE, ESCROW_WORKFLOW, type LinkInput, WORKFLOW_TASK_TIMEOUT } from './messages.ts';
import { continueAsNextRun } from './next-run.ts';
import { LOCAL_ACTIVITY, PROVIDER_ACTIVITY } from './options.ts';
import { linkDisplay } from './payment-link-details.ts';
import { attributesOf } from './search-attributes.ts';
import { serve } from './serve.ts';

const activities = proxyLocalActivities<PaymentLinkActivities>(LOCAL_ACTIVITY);
const providers =
  proxyActivities<Pick<PaymentLinkActivities, 'checkAttempt' | 'checkPayment' | 'refundAttempt'>>(PROVIDER_ACTIVITY);
/** The delay after a check for chargebacks that the gateway did not answer. */
const CHANGE_RETRY_MS = 5 * 60_000;
const newCommandId = () => uuid4() as CommandId; // made here, deterministically

/** One payment link, from its creation until it is paid, rejected or expired and every attempt has ended. */
export async function paymentLinkWorkflow(input: LinkInput): Promise<RunResult> {
  const linkId = requireId('paymentLink', input, 'linkId', linkWorkflowId);
  const mailbox = new Mailbox<LinkCommand, EntityResult<LinkEvent>>(new Complaints(input.complaints));
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
      if (event.type === 'LATE_MONEY') {
        const { transactionId, attemptId } = event;
        log.warn("a late payment was credited to the buyer's balance", { linkId, transactionId, attemptId });
      }
      if (event.type === 'TAKEN_BACK') {
        const { transactionId, attemptId, change } = event;
        log.warn('a payment was taken back', { linkId, transactionId, attemptId, change: change.change });
      }
      if (event.type === 'PAYMENT_MISMATCHED')
        log.warn('a payment differs from its request; nothing was booked', { linkId, attemptId: event.attemptId });
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

/**
 * Converts a check into the command that follows from the provider's answer. No answer, or an already known one, becomes a
 * later check. If the gateway's limit does not allow a request yet, the check moves to the time at which it does, but never
 * later than it was planned.
 */
async function askProvider(link: PaymentLink | null, command: LinkCommand, clock: CompanyClock): Promise<LinkCommand> {
  if (command.type !== 'check-attempt') return command;
  const { commandId, attemptId } = command;
  const attempt = link?.attempts.find((one) => one.attemptId === attemptId);
  if (attempt === undefined) return command;
  if (attempt.refund === 'due') {
    const answer = await askForRefund(attempt);
    return answer === 'silent'
      ? { type: 'postpone-poll', commandId, attemptId }
      : { type: 'settle-refund', commandId, attemptId, outcome: answer };
  }
  if (attempt.status === 'succeeded') return askForChanges(commandId, attempt, clock);
  const outcome = await ask(attempt);
  if (typeof outcome === 'object') return { type: 'hasten-poll', commandId, attemptId, askAt: outcome.askAt };
  const isNews = outcome !== 'silent' && changesAttempt(attempt, outcome);
  return isNews
    ? { type: 'settle-attempt', commandId, attemptId, outcome, isLate: false }
    : { type: 'postpone-poll', commandId, attemptId };
}

/** After a payment has succeeded, it can be charged back or refunded at the gateway. */
async function askForChanges(
  commandId: CommandId,
  { attemptId, changes }: Attempt,
  clock: CompanyClock,
): Promise<LinkCommand> {
  const known = changes.flatMap(({ changeId }) => changeId ?? []);
  let outcome: ChangeOutcome;
  try {
    outcome = await providers.checkPayment(attemptId, known);
  } catch (error) {
    log.warn('a check for chargebacks failed; it will be retried', { attemptId, error: String(error) });
    outcome = 'silent';
  }
  if (outcome === 'nothing') return { type: 'postpone-poll', commandId, attemptId };
  if (outcome === 'silent') return { type: 'hasten-poll', commandId, attemptId, askAt: retryAt(clock) };
  if ('askAt' in outcome) return { type: 'hasten-poll', commandId, attemptId, askAt: outcome.askAt };
  const { changeId, change, amountCents } = fromWire<FoundChange>(outcome);
  return { type: 'settle-change', commandId, attemptId, changeId, change, amountCents };
}

function retryAt(clock: CompanyClock): string {
  return new Date(clock.nowMs() + CHANGE_RETRY_MS).toISOString();
}

async function ask({ attemptId }: { readonly attemptId: AttemptId } & Attempt): Promise<CheckOutcome> {
  try {
    return await providers.checkAttempt(attemptId);
  } catch (error) {
    log.warn('a status check at a provider failed; it will be retried', { attemptId, error: String(error) });
    return 'silent';
  }
}

async function askForRefund({ attemptId }: Attempt): Promise<RefundOutcome> {
  try {
    return await providers.refundAttempt(attemptId);
  } catch (error) {
    log.warn('a refund request to a provider failed; it will be retried', { attemptId, error: String(error) });
    return 'silent';
  }
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
