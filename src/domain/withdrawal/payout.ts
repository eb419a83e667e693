import type { AdministratorId, CommandId, TransactionId } from '../ids.ts';
import { DAY_MS, HOUR_MS, type Instant } from '../time.ts';
import { isHoldBack, isLater, type PayoutStatus } from './bank-reports.ts';
import type { PayoutOutcome, Withdrawal, WithdrawalCommand } from './withdrawal.ts';

/**
 * How a withdrawal follows its payment at the bank: the effect of the bank's reports, and the time of the next check. No
 * answer, a time-out and "not known" change nothing.
 */

/** The payment's reference at the bank: derived from the withdrawal's id, so that all attempts are the same payment. */
export function endToEndIdOf(withdrawalId: TransactionId): string {
  return `WD${withdrawalId.replaceAll('-', '').toUpperCase()}`;
}

/**
 * The reference of one attempt, which the bank repeats in its reports. The first attempt has the payment's own reference. At
 * most 35 characters.
 */
export function instructionIdOf(endToEndId: string, attempt: number): string {
  return attempt <= 1 ? endToEndId : `R${attempt}${endToEndId.slice(2)}`;
}

/** After this many attempts, only a person can send a payment again. */
export const MAX_ATTEMPTS = 99;

/** The attempt that an instruction id names; null for any other text. */
export function attemptOf(endToEndId: string, instructionId: string | null): number | null {
  if (instructionId === null) return null;
  if (instructionId === endToEndId) return 1;
  const attempt = Number(/^R(\d{1,2})(?=[0-9A-F]{32}$)/.exec(instructionId)?.[1] ?? Number.NaN);
  return instructionId === instructionIdOf(endToEndId, attempt) ? attempt : null;
}

type By = { readonly commandId: CommandId; readonly adminId: AdministratorId | null };

/**
 * The command that follows from the bank's answer; null if it changes nothing. `heardAt` is the bank's time of the latest
 * verdict that confirmed the status; an older verdict is ignored.
 */
export function commandOfAnswer(
  withdrawal: Withdrawal,
  answer: PayoutStatus,
  commandId: CommandId,
  heardAt: Instant | null = null,
): WithdrawalCommand | null {
  const knownAt = isLater(heardAt, withdrawal.verdictAt) ? heardAt : withdrawal.verdictAt;
  switch (answer.kind) {
    case 'unknown':
      return null;
    case 'pending': {
      if (withdrawal.status !== 'PROCESSING') return null;
      const { concern, attempt } = answer;
      if (concern !== null) return concern === withdrawal.concern ? null : { type: 'flag', commandId, concern };
      const isNews = withdrawal.submittedAt === null || (attempt !== null && withdrawal.acceptedAttempt === null);
      return isNews ? { type: 'submit', commandId, attempt } : null;
    }
    case 'settled':
      if (isLater(knownAt, answer.saidAt)) return null;
      if (withdrawal.status === 'COMPLETED' && answer.concern !== null && answer.concern !== withdrawal.concern)
        return { type: 'flag', commandId, concern: answer.concern };
      return commandOfOutcome(withdrawal, { isPaid: true, saidAt: answer.saidAt }, { commandId, adminId: null });
    case 'rejected': {
      if (withdrawal.status !== 'PROCESSING' && !isLater(answer.saidAt, knownAt)) return null;
      const { saidAt, reason } = answer;
      return commandOfOutcome(withdrawal, { isPaid: false, saidAt, reason }, { commandId, adminId: null });
    }
  }
}

/**
 * `heardAt` after one more answer: the bank's time of the latest verdict that confirmed the status. A verdict from after `now` does not
 * confirm: it would hide all later ones.
 */
export function latestConfirmation(
  { status }: Withdrawal,
  answer: PayoutStatus,
  heardAt: Instant | null,
  now: Instant,
): Instant | null {
  const isConfirmed =
    (answer.kind === 'settled' && status === 'COMPLETED') ||
    (answer.kind === 'rejected' && (status === 'FAILED' || status === 'REVERSED'));
  return isConfirmed && isLater(answer.saidAt, heardAt) && !isLater(answer.saidAt, now) ? answer.saidAt : heardAt;
}

