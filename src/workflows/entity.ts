import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  getExternalWorkflowHandle,
  log,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { ApplyOutcome, Snapshot, StoredEvent } from '../activities/contract.ts';
import type { Refused } from '../domain/entity.ts';
import type { CommandId } from '../domain/ids.ts';
import { fromWire, toWire, type Wire } from '../domain/wire.ts';
import { Alarm } from './alarm.ts';
import { because, currentCause, inStep, NO_CAUSE } from './cause.ts';
import { isHistoryLong } from './history.ts';
import { refuseUnknownSignals } from './listen.ts';
import type { Letter, Mailbox } from './mailbox.ts';
import { REFRESH_SIGNAL, STATE_QUERY, TIMELINE_QUERY } from './messages.ts';
import { Timeline } from './timeline.ts';
import { showStatus } from './visibility.ts';

/**
 * How escrows, payment links and withdrawals live alike: the database holds what happened; a run takes commands one at a
 * time, asks the domain what becomes of each, and has it written. What differs is in the `Entity` each of them describes.
 */

type AnyCommand = { readonly type: string; readonly commandId: CommandId };
type AnyEvent = { readonly type: string; readonly commandId: CommandId; readonly actor: string; readonly at: string };
type AnyState = { readonly status: string; readonly seq: number };

export type Entity<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted> = {
  /** What people call it. */
  readonly noun: string;
  readonly decide: (
    state: State | null,
    command: Command,
    now: string,
  ) => (Accepted & { readonly kind: 'accepted'; readonly event: Event }) | Refused;
  readonly evolve: (state: State | null, event: Event) => State;
  /** Nothing more can happen: the run ends. */
  readonly isOver: (state: State) => boolean;
  /** What time alone will do next. */
  readonly nextDeadline: (
    state: State,
  ) => { readonly at: string; readonly command: (commandId: CommandId) => Command } | null;
  /** Turns a command into one that can be decided, by asking somebody outside; most are decided as they are. */
  readonly prepare?: (state: State | null, command: Command) => Promise<Command>;
  /** The command to try where the database refused this one; null for none. */
  readonly fallbackCommand?: (command: Command) => Command | null;
  /** Tells the mailbox what follows where a deadline's command was refused. */
  readonly onDeadlineRefused?: (command: Command, code: string) => void;
  /** Work that follows an event and is not written with it: calls to providers, other runs to wake. */
  readonly afterEvent?: (state: State, event: Event) => Promise<void>;
  /** For ops: markdown in the Temporal UI, and one line per event. No names, no texts. */
  readonly describe: (state: State | null) => string;
  readonly summarize: (state: State, event: Event) => string;
  readonly load: () => Promise<Snapshot<State>>;
  readonly findEvent: (commandId: CommandId) => Promise<StoredEvent<Event> | null>;
  readonly apply: (
    decision: Accepted & { readonly event: Event },
    next: State,
    summary: string,
  ) => Promise<ApplyOutcome<State, Event>>;
};

export type EntityResult<Event> = { readonly event: Wire<Event>; readonly status: string };

/** Has another run read its rows again. One that does not run reads them when it starts. */
async function wake(workflowId: string): Promise<void> {
  await getExternalWorkflowHandle(workflowId)
    .signal(REFRESH_SIGNAL)
    .catch(() => undefined);
}

/**
 * Serves the mailbox until the entity is over (true) or the history has grown long (false: continue as new). A request to cancel
 * the run is refused: a run without its timers would leave money where it is, and the sweep would only start it again.
 */
export function serve<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: Entity<State, Command, Event, Accepted>,
  mailbox: Mailbox<Command, EntityResult<Event>>,
  newCommandId: () => CommandId,
): Promise<boolean> {
  CancellationScope.current().cancelRequested.catch(() => {
    log.warn('refused to cancel the run');
    mailbox.complain(
      `Refused to cancel the run at ${new Date().toISOString()}: it goes on. To end the ${entity.noun}, send a command.`,
    );
  });
  return CancellationScope.nonCancellable(() => serveUntilOver(entity, mailbox, newCommandId));
}

