import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  log,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { type CommandResult, MAX_TIMELINE_ENTRIES, type Snapshot } from '../activities/contract.ts';
import type { CommandId } from '../domain/ids.ts';
import { fromWire, toWire } from '../domain/messages/wire.ts';
import { Alarm } from './alarm.ts';
import { carryOutOn } from './carry-out.ts';
import { because, currentCause, inStep, NO_CAUSE } from './cause.ts';
import { DeniedSteps } from './denied-steps.ts';
import { type Step, showAttention, showAttributes, showDetails } from './details/display.ts';
import type { AnyCommand, AnyEvent, AnyState, Entity, RunResult } from './entity.ts';
import { isHistoryLong } from './history.ts';
import { IdleWatch } from './idle-watch.ts';
import { refuseUnknownSignals } from './listen.ts';
import type { Mailbox } from './mailbox.ts';
import {
  PROGRESS_QUERY,
  type Progress,
  REFRESH_SIGNAL,
  RENEW_SIGNAL,
  STATE_QUERY,
  TIMELINE_QUERY,
} from './messages.ts';
import { Timeline } from './timeline.ts';

/**
 * Serves the mailbox until the entity is final, and returns its outcome. Returns null if the history has grown long: then the
 * workflow continues as new. A request to cancel the run is refused: without its run an escrow has no timers, and the sweep
 * would only start another run.
 */
export function serve<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: Entity<State, Command, Event, Accepted>,
  mailbox: Mailbox<Command, CommandResult<Event>>,
  newCommandId: () => CommandId,
): Promise<RunResult | null> {
  CancellationScope.current().cancelRequested.catch(() => {
    log.warn('refused to cancel the run');
    mailbox.complaints.refuseCancellation(entity.noun);
  });
  return CancellationScope.nonCancellable(() => serveUntilOver(entity, mailbox, newCommandId));
}

async function serveUntilOver<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  given: Entity<State, Command, Event, Accepted>,
  mailbox: Mailbox<Command, CommandResult<Event>>,
  newCommandId: () => CommandId,
): Promise<RunResult | null> {
  const denied = new DeniedSteps();
  const entity: typeof given = {
    ...given,
    load: () => denied.carryOut(given.load),
    apply: (...step) => denied.carryOut(() => given.apply(...step)),
  };
  const { display } = entity;
  const timeline = new Timeline();
  const alarm = new Alarm(entity.clock);
  const renew = () => {
    isRenewing = true;
    mailbox.bell.ring();
  };
  const idleWatch = new IdleWatch(renew);
  let state: State | null = null;
  let isStale = true;
  let staleBecause = currentCause();
  let isRenewing = false;
  let step: Step | null = null;

  const restore = (snapshot: Snapshot<State>): State | null => {
    timeline.replace(snapshot.timeline);
    if (entity.clock.set(snapshot.clockAheadMs)) alarm.clear(); // its timer is too long now
    return snapshot.state === null ? null : fromWire<State>(snapshot.state);
  };
  const carryOut = carryOutOn(entity, timeline, restore, denied, (written, command) => {
    step = written;
    mailbox.complaints.settle(command);
  });
  denied.onDenied = () => show(state);
  const isOver = () => state === null || entity.isOver(state);
  const deadlineOf = (current: State | null) => (current === null ? null : entity.nextDeadline(current));

  const progress = (): Progress => ({
    waitingFor: state === null || isOver() ? [] : display.waitingFor(state),
    nextDeadline: deadlineOf(state)?.at ?? null,
    historyLength: workflowInfo().historyLength,
  });
  const description = (text: string) => ({ description: text });
  setHandler(
    defineQuery(STATE_QUERY),
    () => (state === null ? null : toWire(state)),
    description('The state as this run knows it. Amounts are cents.'),
  );
  setHandler(
    defineQuery(TIMELINE_QUERY),
    () => timeline.entriesWith(mailbox.complaints.entries),
    description(`The latest ${MAX_TIMELINE_ENTRIES} entries: events, and signals that were refused.`),
  );
  setHandler(
    defineQuery(PROGRESS_QUERY),
    progress,
    description('The commands that the run accepts now, its next deadline, and the length of its history.'),
  );
  setHandler(
    defineSignal(REFRESH_SIGNAL),
    () => {
      isStale = true;
      staleBecause = currentCause();
      denied.retry();
      mailbox.bell.ring();
    },
    description('Reads the row in the database again. Input: none.'),
  );
  setHandler(
    defineSignal(RENEW_SIGNAL),
    renew,
    description('Continues as a new run, on the current release of the workers. Input: none.'),
  );
  refuseUnknownSignals(mailbox);
  // Each refusal turns the loop once, to show the refusal and to check the length of the history.
  mailbox.complaints.onChange = () => mailbox.bell.ring();

  for (;;) {
    while (isStale) {
      isStale = false;
      state = restore(await because(staleBecause, () => entity.load()));
      alarm.clearIfPast();
    }
    show(state);
    watchDeadline(state);
    // Checked in the loop and never in a handler or condition: Temporal drops a workflow task that contains only a rejected
    // update, so a replay would not see it.
    if (isHistoryLong(entity.publicId) || isRenewing) mailbox.close();
    if (mailbox.isEmpty && !isOver() && !mailbox.isClosed) {
      idleWatch.begin();
      await mailbox.bell.next();
      continue;
    }
    const letter = mailbox.take();
    if (letter !== undefined) {
      const from: State | null = state;
      state = await inStep(letter.command.type, letter, () => carryOut(from, letter));
    }
    // All callers get their answers before this run ends.
    else if (!allHandlersFinished()) await condition(() => allHandlersFinished() || !mailbox.isEmpty);
    else if (state === null) return { id: entity.publicId, status: 'NOT_CREATED' };
    else return isOver() ? { id: entity.publicId, status: state.status, ...display.result(state) } : null;
  }

  /** Updates details and search attributes for operators. */
  function show(current: State | null): void {
    const { latest: complaint } = mailbox.complaints;
    showDetails(
      display.describe(current),
      [denied.reason, complaint].filter((problem) => problem !== null),
    );
    const reasons = [
      ...(complaint === null ? [] : ['signal_refused']),
      ...(denied.reason === null ? [] : ['database_denies']),
    ];
    if (current === null) {
      showAttention(denied.reason === null ? [] : reasons);
      return;
    }
    const { attention, ...facts } = display.facts(current);
    showAttributes({
      ...facts,
      status: current.status,
      step,
      deadline: deadlineOf(current)?.at ?? null,
      attention: [...attention, ...reasons],
    });
  }

  /** Sets the alarm. A due deadline is a command like any other, and waits its turn in the mailbox. */
  function watchDeadline(current: State | null): void {
    const deadline = deadlineOf(current);
    if (deadline === null) {
      alarm.clear();
      return;
    }
    if (alarm.isSetTo(deadline.at)) return;
    const command = deadline.command(newCommandId());
    const ring = () =>
      mailbox.tell(command, (refusal) => {
        if (Date.parse(deadline.at) > entity.clock.nowMs()) alarm.clear(); // it rang early: the clocks of two servers differ
        const code = refusal instanceof ApplicationFailure ? (refusal.type ?? 'unknown') : 'unknown';
        entity.onDeadlineRefused?.(command, code);
      });
    // The cause is the deadline, not the request that started this run.
    because(NO_CAUSE, () => alarm.set(deadline.at, command.type, ring));
  }
}