/** The command that makes the withdrawal agree with `outcome`; null if it already does. */
export function commandOfOutcome({ status }: Withdrawal, outcome: PayoutOutcome, by: By): WithdrawalCommand | null {
  const { saidAt } = outcome;
  if (outcome.isPaid) {
    if (status === 'PROCESSING') return { ...by, type: 'settle', saidAt };
    return status === 'COMPLETED' ? null : { ...by, type: 'settle-late', saidAt };
  }
  const { reason } = outcome;
  if (status === 'PROCESSING') return { ...by, type: 'reject', saidAt, reason };
  return status === 'COMPLETED' ? { ...by, type: 'return', saidAt, reason, taxFrom: 'TAX' } : null;
}

/**
 * The command to try after the ledger refused one because the TAX account has insufficient funds or is frozen. The bank's verdict
 * must be booked, so the tax becomes a receivable.
 */
export function commandWithReceivable(command: WithdrawalCommand): WithdrawalCommand | null {
  if (command.type === 'return' && command.taxFrom === 'TAX') return { ...command, taxFrom: 'RECEIVABLE' };
  return null;
}

/**
 * Whether a payment that the bank does not know is sent. If the bank has confirmed the payment, or has refused it ambiguously,
 * only a person sends it again: a bank that lost track of a payment may still make it. A payment that is held back is sent once it
 * is resumed.
 */
export function maySend({ status, submittedAt, concern }: Withdrawal, attempts: number, mayResend: boolean): boolean {
  if (status !== 'PROCESSING' || isHoldBack(concern)) return false;
  return mayResend || (submittedAt === null && concern === null && attempts < MAX_ATTEMPTS);
}

/**
 * How long the bank's reports are followed after its last verdict. Thirteen months is the longest time that payment schemes
 * allow for returns and recalls. After it, an operator books what the bank reports.
 */
export const LISTENING_DAYS = 400;
/** In the first days after a verdict the bank is asked daily, later weekly. */
const DAILY_DAYS = 14;

const MIN_DELAY_MS = 1_000;
const MAX_DELAY_MS = 15 * 60_000;
/** A payment that the bank has had for an hour is checked every six minutes: the delay is at most a tenth of the age. */
const DELAY_PER_AGE = 10;

/** Whether the bank is not asked any more. */
export function isOver({ status, updatedAt }: Withdrawal, now: Instant): boolean {
  return status !== 'PROCESSING' && Date.parse(now) - Date.parse(updatedAt) >= LISTENING_DAYS * DAY_MS;
}

/** The time of the next check after a check at `now`. `waitedUntil`: the instant before which the payment was not to be sent. */
export function nextCheckAt(withdrawal: Withdrawal, now: Instant, waitedUntil: Instant | null = null): Instant {
  return new Date(Date.parse(now) + delayMs(withdrawal, now, waitedUntil)).toISOString();
}

/** The time of the next look at a payment that waits until `until`. The wait may be ended before. */
export function nextLookAt(until: Instant, now: Instant): Instant {
  return new Date(Math.min(Date.parse(until), Date.parse(now) + HOUR_MS)).toISOString();
}

function delayMs(
  { status, createdAt, submittedAt, updatedAt }: Withdrawal,
  now: Instant,
  waitedUntil: Instant | null,
): number {
  if (status === 'PROCESSING') {
    const ageMs = Date.parse(now) - Date.parse(submittedAt ?? waitedUntil ?? createdAt);
    return Math.round(clamp(ageMs / DELAY_PER_AGE, MIN_DELAY_MS, MAX_DELAY_MS));
  }
  const sinceVerdictMs = Date.parse(now) - Date.parse(updatedAt);
  return sinceVerdictMs < DAILY_DAYS * DAY_MS ? clamp(sinceVerdictMs, HOUR_MS, DAY_MS) : 7 * DAY_MS;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}
