import { describe, expect, test } from '@jest/globals';
import type { CommandId, TransactionId } from '../../../src/domain/ids.ts';
import type { AccountType } from '../../../src/domain/ledger/accounts.ts';
import type { Posting } from '../../../src/domain/ledger/postings.ts';
import { decide } from '../../../src/domain/withdrawal/decide.ts';
import { evolve } from '../../../src/domain/withdrawal/evolve.ts';
import {
  commandOfAnswer,
  endToEndIdOf,
  isOver,
  nextCheckAt,
  type PayoutStatus,
  RETURN_WINDOW_DAYS,
} from '../../../src/domain/withdrawal/payout.ts';
import { transactionStatuses } from '../../../src/domain/withdrawal/postings.ts';
import { sourceRefusal, transferTaxCents } from '../../../src/domain/withdrawal/sources.ts';
import {
  allows,
  FINAL_STATUSES,
  WITHDRAWAL_STATUSES,
  WITHDRAWAL_TRANSITIONS,
  type WithdrawalCommandType,
  type WithdrawalStatus,
} from '../../../src/domain/withdrawal/transitions.ts';
import type {
  Withdrawal,
  WithdrawalCommand,
  WithdrawalState,
  WithdrawalTerms,
} from '../../../src/domain/withdrawal/withdrawal.ts';

const named = <T extends string>(name: string) => name as T; // tests name things as they like

const START = '2026-01-01T00:00:00.000Z';
const atSecond = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000).toISOString();
const DAY_SECONDS = 86_400;

const TERMS: WithdrawalTerms = {
  withdrawalId: named('withdrawal'),
  companyId: named('company'),
  accountId: named('account'),
  userId: named('user'),
  bankAccountId: named('bank'),
  taxAccountId: named('tax'),
  currency: 'ZIG',
  amountCents: 10_050n,
  taxCents: 151n,
};

const id = (type: string) => named<CommandId>(`command-${type}`);
const COMMANDS: Record<WithdrawalCommandType, WithdrawalCommand> = {
  request: { type: 'request', commandId: id('request'), terms: TERMS },
  submit: { type: 'submit', commandId: id('submit') },
  settle: { type: 'settle', commandId: id('settle') },
  reject: { type: 'reject', commandId: id('reject'), reason: 'AC04' },
  return: { type: 'return', commandId: id('return'), reason: 'AC04', isTaxReturned: true },
};

type Told = { readonly state: Withdrawal; readonly postings: readonly Posting[] };

function tell(...types: readonly WithdrawalCommandType[]): Told {
  let state: WithdrawalState = null;
  const postings: Posting[] = [];
  for (const type of types) {
    const decision = decide(state, COMMANDS[type], START);
    if (decision.kind === 'refused') throw new Error(`${type} was refused: ${decision.code}`);
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
} as const satisfies Record<WithdrawalStatus, readonly WithdrawalCommandType[]>;

const inStatus = (status: WithdrawalStatus) => tell(...WAY_TO[status]).state;

/** What the postings do to each account, and to what is locked on the withdrawal's. */
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
  test.each(cases)('%s from %s does what the table says', (type, status) => {
    const before = inStatus(status);
    const decision = decide(before, COMMANDS[type], START);
    if (!allows(type, status)) {
      expect(decision).toMatchObject({ kind: 'refused', code: 'wrong_state' });
    } else {
      if (decision.kind === 'refused') throw new Error(decision.detail);
      const next = evolve(before, decision.event);
      expect(next.status).toBe(WITHDRAWAL_TRANSITIONS[type].to ?? status);
      expect(next.seq).toBe(before.seq + 1);
    }
  });

  test('nothing leaves a final status', () => {
    for (const { from } of Object.values(WITHDRAWAL_TRANSITIONS))
      for (const status of from) expect(FINAL_STATUSES).not.toContain(status);
  });

  test('a withdrawal is requested once, and nothing happens to one that was not', () => {
    expect(decide(inStatus('PROCESSING'), COMMANDS.request, START)).toMatchObject({ code: 'already_exists' });
    expect(decide(null, COMMANDS.settle, START)).toMatchObject({ code: 'not_found' });
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
    ['is all unlocked when the bank refuses', WAY_TO.FAILED, { locked: 0n }],
    ['is all back when the bank returns it', WAY_TO.REVERSED, { account: 0n, bank: 0n, tax: 0n, locked: 0n }],
  ] as const)('%s', (_what, way, expected) => {
    expect(movements(tell(...way).postings)).toEqual(expected);
  });

  test('comes back without the tax where that is spent', () => {
    const decision = decide(
      inStatus('COMPLETED'),
      { ...COMMANDS.return, isTaxReturned: false } as WithdrawalCommand,
      START,
    );
    if (decision.kind === 'refused') throw new Error(decision.detail);
    expect(decision.event).toMatchObject({ taxCents: 0n });
    expect(movements(decision.postings)).toMatchObject({ account: 10_050n, bank: -10_050n });
  });

  test('moves once per withdrawal, whoever asks: the key is of the withdrawal', () => {
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

  test('of 2 %% lets at most 9804 of 10000 cents be withdrawn', () => {
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
  const answers: Record<PayoutStatus['kind'], PayoutStatus> = {
    unknown: { kind: 'unknown' },
    pending: { kind: 'pending' },
    settled: { kind: 'settled' },
    rejected: { kind: 'rejected', reason: 'AC04' },
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
    ['settled', 'FAILED', null],
    ['rejected', 'REVERSED', null],
  ] as const)('%s while the withdrawal is %s leads to %s', (kind, status, expected) => {
    expect(commandOfAnswer(inStatus(status), answers[kind], id('check'))?.type ?? null).toBe(expected);
  });

  test('pending a second time is nothing new', () => {
    expect(commandOfAnswer(tell('request', 'submit').state, answers.pending, id('check'))).toBeNull();
  });

  test('concerns a payment whose name is the same at every attempt, and no longer than banks allow', () => {
    const withdrawalId = named<TransactionId>('0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b');
    expect(endToEndIdOf(withdrawalId)).toBe('WD0190A1B2C3D47E5F8A9B0C1D2E3F4A5B');
    expect(endToEndIdOf(withdrawalId).length).toBeLessThanOrEqual(35);
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

  test('once a day whether money came back, until the time for that is over', () => {
    expect(delayAfter(5, 'COMPLETED')).toBe(DAY_SECONDS);
    expect(isOver(inStatus('COMPLETED'), atSecond((RETURN_WINDOW_DAYS - 1) * DAY_SECONDS))).toBe(false);
    expect(isOver(inStatus('COMPLETED'), atSecond(RETURN_WINDOW_DAYS * DAY_SECONDS))).toBe(true);
  });

  test('for as long as it has not decided, and never after it has refused', () => {
    expect(isOver(inStatus('PROCESSING'), atSecond(365 * DAY_SECONDS))).toBe(false);
    for (const status of FINAL_STATUSES) expect(isOver(inStatus(status), START)).toBe(true);
  });
});
