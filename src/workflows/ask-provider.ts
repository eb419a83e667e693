import { log, proxyActivities } from '@temporalio/workflow';
import type { AttemptChecks, FoundChange } from '../activities/attempt-checks.ts';
import { fromWire } from '../domain/messages/wire.ts';
import { changesAttempt } from '../domain/payment-link/decide.ts';
import type { Attempt, LinkCommand, PaymentLink } from '../domain/payment-link/link.ts';
import { addMs, type Instant } from '../domain/time.ts';
import { type ReadAnswer, readAnswer } from './provider-answers.ts';
import { PROVIDER_ACTIVITY, type Prepared } from './run/served-entity.ts';
import type { CompanyClock } from './run/waiting.ts';

/** How the run of a payment link checks an attempt at its provider. */

const providers = proxyActivities<AttemptChecks>(PROVIDER_ACTIVITY);
/** The delay after a check for chargebacks that the gateway did not answer. */
const CHANGE_RETRY_MS = 5 * 60_000;

type Check = Extract<LinkCommand, { type: 'check-attempt' }>;

/**
 * Converts a check into the command that follows from the provider's answer. No answer, or an already known one, becomes a
 * later check. If the gateway's limit does not allow a request yet, the check moves to the time at which it does, but never
 * later than it was planned.
 */
export async function askProvider(
  link: PaymentLink | null,
  command: LinkCommand,
  clock: CompanyClock,
): Promise<Prepared<LinkCommand>> {
  if (command.type !== 'check-attempt') return { command };
  const attempt = link?.attempts.find((one) => one.attemptId === command.attemptId);
  if (link === null || attempt === undefined) return { command };
  if (attempt.refund === 'due') return askForRefund(link, command);
  if (attempt.status === 'succeeded') return askForChanges(link, command, attempt, clock);
  return ask(link, command, attempt);
}

/** After a payment has succeeded, it can be charged back or refunded at the gateway. */
async function askForChanges(
  { terms: { companyId } }: PaymentLink,
  { commandId, attemptId }: Check,
  { changes }: Attempt,
  clock: CompanyClock,
): Promise<Prepared<LinkCommand>> {
  const known = changes.flatMap(({ changeId }) => changeId ?? []);
  const result = providers.checkPayment(companyId, attemptId, known, commandId);
  const heard = await hear('checkPayment', attemptId, result);
  const unanswered: LinkCommand = { type: 'hasten-poll', commandId, attemptId, askAt: retryAt(clock) };
  const after = (command: LinkCommand) => following(heard, command, unanswered);
  const outcome = heard?.answer ?? 'silent';
  if (outcome === 'nothing') return after({ type: 'postpone-poll', commandId, attemptId });
  if (outcome === 'silent') return { command: unanswered };
  if ('askAt' in outcome) return after({ type: 'hasten-poll', commandId, attemptId, askAt: outcome.askAt });
  const { changeId, change, amountCents } = fromWire<FoundChange>(outcome);
  return after({ type: 'settle-change', commandId, attemptId, changeId, change, amountCents });
}

function retryAt(clock: CompanyClock): Instant {
  return addMs(clock.now(), CHANGE_RETRY_MS);
}

async function ask(
  { terms: { companyId } }: PaymentLink,
  { commandId, attemptId }: Check,
  attempt: Attempt,
): Promise<Prepared<LinkCommand>> {
  const heard = await hear('checkAttempt', attemptId, providers.checkAttempt(companyId, attemptId, commandId));
  const unanswered: LinkCommand = { type: 'postpone-poll', commandId, attemptId };
  const outcome = heard?.answer ?? 'silent';
  if (typeof outcome === 'object')
    return following(heard, { type: 'hasten-poll', commandId, attemptId, askAt: outcome.askAt }, unanswered);
  const isNews = outcome !== 'silent' && changesAttempt(attempt, outcome);
  return isNews
    ? following(heard, { type: 'settle-attempt', commandId, attemptId, outcome, isLate: false }, unanswered)
    : { command: unanswered };
}

async function askForRefund(
  { terms: { companyId } }: PaymentLink,
  { commandId, attemptId }: Check,
): Promise<Prepared<LinkCommand>> {
  const heard = await hear('refundAttempt', attemptId, providers.refundAttempt(companyId, attemptId, commandId));
  const unanswered: LinkCommand = { type: 'postpone-poll', commandId, attemptId };
  const outcome = heard?.answer ?? 'silent';
  return outcome === 'silent'
    ? { command: unanswered }
    : following(heard, { type: 'settle-refund', commandId, attemptId, outcome }, unanswered);
}

/** The command that follows from an answer. Without a proof of the answer it is not written, and `unanswered` is decided. */
function following(
  heard: ReadAnswer<unknown> | null,
  command: LinkCommand,
  unanswered: LinkCommand,
): Prepared<LinkCommand> {
  return { command, told: heard === null ? undefined : { answer: heard.proven, unanswered } };
}

/** Waits for the result of an activity and reads it. Null if the activity fails, or its result has no form of an answer. */
async function hear<Activity extends keyof AttemptChecks>(
  activity: Activity,
  attemptId: string,
  result: Promise<unknown>,
): Promise<ReturnType<typeof readAnswer<Activity>>> {
  try {
    return readAnswer(activity, attemptId, await result);
  } catch (error) {
    log.warn('a question to a provider failed; it will be asked again', { activity, attemptId, error: String(error) });
    return null;
  }
}
