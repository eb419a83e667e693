import { describe, expect, test } from '@jest/globals';
import type { AdministratorId, CommandId, TransactionId } from '../../../src/domain/ids.ts';
import type { AccountType } from '../../../src/domain/ledger/accounts.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';
import { interpret, type PayoutStatus } from '../../../src/domain/withdrawal/bank-reports.ts';
import { decide } from '../../../src/domain/withdrawal/decide.ts';
import { evolve } from '../../../src/domain/withdrawal/evolve.ts';
import { parseWithdrawalCommand } from '../../../src/domain/withdrawal/parse-command.ts';
import {
  attemptOf,
  commandOfAnswer,
  commandOfOutcome,
  commandWithReceivable,
  endToEndIdOf,
  instructionIdOf,
  isOver,
  LISTENING_DAYS,
  latestConfirmation,
  MAX_ATTEMPTS,
  maySend,
  nextCheckAt,
} from '../../../src/domain/withdrawal/payout.ts';
import { transactionStatuses, withReceivable } from '../../../src/domain/withdrawal/postings.ts';
import { sourceRefusal, transferTaxCents } from '../../../src/domain/withdrawal/sources.ts';
import {
  allows,
  WITHDRAWAL_COMMANDS,
  WITHDRAWAL_STATUSES,
  type Withdrawal,
  type WithdrawalCommand,
  type WithdrawalCommandType,
  type WithdrawalState,
  type WithdrawalStatus,
  type WithdrawalTerms,
} from '../../../src/domain/withdrawal/withdrawal.ts';
import { named, TERMS as PAYOUT_TERMS } from './payout-world.ts';

const START = '2026-01-01T00:00:00.000Z';
const atSecond = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000).toISOString();
const DAY_SECONDS = 86_400;

const TERMS: WithdrawalTerms = { ...PAYOUT_TERMS, currency: 'ZIG', amountCents: 10_050n, taxCents: 151n };

const id = (type: string) => named<CommandId>(`command-${type}`);
const byCompany = { adminId: named<AdministratorId>('owner'), apiKeyId: null };
const byBank = { saidAt: START, adminId: null };
const COMMANDS: Record<WithdrawalCommandType, WithdrawalCommand> = {
  request: { type: 'request', commandId: id('request'), terms: TERMS },
  submit: { type: 'submit', commandId: id('submit'), attempt: 1 },
  flag: { type: 'flag', commandId: id('flag'), concern: 'file_refused' },
  resume: { type: 'resume', commandId: id('resume'), ...byCompany },
  cancel: { type: 'cancel', commandId: id('cancel'), ...byCompany },
  settle: { type: 'settle', commandId: id('settle'), ...byBank },
  reject: { type: 'reject', commandId: id('reject'), reason: 'AC04', ...byBank },
  return: { type: 'return', commandId: id('return'), reason: 'AC04', taxFrom: 'TAX', ...byBank },
  'settle-late': { type: 'settle-late', commandId: id('settle-late'), ...byBank },
};

type Told = { readonly state: Withdrawal; readonly postings: readonly Posting[] };

function tell(...types: readonly (WithdrawalCommandType | WithdrawalCommand)[]): Told {
  let state: WithdrawalState = null;
  const postings: Posting[] = [];
  for (const type of types) {
    const command = typeof type === 'string' ? COMMANDS[type] : type;
    const decision = decide(state, command, START);
    if (decision.kind === 'refused') throw new Error(`${command.type} was refused: ${decision.code}`);
    state = evolve(state, decision.event);
    postings.push(...decision.postings);
  }
  if (state === null) throw new Error('nothing was told');
  return { state, postings };
}

const WAY_TO = {
  PROCESSING: ['request'],
  COMPLETED: ['request', 'submit', 'settle'],
  FAILED: ['request', 'reject'],
  REVERSED: ['request', 'settle', 'return'],
  CANCELLED: ['request', 'cancel'],
} as const satisfies Record<WithdrawalStatus, readonly WithdrawalCommandType[]>;

const HELD = tell('request', { ...COMMANDS.flag, concern: 'account_frozen' } as WithdrawalCommand).state;
const inStatus = (status: WithdrawalStatus) => tell(...WAY_TO[status]).state;

