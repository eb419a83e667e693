import type { Hono } from 'hono';
import { z } from 'zod';
import { bankText } from '../../domain/withdrawal/bank-text.ts';
import {
  FileRefused,
  type OrderedPayment,
  readPain001,
  renderFileReport,
  renderReport,
  type Verdict,
} from './bank-files.ts';
import { Journal } from './journal.ts';
import { bears, Recent, readJson } from './requests.ts';
import type { SandboxPart } from './sandbox.ts';

/**
 * A bank that accepts payment files and reports on them. It pays after a second, unless a tester sets another outcome: for all
 * payments, or for one by its reference (the withdrawal's externalReference) or EndToEndId. Some references have a fixed outcome
 * (SANDBOX_REFERENCES). Unlike the rest of the sandbox it
 * can store its payments in a file, because a bank does not forget an accepted payment.
 */

type BankPartSettings = { readonly token: string; readonly file?: string | undefined };

/** `cancelled`: the bank reports that somebody stopped the payment, which does not say that the money stayed. */
const OUTCOMES = ['settled', 'rejected', 'cancelled', 'manual'] as const;
type Outcome = (typeof OUTCOMES)[number];

const NewFile = z.object({ name: z.string().min(1).max(255), content: z.string().min(1) });
const Told = z.object({ outcome: z.enum(OUTCOMES), reference: z.string().trim().min(1).optional() });
/** The responses to this many of the next files are lost in transit. */
const LostAnswers = z.object({ count: z.int().min(0).max(1_000) });

const Payment = z.object({
  endToEndId: z.string(),
  instructionId: z.string().nullable().default(null),
  amount: z.string(),
  currency: z.string(),
  creditorName: z.string(),
  creditorAccount: z.string(),
  branchCode: z.string(),
  reference: z.string(),
  receivedAt: z.number(),
  /** The number of files with this payment. All but the first were refused as duplicates. */
  files: z.number(),
  state: z.enum(['pending', 'settled', 'rejected', 'returned', 'cancelled']),
});
type BankPayment = z.infer<typeof Payment>;
const isPayment = (value: unknown): value is BankPayment => Payment.safeParse(value).success;

/**
 * The beginnings of references, and what the bank does with these payments. It pays all others after a second. The API's description and
 * docs/guides/sandbox.md list them.
 */
const SANDBOX_REFERENCES = {
  'sandbox-rejected': 'rejected',
  'sandbox-returned': 'returned',
  'sandbox-manual': 'manual',
} as const;

/** The fixed answer for a payment with this reference; undefined for other references. */
function sandboxPayout(reference: string): 'rejected' | 'returned' | 'manual' | undefined {
  return Object.entries(SANDBOX_REFERENCES).find(([start]) => reference.startsWith(start))?.[1];
}

/** How long the bank takes to decide. */
const DECISION_DELAY_MS = 1_000;
/** When it returns a payment that it made, if the reference says so. */
const RETURN_DELAY_MS = 5_000;

const VERDICTS: Readonly<Record<BankPayment['state'], Verdict>> = {
  pending: { status: 'ACSP' },
  settled: { status: 'ACSC' },
  rejected: { status: 'RJCT', reason: 'AC04' }, // closed account
  returned: { status: 'RJCT', reason: 'AC06' }, // blocked account
  cancelled: { status: 'CANC' },
};
const DUPLICATE: Verdict = { status: 'RJCT', reason: 'DU01' };
const UNREADABLE: Verdict = { status: 'RJCT', reason: 'FF01' };

/** A tester names the reference of the withdrawal; the bank has it in its own characters. */
const asSent = (reference: string) => bankText(reference, 'swift') ?? reference;

/** A payment that was neither made nor rejected. */
const isOpen = ({ state }: BankPayment) => state === 'pending' || state === 'cancelled';

