import { ApplicationFailure, getExternalWorkflowHandle, proxyLocalActivities } from '@temporalio/workflow';
import type { Snapshot } from '../activities/contract.ts';
import type { OutcomeActivities } from '../activities/outcome.activities.ts';
import { toWire } from '../domain/wire.ts';
import type { AnyCommand, AnyEvent, AnyState, Entity, EntityResult } from './entity.ts';
import type { Letter } from './mailbox.ts';
import { REFRESH_SIGNAL } from './messages.ts';
import { LOCAL_ACTIVITY } from './options.ts';
import type { Timeline } from './timeline.ts';

/** One command, from its decision to its answer. */

const { recordOutcome } = proxyLocalActivities<OutcomeActivities>(LOCAL_ACTIVITY);

/** Writes a line into the history that says what became of a command. */
function tell(outcome: string): Promise<void> {
  return recordOutcome.executeWithOptions({ ...LOCAL_ACTIVITY, summary: outcome }, [outcome]);
}

/** Has another run read its row again. Returns false if there is no such run: it reads its row when it starts. */
function wake(workflowId: string): Promise<boolean> {
  return getExternalWorkflowHandle(workflowId)
    .signal(REFRESH_SIGNAL)
    .then(
      () => true,
      () => false,
    );
}

export type CarryOut<State, Command, Event> = (
  from: State | null,
  letter: Letter<Command, EntityResult<Event>>,
) => Promise<State | null>;

/**
 * Returns the function that decides a command, writes the step and answers. The function returns the state that follows. It
 * decides again if another writer was first.
 */
export function carryOutOn<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: Entity<State, Command, Event, Accepted>,
  timeline: Timeline,
  restore: (snapshot: Snapshot<State>) => State | null,
): CarryOut<State, Command, Event> {
  const { display } = entity;

  const carryOut: CarryOut<State, Command, Event> = async (from, letter) => {
    const { resolve, reject } = letter;
    const command = entity.prepare === undefined ? letter.command : await entity.prepare(from, letter.command);
    const decision = entity.decide(from, command, new Date().toISOString());
    if (decision.kind === 'refused') {
      // A repeated command is refused because of what it did the first time: answer that event instead.
      const stored = await entity.findEvent(command.commandId);
      // The row may have moved without this run: another writer, or a step of this run that was written and never recorded.
      const current = restore(await entity.load());
      if (stored === null && current?.seq !== from?.seq) return carryOut(current, letter);
      if (stored === null) {
        await tell(`refused ${command.type}: ${decision.code}, ${decision.detail}`);
        reject(ApplicationFailure.nonRetryable(decision.detail, decision.code));
      } else {
        await tell(`carried out before: ${stored.event.type}`);
        resolve(stored);
      }
      return current;
    }
    const { event } = decision;
    const next = entity.evolve(from, event);
    const written = await entity.apply(decision, next, `asks: ${display.request(next, event)}`);
    switch (written.kind) {
      case 'applied': {
        timeline.add(event);
        await tell(display.outcome(next, event));
        resolve({ event: toWire(event), status: next.status });
        const notRunning: string[] = [];
        for (const workflowId of written.wake) if (!(await wake(workflowId))) notRunning.push(workflowId);
        await entity.afterEvent?.(next, event, notRunning);
        return next;
      }
      case 'refused': {
        await tell(`refused ${command.type}: ${written.code}, ${written.detail}`);
        const other = entity.fallbackCommand?.(command) ?? null;
        if (other !== null) return carryOut(from, { ...letter, command: other });
        reject(ApplicationFailure.nonRetryable(written.detail, written.code));
        return from;
      }
      case 'repeated':
        await tell(`carried out before: ${written.stored.event.type}`);
        resolve(written.stored);
        return restore(await entity.load());
      case 'behind':
        await tell('another writer was first; the command is decided again');
        return carryOut(restore(written.snapshot), letter);
    }
  };
  return carryOut;
}