/** The sum of the postings for each account, and the amount that is locked for the withdrawal. */
function movements(postings: readonly Posting[]) {
  const moved: Record<string, bigint> = {};
  let locked = 0n;
  for (const { legs, holds } of postings) {
    for (const { accountId, amountCents } of legs) moved[accountId] = (moved[accountId] ?? 0n) + amountCents;
    for (const change of holds)
      locked = change.kind === 'place' ? change.amountCents : change.kind === 'void' ? 0n : locked - change.amountCents;
  }
  return { ...moved, locked };
}

describe('the transition table', () => {
  const types = Object.keys(COMMANDS).filter((type) => type !== 'request') as WithdrawalCommandType[];
  const cases = types.flatMap((type) => WITHDRAWAL_STATUSES.map((status) => [type, status] as const));
  test.each(cases)('%s from %s follows the table', (type, status) => {
    // Only a payment that is held back is resumed.
    const before = type === 'resume' && status === 'PROCESSING' ? HELD : inStatus(status);
    const decision = decide(before, COMMANDS[type], START);
    if (!allows(type, status)) {
      expect(decision).toMatchObject({ kind: 'refused', code: 'wrong_state' });
    } else {
      if (decision.kind === 'refused') throw new Error(decision.detail);
      const next = evolve(before, decision.event);
      expect(next.status).toBe(WITHDRAWAL_COMMANDS[type].to ?? status);
      expect(next.seq).toBe(before.seq + 1);
    }
  });

  test('a withdrawal is requested once, and nothing happens to one that was not', () => {
    expect(decide(inStatus('PROCESSING'), COMMANDS.request, START)).toMatchObject({ code: 'already_exists' });
    expect(decide(null, COMMANDS.settle, START)).toMatchObject({ code: 'not_found' });
  });

  test.each([
    ['resume', 'a payment that is not held back', tell('request').state],
    ['resume', 'one that the bank has doubts about', tell('request', 'flag').state],
    ['cancel', 'a payment that the bank has', tell('request', 'submit').state],
  ] as const)('%s refuses %s', (type, _what, state) => {
    expect(decide(state, COMMANDS[type], START)).toMatchObject({ kind: 'refused', code: 'wrong_state' });
  });

  test('the bank confirms the instruction once', () => {
    expect(decide(tell('request', 'submit').state, COMMANDS.submit, START)).toMatchObject({ code: 'wrong_state' });
  });
});

