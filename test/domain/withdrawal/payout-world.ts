import type { AdministratorId, CommandId } from '../../../src/domain/ids.ts';
import {
  type BankAnswer,
  interpret,
  type StatusLine,
  type StatusReason,
} from '../../../src/domain/withdrawal/bank-reports.ts';
import { decide } from '../../../src/domain/withdrawal/decide.ts';
import { evolve } from '../../../src/domain/withdrawal/evolve.ts';
import {
  commandOfAnswer,
  commandOfOutcome,
  commandWithReceivable,
  isOver,
  LISTENING_DAYS,
  latestConfirmation,
  maySend,
} from '../../../src/domain/withdrawal/payout.ts';
import type {
  PayoutOutcome,
  Withdrawal,
  WithdrawalCommand,
  WithdrawalTerms,
} from '../../../src/domain/withdrawal/withdrawal.ts';
import { Books } from './payout-books.ts';

/**
 * One payment between us and a bank over an unreliable connection: messages are lost, repeated, reordered, late and
 * contradictory. The bank's true verdicts are known only here and not to the code under test. After every step the books must
 * follow the newest true verdict that has arrived.
 */

export const named = <T extends string>(name: string) => name as T; // the world names things as it likes

export const TERMS: WithdrawalTerms = {
  withdrawalId: named('withdrawal'),
  companyId: named('company'),
  accountId: named('account'),
  userId: named('user'),
  bankAccountId: named('bank'),
  taxAccountId: named('tax'),
  receivableAccountId: named('receivable'),
  currency: 'USD',
  amountCents: 10_000n,
  taxCents: 200n,
};

/** A true verdict of the bank, or a line that resembles one. */
type Said = { readonly line: StatusLine; readonly verdict: Verdict | null };
type Verdict = { readonly isPaid: boolean; readonly atMs: number };

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 86_400_000;
const CODES = ['AC01', 'AC04', 'AC06', 'AG01', 'AM04', 'NARR', 'RR04', 'MS03'] as const;
const DUPLICATES: readonly StatusReason[] = [
  ...['AM05', 'DUPL', 'DU01', 'DU03', 'DU05'].map((code) => ({ code, text: '' })),
  { code: null, text: 'Duplicate payment' },
  { code: null, text: 'DUPL' },
];

/** A seeded generator (mulberry32), so that the number of a history reproduces it. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Ending = {
  readonly status: Withdrawal['status'];
  readonly neededOperator: boolean;
  readonly wasLate: boolean;
};

/** Runs one history. Throws if an invariant is violated. */
export function liveThrough(seed: number): Ending {
  return new PayoutWorld(seed).live();
}

function isNewer(verdict: Verdict, than: Verdict | null): boolean {
  return than === null || verdict.atMs > than.atMs || (verdict.atMs === than.atMs && verdict.isPaid);
}

class PayoutWorld {
  readonly #random: () => number;
  readonly #books = new Books();
  /** A folder keeps all reports. Over HTTP each answer has one report, which may be an old one. */
  readonly #isFolder: boolean;
  #nowMs = START_MS;
  #commands = 0;
  #state: Withdrawal;
  #heardAt: string | null = null;
  #wasLate = false;
  #isFrozen = false;

  // The bank's side.
  #taken: number | null = null;
  readonly #verdicts: Verdict[] = [];
  readonly #reports: (readonly Said[])[] = [];
  readonly #inTransit: number[] = [];
  #attempts = 0;