async function serveUntilOver<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: Entity<State, Command, Event, Accepted>,
  mailbox: Mailbox<Command, EntityResult<Event>>,
  newCommandId: () => CommandId,
): Promise<boolean> {
  const timeline = new Timeline();
  const alarm = new Alarm();
  let state: State | null = null;
  let isStale = true;
  let staleBecause = currentCause();
  setHandler(defineQuery(STATE_QUERY), () => (state === null ? null : toWire(state)));
  setHandler(defineQuery(TIMELINE_QUERY), () => timeline.entries);
  setHandler(defineSignal(REFRESH_SIGNAL), () => {
    isStale = true;
    staleBecause = currentCause();
    mailbox.bell.ring();
  });
  refuseUnknownSignals(mailbox);

  const restore = (snapshot: Snapshot<State>): State | null => {
    timeline.replace(snapshot.timeline);
    return snapshot.state === null ? null : fromWire<State>(snapshot.state);
  };
  const isOver = () => state === null || entity.isOver(state);
  const show = () => setCurrentDetails([entity.describe(state), mailbox.complaint ?? []].flat().join('\n\n'));
  // The loop turns once for it, and so looks at the length of the history.
  mailbox.onComplaint = () => mailbox.bell.ring();

  for (;;) {
    if (isStale) {
      isStale = false;
      state = restore(await because(staleBecause, () => entity.load()));
    }
    show();
    if (state !== null) showStatus(state.status);
    watchDeadline(state);
    // Checked when the loop turns and never in a handler or condition: Temporal forgets a workflow task that brings only a
    // rejected update, and a replay would not see it.
    if (isHistoryLong()) mailbox.close();
    if (mailbox.isEmpty && !isOver() && !mailbox.isClosed) {
      await mailbox.bell.next();
      continue;
    }
    const letter = mailbox.take();
    if (letter !== undefined) {
      const from: State | null = state;
      state = await inStep(letter.command.type, letter, () => carryOut(from, letter));
    }
    // Whoever waits for an answer gets it before this run ends.
    else if (!allHandlersFinished()) await condition(() => allHandlersFinished() || !mailbox.isEmpty);
    else return isOver();
  }

  /** Decides, writes and answers. Returns the state that follows. Decides again if another writer was first. */
  async function carryOut(from: State | null, letter: Letter<Command, EntityResult<Event>>): Promise<State | null> {
    const { resolve, reject } = letter;
    const command = entity.prepare === undefined ? letter.command : await entity.prepare(from, letter.command);
    const decision = entity.decide(from, command, new Date().toISOString());
    if (decision.kind === 'refused') {
      // A repeated command is refused because of what it did the first time: answer that event instead.
      const stored = await entity.findEvent(command.commandId);
      // The row may have moved without this run: another writer, or a step of this run that was written and never recorded.
      const current = restore(await entity.load());
      if (stored !== null) {
        resolve(stored);
        return current;
      }
      if (current?.seq !== from?.seq) return carryOut(current, letter);
      reject(ApplicationFailure.nonRetryable(decision.detail, decision.code));
      return current;
    }
    const next = entity.evolve(from, decision.event);
    const outcome = await entity.apply(decision, next, entity.summarize(next, decision.event));
    switch (outcome.kind) {
      case 'applied':
        timeline.add(decision.event);
        resolve({ event: toWire(decision.event), status: next.status });
        for (const workflowId of outcome.wake) await wake(workflowId);
        await entity.afterEvent?.(next, decision.event);
        return next;
      case 'refused': {
        const other = entity.fallbackCommand?.(command) ?? null;
        if (other !== null) return carryOut(from, { ...letter, command: other });
        reject(ApplicationFailure.nonRetryable(outcome.detail, outcome.code));
        return from;
      }
      case 'repeated':
        resolve(outcome.stored);
        return restore(await entity.load());
      case 'behind':
        return carryOut(restore(outcome.snapshot), letter);
    }
  }

  /** Sets the alarm. What falls due is a command like any other, and takes its turn in the mailbox. */
  function watchDeadline(current: State | null): void {
    const deadline = current === null ? null : entity.nextDeadline(current);
    if (deadline === null) {
      alarm.clear();
      return;
    }
    if (alarm.isSetTo(deadline.at)) return;
    const command = deadline.command(newCommandId());
    const ring = () =>
      mailbox.tell(command, (refusal) => {
        const code = refusal instanceof ApplicationFailure ? (refusal.type ?? 'unknown') : 'unknown';
        entity.onDeadlineRefused?.(command, code);
      });
    // Time alone is the cause, and not the request that began this run.
    because(NO_CAUSE, () => alarm.set(deadline.at, command.type, ring));
  }
}