describe('the money', () => {
  test.each([
    ['is locked with the tax on it while the bank decides', WAY_TO.PROCESSING, { locked: 10_201n }],
    [
      'leaves when the bank has paid, and the tax is withheld',
      WAY_TO.COMPLETED,
      { account: -10_201n, bank: 10_050n, tax: 151n, locked: 0n },
    ],
    ['is all unlocked when it is cancelled', WAY_TO.CANCELLED, { locked: 0n }],
    ['is all unlocked when the bank refuses', WAY_TO.FAILED, { locked: 0n }],
    ['is all back when the bank returns it', WAY_TO.REVERSED, { account: 0n, bank: 0n, tax: 0n, locked: 0n }],
  ] as const)('%s', (_what, way, expected) => {
    expect(movements(tell(...way).postings)).toEqual(expected);
  });

  test('is returned in full if the TAX account cannot return the tax, which becomes a receivable', () => {
    const returned = commandWithReceivable(COMMANDS.return);
    if (returned === null) throw new Error('there is no fallback');
    expect(movements(tell('request', 'settle', returned).postings)).toEqual({
      account: 0n,
      bank: 0n,
      tax: 151n,
      receivable: -151n,
      locked: 0n,
    });
  });

  test.each([
    ['FAILED', WAY_TO.FAILED],
    ['REVERSED', WAY_TO.REVERSED],
    ['CANCELLED', WAY_TO.CANCELLED],
  ] as const)('leaves again when the bank pays after %s', (firstEnd, way) => {
    const { state, postings } = tell(...way, 'settle-late');
    expect(state).toMatchObject({ status: 'COMPLETED', firstEnd });
    expect(movements(postings)).toMatchObject({ account: -10_201n, bank: 10_050n, tax: 151n, locked: 0n });
  });

  test.each([
    ['a part', 201n, { account: -10_000n, receivable: -201n }],
    ['all', 10_201n, { receivable: -10_201n }],
    ['nothing', 0n, { account: -10_201n }],
  ] as const)('is a receivable as far as the account cannot pay again (%s); a return settles it', (_, owed, paid) => {
    const divided = (...way: WithdrawalCommandType[]) => {
      const { state, postings } = tell(...way);
      return postings.map((one) => (one.legs.length === 0 ? one : withReceivable(one, state.terms, owed)));
    };
    expect(movements(divided('request', 'reject', 'settle-late'))).toEqual({
      ...{ bank: 10_050n, tax: 151n, locked: 0n },
      ...paid,
    });
    const back = movements(divided('request', 'reject', 'settle-late', 'return'));
    expect(new Set(Object.values(back))).toEqual(new Set([0n]));
  });

  test('withholds the tax once: a payment after a return settles the tax that the return left open', () => {
    const returned = commandWithReceivable(COMMANDS.return);
    if (returned === null) throw new Error('there is no fallback');
    const { postings, state } = tell('request', 'settle', returned, 'settle-late');
    expect(movements(postings)).toEqual({ account: -10_201n, bank: 10_050n, tax: 151n, receivable: 0n, locked: 0n });
    expect(state).toMatchObject({ status: 'COMPLETED', owedTaxId: null });
  });

  test('moves under a new key each time the bank changes its answer', () => {
    const { postings, state } = tell('request', 'settle', 'return', 'settle-late', 'return', 'settle-late');
    const keys = postings.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(state).toMatchObject({ status: 'COMPLETED', settlements: 3 });
  });

  test('moves once per withdrawal for every caller: the key belongs to the withdrawal', () => {
    const keys = tell(...WAY_TO.COMPLETED).postings.map(({ key }) => key);
    expect(keys).toEqual(['withdrawal/withdrawal/requested', 'withdrawal/withdrawal/settled']);
  });

  test.each([
    ['PROCESSING', { withdrawal: 'PROCESSING' }],
    ['COMPLETED', { withdrawal: 'COMPLETED', 'command-settle': 'COMPLETED' }],
    ['FAILED', { withdrawal: 'FAILED' }],
    ['REVERSED', { withdrawal: 'REVERSED', 'command-settle': 'REVERSED' }],
  ] as const)('%s: its transactions say so', (status, expected) => {
    const statuses = transactionStatuses(inStatus(status)).map((one) => [one.transactionId, one.status]);
    expect(Object.fromEntries(statuses)).toEqual(expected);
  });

  test('a payment after a failure completes the transaction that readers see', () => {
    const statuses = transactionStatuses(tell('request', 'reject', 'settle-late').state);
    expect(statuses).toEqual([
      { transactionId: 'withdrawal', status: 'COMPLETED' },
      { transactionId: 'command-settle-late', status: 'COMPLETED' },
    ]);
  });
});

describe('the transfer tax', () => {
  test.each([
    ['USER', 25n, 200, 1n],
    ['USER', 24n, 200, 0n],
    ['USER', 10_050n, 150, 151n],
    ['COMPANY', 10_050n, 150, 151n],
    ['SERVICE_FEE', 10_050n, 150, 0n],
    ['TAX', 10_050n, 150, 0n],
    ['USER', 10_050n, null, 0n],
  ] as const)('on a withdrawal from %s of %s cents at %s basis points is %s', (type, amountCents, rate, expected) => {
    expect(transferTaxCents(type, amountCents, rate)).toBe(expected);
  });

  test('of 2 % lets at most 9,804 of 10,000 cents be withdrawn', () => {
    const needed = (amountCents: bigint) => amountCents + transferTaxCents('USER', amountCents, 200);
    expect(needed(9_804n)).toBe(10_000n);
    expect(needed(9_805n)).toBeGreaterThan(10_000n);
  });
});

describe('money is withdrawn', () => {
  test.each([
    ['USER', 'OWNER', null],
    ['COMPANY', 'ADMIN', null],
    ['SERVICE_FEE', 'ADMIN', null],
    ['TAX', 'OWNER', null],
    ['SYSTEM_FEE', 'SUPER_ADMIN', null],
    ['SYSTEM_FEE', 'OWNER', 'forbidden'],
    ['SUSPENSE', 'SUPER_ADMIN', 'account_not_owned'],
    ['TRANSIT', 'SUPER_ADMIN', 'account_not_owned'],
    ['BANK', 'SUPER_ADMIN', 'account_not_owned'],
  ] as const)('from %s by %s: %s', (type: AccountType, role, expected) => {
    expect(sourceRefusal(type, role)).toBe(expected);
  });
});

