import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  log,
  makeContinueAsNewFunc,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { MAX_TIMELINE_ENTRIES, type Snapshot } from '../../activities/contract.ts';
import type { CommandResult } from '../../domain/entity.ts';
import type { CommandId } from '../../domain/ids.ts';
import { fromWire, toWire } from '../../domain/messages/wire.ts';
import {
  PROGRESS_QUERY,
  type Progress,
  REFRESH_SIGNAL,
  RENEW_SIGNAL,
  STATE_QUERY,
  TIMELINE_QUERY,
} from '../messages.ts';
import { carryOutOn } from './carry-out.ts';
import { because, currentCause, inStep, NO_CAUSE } from './cause.ts';
import { type Mailbox, refuseUnknownSignals } from './mailbox.ts';
import {
  type AnyCommand,
  type AnyEvent,
  type AnyState,
  isHistoryLong,
  type RunResult,
  type ServedEntity,
} from './served-entity.ts';
import { type Step, showRun, Timeline } from './show.ts';
import { Alarm, DeniedSteps, IdleWatch } from './waiting.ts';

const newCommandId = () => uuid4() as CommandId; // made here, deterministically

/**
 * Serves the mailbox until the entity is final, and returns the result. If the history has grown long, the run continues as new.
 * A request to cancel the run is refused: without its run an escrow has no timers, and the sweep would only start another run.
 */
export async function serve<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: ServedEntity<State, Command, Event, Accepted>,
  mailbox: Mailbox<Command, CommandResult<Event>>,
): Promise<RunResult> {
  CancellationScope.current().cancelRequested.catch(() => {
    log.warn('refused to cancel the run');
    mailbox.refused.refuseCancellation(entity.noun);
  });
  const result = await CancellationScope.nonCancellable(() => serveUntilOver(entity, mailbox));
  return result ?? continueAsNextRun(entity.nextInput());
}

/**
 * Ends this run and starts the next one from the database. If workers are versioned, a run stays on the release on which it
 * began, and the next run begins on the current release.
 */
function continueAsNextRun(input: object): Promise<never> {
  const next = makeContinueAsNewFunc<(input: object) => Promise<unknown>>({
    initialVersioningBehavior: 'AUTO_UPGRADE',
  });
  return next(input);
}

/** Returns null if the run has to continue as new. */
async function serveUntilOver<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: ServedEntity<State, Command, Event, Accepted>,
  mailbox: Mailbox<Command, CommandResult<Event>>,
): Promise<RunResult | null> {
  const denied = new DeniedSteps();
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
    const read = snapshot.state === null ? null : fromWire<State>(snapshot.state);
    const latest = snapshot.timeline.at(-1);
    // The run ends with an event that it did not write, or whose write it never saw. It is shown without its amount.
    if (read !== null && latest !== undefined && read.seq !== state?.seq && entity.isOver(read))
      step = { line: latest.event, isAnswered: true };
    return read;
  };
  const carryOut = carryOutOn(entity, timeline, restore, denied, (written, command) => {
    step = written;
    mailbox.refused.clear(command);
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
    () => timeline.entriesWith(mailbox.refused.entries),
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
  mailbox.refused.onChange = () => mailbox.bell.ring();

  for (;;) {
    while (isStale) {
      isStale = false;
      state = restore(await because(staleBecause, () => denied.untilAllowed(entity.load)));
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

  function show(current: State | null): void {
    const deadline = deadlineOf(current)?.at ?? null;
    showRun(display, current, { step, deadline, refusal: mailbox.refused.latest, denial: denied.reason });
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
        const next = entity.afterRefusedDeadline?.(command, code);
        if (next) mailbox.tell(next(newCommandId()), () => undefined);
      });
    // The cause is the deadline, not the request that started this run.
    because(NO_CAUSE, () => alarm.set(deadline.at, command.type, ring));
  }
}
