import type { Instant } from '../time.ts';

/**
 * What a bank's status reports mean for one payment. Pure: the provider's adapter turns reports into lines, and `interpret`
 * turns all lines about a payment into one answer.
 *
 * The rules protect against the worst mistake, which is to give back money that the bank has paid:
 *
 *   - Only a rejection of the payment itself (RJCT on payment level) says that the money did not leave. A rejected file or
 *     batch may be the second copy of one that was accepted.
 *   - A rejection as a duplicate answers a repetition: the bank has the first one.
 *   - After a repetition, a rejection counts only where the bank names the attempt (by its instruction id) and has accepted
 *     that attempt before. Otherwise a person decides.
 *   - The bank's time orders reports, never the time at which they arrive. At the same time, "paid" wins.
 */

export type ReportLevel = 'payment' | 'batch' | 'file';

export type StatusReason = {
  /** ISO 20022's reason code; null if the bank gave only its own text. */
  readonly code: string | null;
  /** The proprietary reason and the additional information in the bank's words. Never shown or stored. */
  readonly text: string;
};

/** One status in a report, with all of its reasons. */
export type StatusLine = {
  readonly level: ReportLevel;
  /** ISO 20022's status code: ACSC, RJCT, … */
  readonly status: string;
  readonly reasons: readonly StatusReason[];
  /** The attempt to which the line refers; null if the bank does not name it. */
  readonly attempt: number | null;
  /** The bank's own time of the status; null if the report has no readable time. */
  readonly saidAt: Instant | null;
};

/** Why a payment is not handed to the bank. A person resumes or cancels it. */
const HOLD_BACKS = ['account_frozen', 'user_blacklisted'] as const;
export type HoldBack = (typeof HOLD_BACKS)[number];

/**
 * Why a person should look at a payment: the bank refused something, but not provably the payment itself; our books do not
 * agree on what the bank is to pay; or the payment is held back.
 */
export const PAYOUT_CONCERNS = [
  'file_refused',
  'rejection_unattributed',
  'cancelled',
  'books_disagree',
  ...HOLD_BACKS,
] as const;
export type PayoutConcern = (typeof PAYOUT_CONCERNS)[number];

/** The bank's answer to a status request. A bank may know a payment and report no status for it. */
export type BankAnswer =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'known'; readonly lines: readonly StatusLine[] };

export type PayoutStatus =
  /** The bank does not know the payment. */
  | { readonly kind: 'unknown' }
  /** The bank has not decided. `attempt`: the accepted attempt, if the bank named it. */
  | { readonly kind: 'pending'; readonly attempt: number | null; readonly concern: PayoutConcern | null }
  /** The bank has paid. `concern`: a later report may or may not concern this payment. */
  | { readonly kind: 'settled'; readonly saidAt: Instant | null; readonly concern: PayoutConcern | null }
  /** The bank did not pay, or took the payment back. `reason`: ISO 20022's code. */
  | { readonly kind: 'rejected'; readonly saidAt: Instant | null; readonly reason: string };

/** Our own record of the instruction. */
type Sent = {
  /** How many times the payment may have reached the bank. */
  readonly attempts: number;
  /** The attempt that the bank accepted; null if it did not name one. */
  readonly acceptedAttempt: number | null;
};

/** ISO 20022's codes for "settled on the debtor's account" and "credited to the creditor's account". */
const PAID: ReadonlySet<string> = new Set(['ACSC', 'ACCC']);
/** The bank has checked the payment for duplicates and processes it. RCVD, ACTC and PDNG come before that check. */
const ACCEPTED: ReadonlySet<string> = new Set(['ACCP', 'ACSP', 'ACWC', 'ACWP', ...PAID]);
const REJECTED = 'RJCT';
const CANCELLED = 'CANC';
/** Reason codes for a refused duplicate: the bank has the first one. */
const DUPLICATE_CODES: ReadonlySet<string> = new Set(['AM05', 'DUPL', 'DU01', 'DU02', 'DU03', 'DU04', 'DU05']);
const DUPLICATE_WORDS = /\bdupl/i;
/** ISO 20022's code for "see the narrative", if a bank gives no code. */
export const NO_REASON = 'NARR';
export const REASON_CODE = /^[A-Z0-9]{4}$/;