describe("the bank's answer", () => {
  const later = atSecond(60);
  const answers: Record<PayoutStatus['kind'], PayoutStatus> = {
    unknown: { kind: 'unknown' },
    pending: { kind: 'pending', attempt: null, concern: null },
    settled: { kind: 'settled', saidAt: later, concern: null },
    rejected: { kind: 'rejected', saidAt: later, reason: 'AC04' },
  };
  test.each([
    ['unknown', 'PROCESSING', null],
    ['pending', 'PROCESSING', 'submit'],
    ['settled', 'PROCESSING', 'settle'],
    ['rejected', 'PROCESSING', 'reject'],
    ['unknown', 'COMPLETED', null],
    ['pending', 'COMPLETED', null],
    ['settled', 'COMPLETED', null],
    ['rejected', 'COMPLETED', 'return'],
    ['settled', 'FAILED', 'settle-late'],
    ['rejected', 'FAILED', null],
    ['settled', 'REVERSED', 'settle-late'],
    ['rejected', 'REVERSED', null],
  ] as const)('%s while the withdrawal is %s leads to %s', (kind, status, expected) => {
    expect(commandOfAnswer(inStatus(status), answers[kind], id('check'))?.type ?? null).toBe(expected);
  });

  test.each([
    ['older', atSecond(-60), null, null],
    ['of the same time', START, null, 'settle-late'],
    ['without a time', null, null, null],
  ] as const)('that is %s than the verdict: a rejection changes nothing', (_what, saidAt, ofRejection, ofPayment) => {
    const rejected = commandOfAnswer(inStatus('COMPLETED'), { kind: 'rejected', saidAt, reason: 'AC04' }, id('check'));
    const settled = commandOfAnswer(inStatus('FAILED'), { kind: 'settled', saidAt, concern: null }, id('check'));
    expect(rejected?.type ?? null).toBe(ofRejection);
    expect(settled?.type ?? null).toBe(ofPayment);
  });

  test('a repeated pending report causes no event, unless it names the attempt that the bank accepted', () => {
    const first = tell('request', { type: 'submit', commandId: id('submit'), attempt: null }).state;
    expect(commandOfAnswer(first, answers.pending, id('check'))).toBeNull();
    const named2 = commandOfAnswer(first, { kind: 'pending', attempt: 2, concern: null }, id('check'));
    expect(named2).toMatchObject({ type: 'submit', attempt: 2 });
    expect(commandOfAnswer(tell('request', 'submit').state, answers.pending, id('check'))).toBeNull();
  });

  test('confirms the status with its time, unless that is in the future', () => {
    const confirmed = (saidAt: string, now: string) =>
      latestConfirmation(inStatus('COMPLETED'), { kind: 'settled', saidAt, concern: null }, START, now);
    expect(confirmed(later, later)).toBe(later);
    expect(confirmed(later, START)).toBe(START);
  });

  test('is "paid" where the bank says both at the same time, in any order', () => {
    const line = (status: string) => ({ level: 'payment', status, reasons: [], attempt: 1, saidAt: later }) as const;
    for (const lines of [
      [line('ACSC'), line('RJCT')],
      [line('RJCT'), line('ACSC')],
    ])
      expect(interpret({ kind: 'known', lines }, { attempts: 1, acceptedAttempt: 1 })).toMatchObject({
        kind: 'settled',
      });
  });

  test('leaves the first end of a withdrawal as it was', () => {
    const again = { ...COMMANDS['settle-late'], commandId: id('settled-again') };
    expect(tell('request', 'reject', again, 'return').state).toMatchObject({ status: 'REVERSED', firstEnd: 'FAILED' });
  });

  test('that is unclear is flagged for manual review once', () => {
    const unclear: PayoutStatus = { kind: 'pending', attempt: null, concern: 'file_refused' };
    expect(commandOfAnswer(inStatus('PROCESSING'), unclear, id('check'))).toMatchObject({ type: 'flag' });
    expect(commandOfAnswer(tell('request', 'flag').state, unclear, id('check'))).toBeNull();
  });

  test('has the same payment id at every attempt, within the length that banks allow', () => {
    const withdrawalId = named<TransactionId>('0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b');
    const endToEndId = endToEndIdOf(withdrawalId);
    expect(endToEndId).toBe('WD0190A1B2C3D47E5F8A9B0C1D2E3F4A5B');
    for (const attempt of [1, 2, 9, 10, MAX_ATTEMPTS]) {
      const instructionId = instructionIdOf(endToEndId, attempt);
      expect(instructionId.length).toBeLessThanOrEqual(35);
      expect(attemptOf(endToEndId, instructionId)).toBe(attempt);
    }
    for (const other of ['', 'R2', `R0${endToEndId.slice(2)}`, instructionIdOf(`${endToEndId.slice(0, -1)}C`, 2)])
      expect(attemptOf(endToEndId, other)).toBeNull();
  });
});

