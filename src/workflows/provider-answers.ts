import type { ChangeAnswer, CheckAnswer, RefundAnswer } from '../activities/attempt-checks.ts';
import type { ProviderAnswer } from '../activities/contract.ts';
import type { PayoutAnswer } from '../activities/payout-check.ts';
import { PAYMENT_CHANGES } from '../domain/escrow/escrow.ts';
import { type Codec, cents, instant, integer, oneOf, optional, record, text } from '../domain/messages/codec.ts';
import { readSignedAnswer } from '../domain/messages/signed.ts';
import { toWire } from '../domain/messages/wire.ts';
import { ATTEMPT_OUTCOMES } from '../domain/payment-link/link.ts';
import { PAYOUT_CONCERNS } from '../domain/withdrawal/bank-reports.ts';

/**
 * How a run reads what an activity says about a provider. Any client of Temporal can complete an activity, so a result of another form
 * counts as no answer, and the step that follows from an answer is written only with its proof (activities/records.ts).
 */

/** A gateway's id of a chargeback or refund. */
const MAX_ID_CHARACTERS = 255;
const REASON_CHARACTERS = 4;

type Reader<Answer> = Pick<Codec<Answer>, 'parse'>;

/** The first of `readers` that understands the answer. */
const either = <Answer>(...readers: readonly Reader<Answer>[]): Reader<Answer> => ({
  parse: (raw) => {
    for (const reader of readers) {
      const answer = reader.parse(raw);
      if (answer !== undefined) return answer;
    }
    return undefined;
  },
});

const later = record<{ readonly askAt: string }>({ askAt: instant });
const change = record({ changeId: text(MAX_ID_CHARACTERS), change: oneOf(...PAYMENT_CHANGES), amountCents: cents });
const concern = optional(oneOf(...PAYOUT_CONCERNS));
const saidAt = optional(instant);
type PayoutAnswerOf<Kind extends PayoutAnswer['kind']> = Extract<PayoutAnswer, { kind: Kind }>;

const READERS = {
  checkAttempt: either<CheckAnswer>(oneOf(...ATTEMPT_OUTCOMES, 'silent'), later),
  checkPayment: either<ChangeAnswer>(oneOf('nothing', 'silent'), later, {
    parse: (raw) => {
      const found = change.parse(raw);
      return found === undefined ? undefined : toWire(found);
    },
  }),
  refundAttempt: oneOf('refunded', 'refused', 'silent') satisfies Reader<RefundAnswer>,
  checkPayout: either<PayoutAnswer>(
    record<PayoutAnswerOf<'unknown'>>({ kind: oneOf('unknown') }),
    record<PayoutAnswerOf<'pending'>>({
      kind: oneOf('pending'),
      attempt: optional(integer(1, Number.MAX_SAFE_INTEGER)),
      concern,
    }),
    record<PayoutAnswerOf<'settled'>>({ kind: oneOf('settled'), saidAt, concern }),
    record<PayoutAnswerOf<'rejected'>>({ kind: oneOf('rejected'), saidAt, reason: text(REASON_CHARACTERS) }),
    record<PayoutAnswerOf<'silent'>>({ kind: oneOf('silent'), outcome: oneOf('unreachable', 'unknown') }),
    record<PayoutAnswerOf<'waits'>>({ kind: oneOf('waits'), until: instant }),
  ),
} satisfies { readonly [Activity in ProviderAnswer['activity']]: Reader<unknown> };

type AnswerOf<Activity extends ProviderAnswer['activity']> = Exclude<
  ReturnType<(typeof READERS)[Activity]['parse']>,
  undefined
>;

/** An answer that a run acts on, and how it is proven. */
export type ReadAnswer<Answer> = { readonly answer: Answer; readonly proven: ProviderAnswer };

/** Reads the result of an activity. Null if the result has no form of an answer. */
export function readAnswer<Activity extends ProviderAnswer['activity']>(
  activity: Activity,
  subjectId: string,
  result: unknown,
): ReadAnswer<AnswerOf<Activity>> | null {
  const { answer: raw, proof } = readSignedAnswer(result);
  if (!isFlat(raw)) return null;
  const answer = READERS[activity].parse(raw) as AnswerOf<Activity> | undefined; // the table pairs activity and answer
  return answer === undefined ? null : { answer, proven: { activity, subjectId, answer: raw, proof } };
}

/** Whether an answer has no nested values. The run passes it on, and a deeply nested one cannot be converted to a payload. */
function isFlat(raw: unknown): boolean {
  return !isObject(raw) || !Object.values(raw).some(isObject);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
