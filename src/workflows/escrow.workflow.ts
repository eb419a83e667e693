import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type { EscrowActivities, EscrowSnapshot } from '../activities/escrow.activities.ts';
import { type Accepted, decide } from '../domain/escrow/decide.ts';
import type { Escrow, EscrowCommand, EscrowState } from '../domain/escrow/escrow.ts';
import { evolve } from '../domain/escrow/evolve.ts';
import { isFinal } from '../domain/escrow/transitions.ts';
import type { EscrowId } from '../domain/ids.ts';
import { fromWire, toWire } from '../domain/wire.ts';
import { Alarm } from './alarm.ts';
import { watchDeadline } from './escrow-deadline.ts';
import { describeEscrow, summarizeEvent } from './escrow-details.ts';
import { handleEscrowMessages } from './escrow-handlers.ts';
import { type Letter, Mailbox } from './mailbox.ts';
import type { EscrowInput, EscrowResult } from './messages.ts';
import { LOCAL_ACTIVITY } from './options.ts';
import { Timeline } from './timeline.ts';
import { showStatus } from './visibility.ts';

const activities = proxyLocalActivities<EscrowActivities>(LOCAL_ACTIVITY);

/**
 * One escrow, from its first command to its last. The database holds what happened; this run takes commands one at a time,
 * asks the domain what becomes of each, and has it written.
 */
export async function escrowWorkflow({ escrowId }: EscrowInput): Promise<void> {
  const mailbox = new Mailbox<EscrowCommand, EscrowResult>();
  const timeline = new Timeline();
  let state: EscrowState = null;
  handleEscrowMessages(mailbox, {
    state: () => (state === null ? null : toWire(state)),
    timeline: () => timeline.entries,
  });

  state = restore(await activities.loadEscrow(escrowId), timeline);
  const alarm = new Alarm();
  for (;;) {
    show(state);
    watchDeadline(state, alarm, mailbox);
    await condition(() => !mailbox.isEmpty || isOver(state) || workflowInfo().continueAsNewSuggested);
    const letter = mailbox.take();
    if (letter !== undefined) state = await carryOut(escrowId, state, letter, timeline);
    // Whoever waits for an answer gets it before this run ends.
    else if (!allHandlersFinished()) await condition(() => allHandlersFinished() || !mailbox.isEmpty);
    else break;
  }
  if (!isOver(state)) await continueAsNew<typeof escrowWorkflow>({ escrowId });
}

/** Decides, writes, answers; gives the state that follows. Decides again where somebody else wrote first. */
async function carryOut(
  escrowId: EscrowId,
  state: EscrowState,
  letter: Letter<EscrowCommand, EscrowResult>,
  timeline: Timeline,
): Promise<EscrowState> {
  const { command, resolve, reject } = letter;
  const decision = decide(state, command, new Date().toISOString());
  if (decision.kind === 'refused') {
    // A command that comes a second time is refused because of what its first time did: answer that instead.
    const stored = await activities.findEscrowEvent(escrowId, command.commandId);
    if (stored === null) reject(ApplicationFailure.nonRetryable(decision.detail, decision.code));
    else resolve(stored);
    return state;
  }
  const { next, outcome } = await write(state, decision);
  switch (outcome.kind) {
    case 'applied':
      timeline.add(decision.event);
      resolve({ event: toWire(decision.event), status: next.status });
      return next;
    case 'refused':
      reject(ApplicationFailure.nonRetryable(outcome.detail, outcome.code));
      return state;
    case 'repeated':
      resolve(outcome.stored);
      return restore(await activities.loadEscrow(escrowId), timeline);
    case 'behind':
      return carryOut(escrowId, restore(outcome.snapshot, timeline), letter, timeline);
  }
}

async function write(state: EscrowState, { event, postings, checks }: Accepted) {
  const next = evolve(state, event);
  const outcome = await activities.applyEscrowEvent.executeWithOptions(
    { ...LOCAL_ACTIVITY, summary: summarizeEvent(next, event) },
    [{ event: toWire(event), state: toWire(next), postings: postings.map((posting) => toWire(posting)), checks }],
  );
  return { next, outcome };
}

function restore(snapshot: EscrowSnapshot, timeline: Timeline): EscrowState {
  timeline.replace(snapshot.timeline);
  return snapshot.state === null ? null : fromWire<Escrow>(snapshot.state);
}

function isOver(state: EscrowState): boolean {
  return state === null || isFinal(state.status);
}

function show(state: EscrowState): void {
  setCurrentDetails(describeEscrow(state));
  if (state !== null) showStatus(state.status);
}
