import { continueAsNew, log, proxyActivities, proxyLocalActivities, uuid4 } from '@temporalio/workflow';
import type { PayoutAnswer, WithdrawalActivities } from '../activities/withdrawal.activities.ts';
import { type CommandId, publicId } from '../domain/ids.ts';
import { toWire } from '../domain/wire.ts';
import { type Accepted, decide } from '../domain/withdrawal/decide.ts';
import { evolve } from '../domain/withdrawal/evolve.ts';
import { parseRequest, parseWithdrawalCommand } from '../domain/withdrawal/parse-command.ts';
import { commandOfAnswer, isOver, nextCheckAt } from '../domain/withdrawal/payout.ts';
import type { Withdrawal, WithdrawalCommand, WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';
import type { Entity, EntityResult, RunResult } from './entity.ts';
import { requireId } from './inputs.ts';
import { listen, listenForUpdate } from './listen.ts';
import { Mailbox } from './mailbox.ts';
import { REQUEST_WITHDRAWAL_UPDATE, WITHDRAWAL_MESSAGES, type WithdrawalInput } from './messages.ts';
import { LOCAL_ACTIVITY, PROVIDER_ACTIVITY } from './options.ts';
import { serve } from './serve.ts';
import { withdrawalDisplay } from './withdrawal-details.ts';

const activities = proxyLocalActivities<WithdrawalActivities>(LOCAL_ACTIVITY);
const bank = proxyActivities<Pick<WithdrawalActivities, 'checkPayout'>>(PROVIDER_ACTIVITY);
const newCommandId = () => uuid4() as CommandId; // made here, deterministically
const now = () => new Date().toISOString();

/** One withdrawal: until the bank has refused it, or has paid it and can no longer send it back. */
export async function withdrawalWorkflow(input: WithdrawalInput): Promise<RunResult> {
  const withdrawalId = requireId('transaction', input.withdrawalId);
  const mailbox = new Mailbox<WithdrawalCommand, EntityResult<WithdrawalEvent>>();
  listen(mailbox, WITHDRAWAL_MESSAGES, parseWithdrawalCommand);
  listenForUpdate(mailbox, REQUEST_WITHDRAWAL_UPDATE, parseRequest);

  // A run begins by asking, however it came to begin.
  let asked: { readonly at: string; readonly answer: string } | null = null;
  const nextAt = (state: Withdrawal) => (asked === null ? state.updatedAt : nextCheckAt(state, asked.at));

  /** A check becomes what the bank says; it stays a check, which is refused, where that is nothing new. */
  async function askBank(state: Withdrawal | null, command: WithdrawalCommand): Promise<WithdrawalCommand> {
    if (command.type !== 'check-payout' || state === null) return command;
    const answer = await bank.checkPayout(withdrawalId, command.mayResend).catch((error: unknown): PayoutAnswer => {
      log.warn('asking the bank failed; it is asked again', { withdrawalId, error: String(error) });
      return { kind: 'silent', outcome: 'unknown' };
    });
    asked = { at: now(), answer: answer.kind === 'silent' ? `nothing (${answer.outcome})` : answer.kind };
    return answer.kind === 'silent' ? command : (commandOfAnswer(state, answer, command.commandId) ?? command);
  }

  const withdrawal: Entity<Withdrawal, WithdrawalCommand, WithdrawalEvent, Accepted> = {
    noun: 'withdrawal',
    publicId: publicId('transaction', withdrawalId),
    display: withdrawalDisplay((state) => (asked === null ? null : { ...asked, nextAt: nextAt(state) })),
    prepare: askBank,
    decide,
    evolve,
    isOver: (state) => isOver(state, now()),
    nextDeadline: (state) =>
      isOver(state, now())
        ? null
        : { at: nextAt(state), command: (commandId) => ({ type: 'check-payout', commandId, mayResend: false }) },
    // The tax was spent: what the bank sent back is credited without it, rather than not at all.
    fallbackCommand: (command) =>
      command.type === 'return' && command.isTaxReturned ? { ...command, isTaxReturned: false } : null,
    async afterEvent(_state, event) {
      if (event.type === 'RETURNED') log.warn('the bank returned a payment', { withdrawalId, reason: event.reason });
    },
    load: () => activities.loadWithdrawal(withdrawalId),
    findEvent: (commandId) => activities.findWithdrawalEvent(withdrawalId, commandId),
    apply: ({ event, postings, userId }, next, summary) =>
      activities.applyWithdrawalEvent.executeWithOptions({ ...LOCAL_ACTIVITY, summary }, [
        { event: toWire(event), state: toWire(next), postings: postings.map((posting) => toWire(posting)), userId },
      ]),
  };

  return (await serve(withdrawal, mailbox, newCommandId)) ?? continueAsNew<typeof withdrawalWorkflow>(input);
}
