import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ESCROW_COMMANDS } from '../../../src/domain/escrow/commands.ts';
import type { CommandId } from '../../../src/domain/ids.ts';
import { EscrowModel, initiateOf } from './model.ts';
import { ACTS, type Beginning, beginning, commandOf, type Doing, often, type Step, stepOf, timeOf } from './steps.ts';

const SEQUENCES = Number(process.env.ESCROW_LIVES ?? 1_500);
const COMMANDS = 30;

const EVERYTHING: readonly Doing[] = [
  ...ACTS,
  ...often(6, 'wait', 'deadline'),
  ...often(2, 'fund', 'auto-release', 'block-release', 'lapse-negotiation'),
  ...often(1, 'note-chargeback', 'lapse-stop'),
];
/** Commands that an escrow accepts any number of times. */
const TALK: readonly Doing[] = [
  ...often(2, 'negotiate', 'adjust-milestone', 'reject-negotiation'),
  ...often(1, 'accept-negotiation', 'delivery-note', 'goods-received', 'wait', 'deadline'),
];

/** Applies all steps, with a check after each. */
function live(begin: Beginning, steps: readonly Step[]): EscrowModel {
  const model = new EscrowModel();
  model.tell(initiateOf(begin, 'c0'));
  steps.forEach((step, index) => {
    if (model.state === null) return;
    model.now = timeOf(step, model.state, model.now);
    const command = commandOf(step, model.state, `c${index + 1}` as CommandId, model.now);
    if (command !== null) model.tell(command);
  });
  model.checkHistory();
  return model;
}

test('the lives contain every command', () => {
  expect(new Set(EVERYTHING)).toEqual(
    new Set([...Object.keys(ESCROW_COMMANDS).filter((type) => type !== 'initiate'), 'wait', 'deadline']),
  );
});

describe('any commands to an escrow, in any order', () => {
  test(`money is conserved to the cent and no illegal step is taken: ${SEQUENCES} lives of ${COMMANDS} commands`, () => {
    const ends = new Map<string, number>();
    let [accepted, refused] = [0, 0];
    const lives = fc.array(stepOf(EVERYTHING), { minLength: COMMANDS, maxLength: COMMANDS });
    fc.assert(
      fc.property(beginning, lives, (begin, steps) => {
        const model = live(begin, steps);
        accepted += model.accepted;
        refused += model.refused;
        const end = model.state?.status ?? 'never begun';
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: SEQUENCES },
    );
    // The sequences must reach these states; otherwise they would test little.
    expect(accepted).toBeGreaterThan(SEQUENCES * 5);
    expect(refused).toBeGreaterThan(SEQUENCES * 5);
    for (const status of ['COMPLETED', 'CANCELLED', 'RESOLVED', 'DISPUTED', 'GOODS_RECEIVED'])
      expect(ends.get(status)).toBeGreaterThan(SEQUENCES / 100);
  });

  test('a long life keeps the state small: 60 lives of 400 commands that never end it', () => {
    const lives = fc.array(stepOf(TALK), { minLength: 400, maxLength: 400 });
    const begun = beginning.map((begin) => ({ ...begin, autoReleaseHours: null, isAwaited: false }));
    fc.assert(
      fc.property(begun, lives, (begin, steps) => {
        live(begin, steps);
      }),
      { numRuns: 60 },
    );
  });
});
