import { instant, optional, record, text } from '../domain/messages/codec.ts';
import type { Instant } from '../domain/time.ts';

/**
 * The bank's answers about a withdrawal that the database does not have. A run that continues as new passes them to the next run.
 */
export type BankAnswers = {
  /** The latest check; null before the first, which the run makes at once. */
  readonly asked: { readonly at: Instant; readonly answer: string } | null;
  /** The bank's time of the latest verdict that confirmed the status. Older verdicts are ignored. */
  readonly heardAt: Instant | null;
};

const MAX_ANSWER_CHARACTERS = 100;

const bankAnswers = record<BankAnswers>({
  asked: optional(record<NonNullable<BankAnswers['asked']>>({ at: instant, answer: text(MAX_ANSWER_CHARACTERS) })),
  heardAt: optional(instant),
});

/** `given` is from the run's input. An invalid value counts as none. */
export function readBankAnswers(given: unknown): BankAnswers {
  return bankAnswers.parse(given) ?? { asked: null, heardAt: null };
}
