import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, jest, test } from '@jest/globals';
import type { CommandResult } from '../../src/domain/entity.ts';
import type { EscrowCommand, EscrowEvent } from '../../src/domain/escrow/commands.ts';
import { decide } from '../../src/domain/escrow/decide.ts';
import type { Escrow } from '../../src/domain/escrow/escrow.ts';
import { evolve } from '../../src/domain/escrow/evolve.ts';
import { NO_CAUSE } from '../../src/workflows/run/cause.ts';
import type { ServedEntity } from '../../src/workflows/run/served-entity.ts';
import { DeniedSteps } from '../../src/workflows/run/waiting.ts';
import { command, initiate } from '../domain/escrow/build.ts';

/**
 * A worker that was slow has its step in the database with the time of its own workflow task. Temporal's history may give the step
 * to a later task, and a worker that reads the run back then decides with the later time. It gets the recorded result of the first.
 */

const notCalled = () => {
  throw new Error('an accepted command does not reach this');
};
const NOT_CALLED = [
  'ApplicationFailure',
  'getExternalWorkflowHandle',
  'log',
  'setCurrentDetails',
  'upsertSearchAttributes',
  'workflowInfo',
];
jest.unstable_mockModule('@temporalio/workflow', () => ({
  AsyncLocalStorage,
  proxyLocalActivities: () => ({}),
  ...Object.fromEntries(NOT_CALLED.map((name) => [name, notCalled])),
}));
const { carryOutOn } = await import('../../src/workflows/run/carry-out.ts');

const WRITTEN_AT = '2026-03-01T10:00:00.000Z';
const READ_BACK_AT = '2026-03-01T10:00:03.250Z';

test('a replayed run has the stored state, answer and time', async () => {
  const first = initiate({ terms: { autoReleaseHours: 48 } });
  const created = await readBack(null, first);
  expect(created).toEqual(atOnce(null, first));

  const disputed = command('dispute', { actor: 'BUYER' });
  expect(await readBack(created.state, disputed)).toEqual(atOnce(created.state, disputed));
});

/** The state and the answer of the first time. */
function atOnce(from: Escrow | null, asked: EscrowCommand) {
  const decision = decide(from, asked, WRITTEN_AT);
  if (decision.kind === 'refused') throw new Error(decision.detail);
  return { state: evolve(from, decision.event), at: WRITTEN_AT };
}

async function readBack(from: Escrow | null, asked: EscrowCommand) {
  const text = () => '';
  const entity = {
    display: { request: text, eventLine: text },
    clock: { now: () => READ_BACK_AT },
    decide,
    evolve,
    apply: async () => ({ kind: 'applied', at: WRITTEN_AT, wake: [] }),
  } as unknown as ServedEntity<Escrow, EscrowCommand, EscrowEvent, object>; // the parts that an accepted command reaches
  const ignore = () => undefined;
  const timeline = { add: ignore } as unknown as Parameters<typeof carryOutOn>[1]; // nothing else is called
  const carryOut = carryOutOn(entity, timeline, () => null, new DeniedSteps(), ignore);
  let answer: CommandResult<EscrowEvent> | undefined;
  const state = await carryOut(from, {
    command: asked,
    sent: null,
    arrivedAtMs: 0,
    cause: NO_CAUSE,
    isAnswered: true,
    resolve: (result) => {
      answer = result;
    },
    reject: (failure) => {
      throw failure;
    },
  });
  return { state, at: answer?.event.at };
}