  // The newest true verdict that has arrived, and the verdict that the books follow.
  #newest: Verdict | null = null;
  #followed: Verdict | null = null;

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#isFolder = this.#chance(0.4);
    const decision = decide(null, { type: 'request', commandId: this.#commandId(), terms: TERMS }, this.#now());
    if (decision.kind === 'refused') throw new Error(decision.detail);
    this.#state = evolve(null, decision.event);
    this.#books.post(decision.postings);
  }

  live(): Ending {
    const steps = 5 + this.#below(30);
    for (let step = 0; step < steps; step += 1) {
      this.#nowMs += this.#chance(0.2) ? 0 : this.#below(this.#chance(0.1) ? 20 * DAY_MS : 60_000);
      this.#pick<() => void>([
        () => this.#ask(false),
        () => this.#ask(false),
        () => this.#ask(this.#chance(0.3)),
        () => this.#bankDecides(),
        () => this.#bankMutters(),
        () => this.#lateArrival(),
        () => this.#loseRun(),
        () => this.#freezeOrLift(),
        () => this.#companyOrders(),
        () => this.#books.spend(this.#chance(0.5), this.#chance(0.5)),
      ])();
      this.#check();
    }
    return this.#end();
  }

  /** At the end an operator books the outcome from the bank's statement, if our books differ from it. */
  #end(): Ending {
    if (this.#taken === null) this.#taken = 1; // whatever was in transit arrives
    if (this.#verdicts.length === 0) this.#bankDecides();
    const truth = this.#verdicts.at(-1);
    if (truth === undefined) throw new Error('the bank has decided nothing');
    const outcome: PayoutOutcome = truth.isPaid
      ? { isPaid: true, saidAt: this.#now() }
      : { isPaid: false, saidAt: this.#now(), reason: 'NARR' };
    const command = commandOfOutcome(this.#state, outcome, { commandId: this.#commandId(), adminId: named('admin') });
    if (command !== null) this.#carryOut(command);
    this.#books.check(this.#state);
    this.#must((this.#state.status === 'COMPLETED') === truth.isPaid, 'the books say what the bank did');
    this.#must(!isOver(this.#state, this.#now()), 'the bank is still listened to');
    const after = new Date(this.#nowMs + LISTENING_DAYS * DAY_MS).toISOString();
    this.#must(isOver(this.#state, after), 'nothing is open for ever');
    return { status: this.#state.status, neededOperator: command !== null, wasLate: this.#wasLate };
  }

  /** The worker's behaviour: ask, send if the bank does not know the payment, and act on the answer. */
  #ask(mayResend: boolean): void {
    const sent = { attempts: this.#attempts, acceptedAttempt: this.#state.acceptedAttempt };
    if (this.#chance(0.1)) return; // no answer
    const said = this.#statusSaid();
    if (said !== null || !maySend(this.#state, sent.attempts, mayResend)) {
      this.#hear(said, sent);
      return;
    }
    if (this.#isFrozen) {
      const held = { kind: 'pending', attempt: null, concern: 'account_frozen' } as const;
      const command = commandOfAnswer(this.#state, held, this.#commandId(), this.#heardAt);
      if (command !== null) this.#carryOut(command);
      return;
    }
    this.#must(this.#state.concern !== 'account_frozen', 'a payment that was held back waits for a person');
    this.#attempts += 1;
    const way = this.#random();
    if (way < 0.15) {
      this.#attempts -= 1; // certainly not reached
    } else if (way < 0.4) {
      this.#inTransit.push(this.#attempts); // lost, or late
    } else {
      const reply = this.#bankReceives(this.#attempts);
      if (this.#chance(0.1)) this.#bankReceives(this.#attempts); // the line doubled it
      if (this.#chance(0.6)) this.#hear(reply, { ...sent, attempts: this.#attempts });
    }
  }

  #freezeOrLift(): void {
    this.#isFrozen = this.#chance(this.#isFrozen ? 0.2 : 0.1);
  }

  /** The company resumes or cancels the payment. The database refuses both where the domain cannot know it. */
  #companyOrders(): void {
    const by = { commandId: this.#commandId(), adminId: named<AdministratorId>('owner'), apiKeyId: null };
    const type = this.#chance(0.5) ? 'resume' : 'cancel';
    if (type === 'resume' ? this.#isFrozen : this.#attempts > 0 || this.#chance(0.5)) return;
    if (decide(this.#state, { type, ...by }, this.#now()).kind === 'accepted') this.#carryOut({ type, ...by });
  }

  /** The bank's current report; null: the bank does not know the payment. */
  #statusSaid(): readonly Said[] | null {
    const delivered = this.#reports.filter(() => this.#chance(this.#isFolder ? 0.9 : 0.5));
    if (delivered.length === 0) return this.#taken === null || this.#chance(0.3) ? null : [];
    return this.#isFolder ? this.#shuffled(delivered).flat() : (delivered[this.#below(delivered.length)] ?? []);
  }

  #hear(said: readonly Said[] | null, sent: { attempts: number; acceptedAttempt: number | null }): void {
    const word: BankAnswer =
      said === null ? { kind: 'unknown' } : { kind: 'known', lines: this.#shuffled(said).map(({ line }) => line) };
    const answer = interpret(word, sent);
    const command = commandOfAnswer(this.#state, answer, this.#commandId(), this.#heardAt);
    this.#heardAt = latestConfirmation(this.#state, answer, this.#heardAt, this.#now());
    if (command !== null) this.#carryOut(command);

    for (const { verdict } of said ?? []) {
      if (verdict === null) continue;
      // After a repetition a true rejection may be left to a person. It then counts as not received.
      const isTaken = answer.kind === 'rejected' && verdict.atMs <= Date.parse(answer.saidAt ?? '');
      if (!verdict.isPaid && sent.attempts > 1 && !isTaken) continue;
      if (isNewer(verdict, this.#newest)) this.#newest = verdict;
    }
    if (this.#newest !== null && this.#newest.isPaid !== this.#followed?.isPaid) this.#followed = this.#newest;
  }

  #carryOut(command: WithdrawalCommand): void {
    const decision = decide(this.#state, command, this.#now());
    if (decision.kind === 'refused') throw new Error(`${command.type}: ${decision.detail}`);
    // A refused return is tried again, so its postings are divided once they are accepted.
    if (!this.#books.accepts(decision.event.type === 'SETTLED_LATE' ? [] : decision.postings)) {
      const fallback = commandWithReceivable(command);
      this.#must(fallback !== null, `${command.type} has a way where accounts are short`);
      if (fallback !== null) this.#carryOut(fallback);
      return;
    }
    const postings = this.#books.divide(decision.postings, decision.event, TERMS);
    this.#books.post(postings);
    if (this.#chance(0.2)) this.#books.post(postings); // the worker repeats itself
    this.#state = evolve(this.#state, decision.event);
    if (decision.event.type === 'SETTLED_LATE') this.#wasLate = true;
  }

  #check(): void {
    this.#books.check(this.#state);
    const expected = this.#followed === null ? null : this.#followed.isPaid;
    const isUndecided = this.#state.status === 'PROCESSING' || this.#state.status === 'CANCELLED';
    const actual = isUndecided ? null : this.#state.status === 'COMPLETED';
    this.#must(actual === expected, `status ${this.#state.status} follows the newest verdict heard (${expected})`);
  }

  /** The first copy that arrives is the payment. Any other is refused as a duplicate, in one of many forms. */
  #bankReceives(attempt: number): readonly Said[] {
    if (this.#taken === null) {
      this.#taken = attempt;
      const accepted = [this.#line({ status: this.#pick(['ACCP', 'ACSP', 'ACWC']), attempt })];
      return this.#chance(0.5) ? accepted : [this.#line({ level: 'file', status: 'ACTC', attempt: null })];
    }
    const report = [this.#answerToCopy(attempt)];
    this.#reports.push(report);
    return report;
  }

  #answerToCopy(attempt: number): Said {
    const reasons = [...this.#reasons(2), this.#pick(DUPLICATES)];
    const level = this.#pick(['payment', 'batch', 'file'] as const);
    const isNamed = attempt !== this.#taken && this.#attempts > 1;
    // Only a copy that we can recognise (another attempt) may be refused with any reason.
    if (isNamed && this.#chance(0.4))
      return this.#line({
        level,
        status: 'RJCT',
        attempt: this.#chance(0.5) ? attempt : null,
        reasons: this.#reasons(3),
      });
    if (this.#chance(0.3))
      return this.#line({ level: 'file', status: 'RJCT', attempt: null, reasons: this.#reasons(2) });
    return this.#line({ level, status: 'RJCT', attempt, reasons: this.#shuffled(reasons) });
  }

  /** Pays, rejects, returns a payment, or pays after a rejection. */
  #bankDecides(): void {
    if (this.#taken === null) return;
    const last = this.#verdicts.at(-1);
    if (last !== undefined && this.#chance(0.4)) return;
    const isPaid = last === undefined ? this.#chance(0.6) : !last.isPaid;
    const verdict = { isPaid, atMs: this.#nowMs };
    if (last?.atMs === verdict.atMs) return; // one verdict at a time
    this.#verdicts.push(verdict);
    for (let copies = 1 + this.#below(2); copies > 0; copies -= 1) this.#report(verdict);
  }

  #report(verdict: Verdict): void {
    const attempt = this.#chance(0.8) ? this.#taken : null;
    const at = new Date(verdict.atMs).toISOString();
    const line: Said = verdict.isPaid
      ? this.#line({ status: this.#pick(['ACSC', 'ACCC']), attempt, saidAt: at }, verdict)
      : this.#line({ status: 'RJCT', attempt, saidAt: at, reasons: this.#reasons(3) }, verdict);
    const noise = this.#chance(0.3) ? [this.#noise(at)] : [];
    this.#reports.push(this.#shuffled([line, ...noise]));
  }

  /** Reports that are not a verdict, although they look like a refusal. */
  #bankMutters(): void {
    if (this.#taken === null) return;
    this.#reports.push([this.#noise(this.#chance(0.9) ? this.#now() : null)]);
  }

  #noise(saidAt: string | null): Said {
    return this.#pick<() => Said>([
      () => this.#line({ status: this.#pick(['RCVD', 'ACTC', 'PDNG', 'XXXX']), attempt: this.#taken, saidAt }),
      () => this.#line({ status: 'ACSP', attempt: this.#taken, saidAt }),
      () => this.#line({ level: 'file', status: 'RJCT', attempt: null, saidAt, reasons: this.#reasons(2) }),
      () => this.#line({ level: 'batch', status: 'RJCT', attempt: null, saidAt, reasons: this.#reasons(2) }),
      () =>
        this.#line({ status: 'RJCT', attempt: null, saidAt, reasons: [...this.#reasons(1), this.#pick(DUPLICATES)] }),
      () => this.#line({ status: 'CANC', attempt: this.#taken, saidAt }),
    ])();
  }

  #line(fields: Partial<StatusLine> & { status: string }, verdict: Verdict | null = null): Said {
    const reasons = fields.reasons ?? this.#reasons(fields.status === 'RJCT' ? 2 : 0);
    return { line: { level: 'payment', attempt: null, saidAt: this.#now(), ...fields, reasons }, verdict };
  }

  #reasons(most: number): StatusReason[] {
    const count = this.#below(most + 1);
    const one = (): StatusReason =>
      this.#chance(0.8) ? { code: this.#pick(CODES), text: '' } : { code: null, text: 'Prtry 17' };
    return Array.from({ length: count }, one);
  }

  #lateArrival(): void {
    const attempt = this.#inTransit.shift();
    if (attempt !== undefined && this.#chance(0.7)) this.#bankReceives(attempt);
  }

  /** A new run has only the stored state. */
  #loseRun(): void {
    this.#heardAt = null;
    this.#newest = this.#followed;
  }

  #must(isSo: boolean, what: string): void {
    if (!isSo) throw new Error(`not so: ${what}`);
  }
  #now(): string {
    return new Date(this.#nowMs).toISOString();
  }
  #commandId(): CommandId {
    this.#commands += 1;
    return named<CommandId>(`command-${this.#commands}`);
  }
  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
  #pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.#below(choices.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }
  #shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, key: this.#random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}