export function isHoldBack(concern: PayoutConcern | null): concern is HoldBack {
  return HOLD_BACKS.some((one) => one === concern);
}

type Verdict = { readonly isPaid: boolean; readonly saidAt: Instant | null; readonly reason: string };

/** Combines everything that the bank has reported on the payment into one answer. */
export function interpret(answer: BankAnswer, sent: Sent): PayoutStatus {
  if (answer.kind === 'unknown') return { kind: 'unknown' };
  const { lines } = answer;
  const accepted = new Set(lines.filter(isAcceptance).map(({ attempt }) => attempt));
  if (sent.acceptedAttempt !== null) accepted.add(sent.acceptedAttempt);
  const isAttributed = ({ attempt }: StatusLine) => sent.attempts <= 1 || (attempt !== null && accepted.has(attempt));

  let latest: Verdict | null = null;
  const concerns: Doubt[] = [];
  for (const line of lines) {
    const { saidAt } = line;
    if (PAID.has(line.status)) latest = later(latest, { isPaid: true, saidAt, reason: NO_REASON });
    else if (line.status === CANCELLED) concerns.push({ concern: 'cancelled', saidAt });
    else if (line.status === REJECTED && !isDuplicate(line)) {
      if (line.level !== 'payment') concerns.push({ concern: 'file_refused', saidAt });
      else if (!isAttributed(line)) concerns.push({ concern: 'rejection_unattributed', saidAt });
      else latest = later(latest, { isPaid: false, saidAt, reason: reasonOf(line) });
    }
  }
  if (latest === null) {
    const attempt = [...accepted].find((one) => one !== null) ?? null;
    return { kind: 'pending', attempt, concern: gravest(concerns) };
  }
  const { isPaid, saidAt, reason } = latest;
  if (!isPaid) return { kind: 'rejected', saidAt, reason };
  // A file that is refused after the payment was made is a duplicate. A payment that is rejected may be a return.
  const newer = concerns.filter((one) => one.concern !== 'file_refused' && isLater(one.saidAt, saidAt));
  return { kind: 'settled', saidAt, concern: gravest(newer) };
}

type Doubt = { readonly concern: PayoutConcern; readonly saidAt: Instant | null };

function gravest(doubts: readonly Doubt[]): PayoutConcern | null {
  const order: readonly PayoutConcern[] = ['rejection_unattributed', 'cancelled', 'file_refused'];
  return order.find((concern) => doubts.some((doubt) => doubt.concern === concern)) ?? null;
}

/** Whether `a` is later than `b` by the bank's clock. A report without a time is older than any with one. */
export function isLater(a: Instant | null, b: Instant | null): boolean {
  return millisecondsOf(a) > millisecondsOf(b);
}

function later(a: Verdict | null, b: Verdict): Verdict {
  if (a === null || isLater(b.saidAt, a.saidAt)) return b;
  return b.isPaid && !isLater(a.saidAt, b.saidAt) ? b : a;
}

function millisecondsOf(instant: Instant | null): number {
  return instant === null ? Number.NEGATIVE_INFINITY : Date.parse(instant);
}

function isAcceptance({ level, status }: StatusLine): boolean {
  return level === 'payment' && ACCEPTED.has(status);
}

function isDuplicate({ reasons }: StatusLine): boolean {
  return reasons.some(({ code, text }) => (code !== null && DUPLICATE_CODES.has(code)) || DUPLICATE_WORDS.test(text));
}

function reasonOf({ reasons }: StatusLine): string {
  const codes = reasons.map(({ code }) => code).filter((code) => code !== null && REASON_CODE.test(code));
  return codes.find((code) => code !== NO_REASON) ?? NO_REASON;
}