describe("an operator books the bank's outcome", () => {
  const by = { commandId: id('by-hand'), adminId: named<AdministratorId>('admin') };
  const paid = { isPaid: true, saidAt: START } as const;
  const notPaid = { isPaid: false, saidAt: START, reason: 'NARR' } as const;
  test.each([
    ['PROCESSING', 'settle', 'reject'],
    ['COMPLETED', null, 'return'],
    ['FAILED', 'settle-late', null],
    ['REVERSED', 'settle-late', null],
  ] as const)('while it is %s', (status, ofPaid, ofNotPaid) => {
    expect(commandOfOutcome(inStatus(status), paid, by)?.type ?? null).toBe(ofPaid);
    expect(commandOfOutcome(inStatus(status), notPaid, by)?.type ?? null).toBe(ofNotPaid);
  });

  test('the event names the operator, who is checked when it is written', () => {
    const command = commandOfOutcome(inStatus('PROCESSING'), paid, by);
    if (command === null) throw new Error('there is nothing to book');
    expect(decide(inStatus('PROCESSING'), command, START)).toMatchObject({
      adminId: 'admin',
      event: { actor: 'ADMIN', adminId: 'admin', type: 'SETTLED' },
    });
  });
});

describe('a payment that the bank does not know', () => {
  test.each([
    ['was never sent', [], 0, false, true],
    ['was sent, and nothing came back', [], 3, false, true],
    ['was confirmed', ['submit'], 1, false, false],
    ['was confirmed, and a person says so', ['submit'], 1, true, true],
    ['came in a file that was refused', ['flag'], 1, false, false],
    ['was sent too often', [], MAX_ATTEMPTS, false, false],
    ['was paid', ['settle'], 1, true, false],
  ] as const)('that %s', (_what, way, attempts, mayResend, expected) => {
    expect(maySend(tell('request', ...way).state, attempts, mayResend)).toBe(expected);
  });
});

describe('the bank is asked', () => {
  const delayAfter = (ageSeconds: number, status: WithdrawalStatus = 'PROCESSING') =>
    (Date.parse(nextCheckAt(inStatus(status), atSecond(ageSeconds))) - Date.parse(atSecond(ageSeconds))) / 1_000;

  test.each([
    [0, 1],
    [5, 1],
    [60, 6],
    [3_600, 360],
    [DAY_SECONDS, 900],
  ])('about a payment that is %s s old again after %s s', (age, delay) => {
    expect(delayAfter(age)).toBe(delay);
  });

  test.each(['COMPLETED', 'FAILED', 'REVERSED'] as const)(
    'after %s too, for as long as it may change its word',
    (status) => {
      expect(delayAfter(5, status)).toBe(3_600);
      expect(delayAfter(3 * DAY_SECONDS, status)).toBe(DAY_SECONDS);
      expect(delayAfter(20 * DAY_SECONDS, status)).toBe(7 * DAY_SECONDS);
      expect(isOver(inStatus(status), atSecond((LISTENING_DAYS - 1) * DAY_SECONDS))).toBe(false);
      expect(isOver(inStatus(status), atSecond(LISTENING_DAYS * DAY_SECONDS))).toBe(true);
    },
  );

  test('as soon about a payment that had to wait before it was sent', () => {
    const now = atSecond(DAY_SECONDS + 5);
    const next = nextCheckAt(inStatus('PROCESSING'), now, atSecond(DAY_SECONDS));
    expect(Date.parse(next) - Date.parse(now)).toBe(1_000);
  });

  test('until it has decided', () => {
    expect(isOver(inStatus('PROCESSING'), atSecond(1_000 * DAY_SECONDS))).toBe(false);
  });
});

describe('the message check-payout', () => {
  const commandId = '01900000-0000-7000-8000-00000000000a' as CommandId;
  test.each([
    ['{}', {}, true],
    ['with mayResend true', { mayResend: true }, true],
    ['with mayResend false', { mayResend: false }, false],
  ])('%s', (_what, message, mayResend) => {
    expect(parseWithdrawalCommand('check-payout', commandId, message)).toEqual({
      type: 'check-payout',
      commandId,
      mayResend,
    });
  });

  test('with a mayResend that is not a boolean is invalid', () => {
    expect(parseWithdrawalCommand('check-payout', commandId, { mayResend: 'no' })).toBeUndefined();
  });
});