export function bankPart({ token, file }: BankPartSettings): SandboxPart {
  const payments = new Recent<BankPayment>();
  const journal = new Journal<BankPayment>(file);
  for (const [id, payment] of journal.read(isPayment)) payments.keep(id, payment);
  const outcomes = new Recent<Outcome>();
  let usualOutcome: Outcome = 'settled';
  let lostAnswers = 0;

  const outcomeOf = ({ endToEndId, reference }: OrderedPayment) =>
    outcomes.get(endToEndId) ?? outcomes.get(asSent(reference)) ?? sandboxPayout(reference) ?? usualOutcome;

  function keep(payment: BankPayment, change: Partial<BankPayment> = {}): void {
    Object.assign(payment, change);
    payments.keep(payment.endToEndId, payment);
    journal.write(payment.endToEndId, payment);
  }

  /** Decides a payment that is due, once. */
  function current(payment: BankPayment): BankPayment {
    const outcome = outcomeOf(payment);
    if (payment.state === 'settled' && outcome === 'returned' && payment.receivedAt + RETURN_DELAY_MS <= Date.now())
      keep(payment, { state: 'returned' });
    if (payment.state === 'pending' && outcome !== 'manual' && payment.receivedAt + DECISION_DELAY_MS <= Date.now())
      keep(payment, { state: outcome === 'returned' ? 'settled' : outcome });
    return payment;
  }

  /** Applies a tester's new setting for a reference to existing payments. A bank may change its decision. */
  function applyAtOnce(reference: string, outcome: Outcome): void {
    for (const payment of payments.values()) {
      if (asSent(payment.reference) !== asSent(reference) && payment.endToEndId !== reference) continue;
      if (isOpen(payment) && outcome !== 'manual') keep(payment, { state: outcome });
      else if (payment.state === 'settled' && outcome === 'rejected') keep(payment, { state: 'returned' });
      else if (!isOpen(payment) && outcome === 'settled') keep(payment, { state: 'settled' });
    }
  }

  function take(content: string): string {
    const { messageId, payments: ordered } = readPain001(content);
    const known = ordered.map(({ endToEndId }) => payments.get(endToEndId)).filter((payment) => payment !== undefined);
    for (const payment of known) keep(payment, { files: payment.files + 1 });
    if (known.length > 0) return renderFileReport(messageId, DUPLICATE);
    for (const payment of ordered) keep({ ...payment, receivedAt: Date.now(), files: 1, state: 'pending' });
    return renderReport({
      messageId,
      file: { status: 'ACTC' },
      payments: ordered.map(({ endToEndId, instructionId }) => ({ endToEndId, instructionId, status: 'ACCP' })),
    });
  }

  function reportOn({ endToEndId, instructionId, state }: BankPayment): string {
    return renderReport({ messageId: endToEndId, payments: [{ endToEndId, instructionId, ...VERDICTS[state] }] });
  }

  return {
    provider: 'payout',

    wire(app, door) {
      app.post('/v1/files', door, async (c) => {
        if (!bears(c, token)) return c.json({ error: 'unauthenticated' }, 401);
        const file = NewFile.safeParse(await c.req.json().catch(() => undefined));
        if (!file.success) return c.json({ error: 'invalid' }, 400);
        try {
          const report = take(file.data.content);
          if (lostAnswers === 0) return c.json({ report });
          lostAnswers -= 1;
          return c.text('Bad Gateway', 502);
        } catch (error) {
          if (!(error instanceof FileRefused)) throw error;
          return c.json({ report: renderFileReport(file.data.name.replace(/\.xml$/, ''), UNREADABLE) });
        }
      });
      app.get('/v1/reports/:endToEndId', door, (c) => {
        if (!bears(c, token)) return c.json({ error: 'unauthenticated' }, 401);
        const payment = payments.get(c.req.param('endToEndId'));
        if (payment === undefined) return c.json({ error: 'unknown payment' }, 404);
        return c.json({ report: reportOn(current(payment)) });
      });
    },

    control(app: Hono) {
      app.post('/payouts', async (c) => {
        const { outcome, reference } = await readJson(c, Told);
        for (const payment of payments.values()) current(payment); // by the earlier setting
        if (reference === undefined) usualOutcome = outcome;
        else {
          outcomes.keep(asSent(reference), outcome);
          applyAtOnce(reference, outcome);
        }
        return c.json({ outcome, reference: reference ?? null });
      });
      app.post('/payouts/lost-answers', async (c) => {
        lostAnswers = (await readJson(c, LostAnswers)).count;
        return c.json({ status: 'OK' });
      });
      app.get('/payouts', (c) => c.json(payments.values().map(current)));
    },
  };
}
