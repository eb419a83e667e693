import { log, proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { AskedAnswer } from '../activities/contract.ts';
import type { PayoutAnswer } from '../activities/payout-check.ts';
import type { WithdrawalActivities } from '../activities/withdrawal.activities.ts';
import type { CommandResult } from '../domain/entity.ts';
import { publicId } from '../domain/ids.ts';
import { withdrawalWorkflowId } from '../domain/messages/ids.ts';
import { toWire } from '../domain/messages/wire.ts';
import type { Instant } from '../domain/time.ts';
import { type Accepted, decide } from '../domain/withdrawal/decide.ts';
import { evolve } from '../domain/withdrawal/evolve.ts';
import { parseRequest, parseWithdrawalCommand } from '../domain/withdrawal/parse-command.ts';
import {
  commandOfAnswer,
  commandOfOutcome,
  commandWithReceivable,
  isOver,
  latestConfirmation,
  nextCheckAt,
  nextLookAt,
} from '../domain/withdrawal/payout.ts';
import type { Withdrawal, WithdrawalCommand, WithdrawalEvent } from '../domain/withdrawal/withdrawal.ts';
import { WITHDRAWAL_MESSAGE_TEXTS } from './details/message-texts.ts';
import { withdrawalDisplay } from './details/withdrawal-details.ts';
import { REQUEST_WITHDRAWAL_UPDATE, readBankAnswers, type WithdrawalInput } from './messages.ts';
import { readAnswer } from './provider-answers.ts';
import { listen, listenForUpdate, Mailbox } from './run/mailbox.ts';
import { serve } from './run/serve.ts';
import {
  companyOfRun,
  LOCAL_ACTIVITY,
  PROVIDER_ACTIVITY,
  type Prepared,
  type RunResult,
  requireId,
  type ServedEntity,
} from './run/served-entity.ts';
import { CompanyClock } from './run/waiting.ts';

const activities = proxyLocalActivities<WithdrawalActivities>(LOCAL_ACTIVITY);
const bank = proxyActivities<Pick<WithdrawalActivities, 'checkPayout'>>(PROVIDER_ACTIVITY);

type CommandOf<Type extends WithdrawalCommand['type']> = Extract<WithdrawalCommand, { type: Type }>;

/** One withdrawal, for as long as the bank may still report on its payment. */
export async function withdrawalWorkflow(input: WithdrawalInput): Promise<RunResult> {
  const withdrawalId = requireId('transaction', input, 'withdrawalId', withdrawalWorkflowId);
  const mailbox = new Mailbox<WithdrawalCommand, CommandResult<WithdrawalEvent>>(input.refused);
  listen(mailbox, WITHDRAWAL_MESSAGE_TEXTS, parseWithdrawalCommand);
  listenForUpdate(mailbox, REQUEST_WITHDRAWAL_UPDATE, parseRequest);

  const clock = new CompanyClock();
  let { asked, heardAt } = readBankAnswers(input.bankAnswers);
  let confirmation: (AskedAnswer & { readonly saidAt: Instant | null }) | null = null;
  let waitsUntil: Instant | null = null;
  let waitedUntil: Instant | null = null;
  const nextAt = (state: Withdrawal) => {
    if (asked === null) return state.updatedAt;
    return waitsUntil === null ? nextCheckAt(state, asked.at, waitedUntil) : nextLookAt(waitsUntil, asked.at);
  };

  /**
   * Converts a check into the command that follows from the bank's answer. If the answer is nothing new, the check is refused
   * later.
   */
  async function answerQuestion(
    state: Withdrawal | null,
    command: WithdrawalCommand,
  ): Promise<Prepared<WithdrawalCommand>> {
    if (state === null) return { command };
    if (command.type === 'book-outcome') {
      // Compared with the bank's reports, which have real time.
      const outcome = { ...command.outcome, saidAt: command.outcome.saidAt ?? new Date().toISOString() };
      return { command: commandOfOutcome(state, outcome, command) ?? command };
    }
    return command.type === 'check-payout' ? askBank(state, command) : { command };
  }

  async function askBank(state: Withdrawal, command: CommandOf<'check-payout'>): Promise<Prepared<WithdrawalCommand>> {
    const { companyId } = state.terms;
    const answering = bank.checkPayout(companyId, withdrawalId, command.mayResend, command.commandId);
    const result = await answering.catch((error: unknown) => {
      log.warn('a status check at the bank failed; it will be retried', { withdrawalId, error: String(error) });
    });
    const heard = readAnswer('checkPayout', withdrawalId, result);
    const answer: PayoutAnswer = heard?.answer ?? { kind: 'silent', outcome: 'unknown' };
    asked = { at: clock.now(), answer: answer.kind === 'silent' ? `nothing (${answer.outcome})` : answer.kind };
    waitedUntil = waitsUntil ?? waitedUntil;
    waitsUntil = answer.kind === 'waits' ? answer.until : null;
    if (heard === null || answer.kind === 'silent' || answer.kind === 'waits') return { command };
    const told = commandOfAnswer(state, answer, command.commandId, heardAt);
    const confirmedAt = latestConfirmation(state, answer, heardAt, new Date().toISOString());
    if (confirmedAt !== heardAt)
      confirmation = { saidAt: confirmedAt, commandId: command.commandId, answer: heard.proven };
    return told === null ? { command } : { command: told, told: { answer: heard.proven, unanswered: command } };
  }

  /** Reads the row, as after each refused check. An answer that only confirms the status is written nowhere: its proof is verified here. */
  async function load() {
    const read = confirmation;
    confirmation = null;
    const snapshot = await activities.loadWithdrawal(withdrawalId, companyOfRun(), read);
    if (read !== null && snapshot.isConfirmed !== false) heardAt = read.saidAt;
    return snapshot;
  }

  const withdrawal: ServedEntity<Withdrawal, WithdrawalCommand, WithdrawalEvent, Accepted> = {
    kind: 'withdrawal',
    id: withdrawalId,
    noun: 'withdrawal',
    publicId: publicId('transaction', withdrawalId),
    display: withdrawalDisplay((state) => (asked === null ? null : { ...asked, nextAt: nextAt(state) })),
    clock,
    prepare: answerQuestion,
    hasEffect: ({ type }) => type === 'check-payout',
    decide,
    evolve,
    isOver: (state) => isOver(state, clock.now()),
    nextDeadline: (state) =>
      isOver(state, clock.now())
        ? null
        : { at: nextAt(state), command: (commandId) => ({ type: 'check-payout', commandId, mayResend: false }) },
    fallbackCommand: commandWithReceivable,
    afterEvent: async (_, { type }) => {
      if (type === 'RESUMED') asked = null; // the bank is asked, and the payment sent, at once
    },
    load,
    apply: ({ event, postings, userId, adminId }, next, summary, arrival) =>
      activities.applyWithdrawalEvent.executeWithOptions({ ...LOCAL_ACTIVITY, summary }, [
        {
          event: toWire(event),
          state: toWire(next),
          postings: postings.map((posting) => toWire(posting)),
          userId,
          adminId,
          arrival,
        },
      ]),
    nextInput: () => ({
      withdrawalId: input.withdrawalId,
      refused: mailbox.refused.kept,
      bankAnswers: { asked, heardAt },
    }),
  };

  return serve(withdrawal, mailbox);
}
