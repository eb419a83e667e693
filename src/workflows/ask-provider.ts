import { log, proxyActivities } from '@temporalio/workflow';
import type {
  AttemptChecks,
  ChangeAnswer,
  CheckAnswer,
  FoundChange,
  RefundAnswer,
} from '../activities/attempt-checks.ts';
import type { CommandId, CompanyId } from '../domain/ids.ts';
import { fromWire } from '../domain/messages/wire.ts';
import { changesAttempt } from '../domain/payment-link/decide.ts';
import type { Attempt, LinkCommand, PaymentLink } from '../domain/payment-link/link.ts';
import { addMs, type Instant } from '../domain/time.ts';
import { PROVIDER_ACTIVITY } from './run/lifecycle.ts';
import type { CompanyClock } from './run/waiting.ts';

/** How the run of a payment link checks an attempt at its provider. */

const providers = proxyActivities<AttemptChecks>(PROVIDER_ACTIVITY);
/** The delay after a check for chargebacks that the gateway did not answer. */
const CHANGE_RETRY_MS = 5 * 60_000;

/**
 * Converts a check into the command that follows from the provider's answer. No answer, or an already known one, becomes a
 * later check. If the gateway's limit does not allow a request yet, the check moves to the time at which it does, but never
 * later than it was planned.
 */
export async function askProvider(
  link: PaymentLink | null,
  command: LinkCommand,
  clock: CompanyClock,
): Promise<LinkCommand> {
  if (command.type !== 'check-attempt') return command;
  const { commandId, attemptId } = command;
  const attempt = link?.attempts.find((one) => one.attemptId === attemptId);
  if (link === null || attempt === undefined) return command;
  const { companyId } = link.terms;
  if (attempt.refund === 'due') {
    const answer = await askForRefund(companyId, attempt);
    return answer === 'silent'
      ? { type: 'postpone-poll', commandId, attemptId }
      : { type: 'settle-refund', commandId, attemptId, outcome: answer };
  }
  if (attempt.status === 'succeeded') return askForChanges(companyId, commandId, attempt, clock);
  const outcome = await ask(companyId, attempt);
  if (typeof outcome === 'object') return { type: 'hasten-poll', commandId, attemptId, askAt: outcome.askAt };
  const isNews = outcome !== 'silent' && changesAttempt(attempt, outcome);
  return isNews
    ? { type: 'settle-attempt', commandId, attemptId, outcome, isLate: false }
    : { type: 'postpone-poll', commandId, attemptId };
}

/** After a payment has succeeded, it can be charged back or refunded at the gateway. */
async function askForChanges(
  companyId: CompanyId,
  commandId: CommandId,
  { attemptId, changes }: Attempt,
  clock: CompanyClock,
): Promise<LinkCommand> {
  const known = changes.flatMap(({ changeId }) => changeId ?? []);
  let outcome: ChangeAnswer;
  try {
    outcome = await providers.checkPayment(companyId, attemptId, known);
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

function retryAt(clock: CompanyClock): Instant {
  return addMs(clock.now(), CHANGE_RETRY_MS);
}

async function ask(companyId: CompanyId, { attemptId }: Attempt): Promise<CheckAnswer> {
  try {
    return await providers.checkAttempt(companyId, attemptId);
  } catch (error) {
    log.warn('a status check at a provider failed; it will be retried', { attemptId, error: String(error) });
    return 'silent';
  }
}

async function askForRefund(companyId: CompanyId, { attemptId }: Attempt): Promise<RefundAnswer> {
  try {
    return await providers.refundAttempt(companyId, attemptId);
  } catch (error) {
    log.warn('a refund request to a provider failed; it will be retried', { attemptId, error: String(error) });
    return 'silent';
  }
}
