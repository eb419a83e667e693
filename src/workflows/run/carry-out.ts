import {
  ApplicationFailure,
  getExternalWorkflowHandle,
  log,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Snapshot } from '../../activities/contract.ts';
import type { DecisionActivities } from '../../activities/decision.activities.ts';
import { type CommandResult, type Refused, refuse, refuseChanged, type StoredDecision } from '../../domain/entity.ts';
import { isMessageExpired, MESSAGE_LIFETIME_HOURS, type SentMessage } from '../../domain/messages/signed.ts';
import { toWire } from '../../domain/messages/wire.ts';
import type { Source } from '../../domain/source.ts';
import type { Instant } from '../../domain/time.ts';
import { REFRESH_SIGNAL } from '../messages.ts';
import type { Letter } from './mailbox.ts';
import {
  type AnyCommand,
  type AnyEvent,
  type AnyState,
  companyOfRun,
  LOCAL_ACTIVITY,
  type ServedEntity,
} from './served-entity.ts';
import { logEvent, type Step, type Timeline } from './show.ts';
import type { DeniedSteps } from './waiting.ts';

/** Carries out one command, from its decision to its answer. */

const { recordOutcome, settleRefusal, findDecision } = proxyLocalActivities<DecisionActivities>(LOCAL_ACTIVITY);

/** Writes a line into the history that says why a command did not become an event. */
function recordLine(outcome: string): Promise<void> {
  return recordOutcome.executeWithOptions({ ...LOCAL_ACTIVITY, summary: outcome }, [outcome]);
}

/** Tells another run to read its row again. Returns false if there is no such run: it reads its row when it starts. */
function wake(workflowId: string): Promise<boolean> {
  return getExternalWorkflowHandle(workflowId)
    .signal(REFRESH_SIGNAL)
    .then(
      () => true,
      () => false,
    );
}

type CarryOut<State, Command, Event> = (
  from: State | null,
  letter: Letter<Command, CommandResult<Event>>,
) => Promise<State | null>;

/**
 * Returns the function that decides a command, writes the step, answers the caller, and returns the next state. It decides
 * again if another writer was first.
 */
export function carryOutOn<State extends AnyState, Command extends AnyCommand, Event extends AnyEvent, Accepted>(
  entity: ServedEntity<State, Command, Event, Accepted>,
  timeline: Timeline,
  restore: (snapshot: Snapshot<State>) => State | null,
  denied: DeniedSteps,
  onStep: (step: Step, command: string) => void,
): CarryOut<State, Command, Event> {
  const { display } = entity;
  const reload = async () => restore(await denied.untilAllowed(entity.load));

  const carryOut: CarryOut<State, Command, Event> = async (from, letter) => {
    const { resolve } = letter;
    const mayHaveEffect = letter.prepared === undefined && entity.hasEffect?.(letter.command);
    const decided = letter.sent !== null && mayHaveEffect ? await decidedBefore(letter) : null;
    if (decided !== null) {
      await answer(letter, decided);
      return decided.kind === 'stored' ? await reload() : from;
    }
    const late = refuseExpired(letter) ?? refuseChanged(entity.noun, from?.seq, letter.sent?.message.expectedSeq);
    const isPrepared = late !== null || letter.prepared !== undefined || entity.prepare === undefined;
    const prepared = isPrepared ? letter.prepared : await entity.prepare?.(from, letter.command);
    const { command, told } = prepared ?? { command: letter.command };
    const decision = late ?? entity.decide(from, command, entity.clock.now());
    if (decision.kind === 'refused') {
      // The row may have changed without this run: by another writer, or by a step of this run whose result was never recorded.
      const current = await reload();
      if (current?.seq !== from?.seq) return carryOut(current, letter);
      await answerRefusal(letter, decision);
      return current;
    }
    const asked = entity.evolve(from, decision.event);
    const summary = `asks: ${display.request(asked, decision.event)}`;
    const arrival = {
      sent: letter.sent,
      isSignal: !letter.isAnswered,
      isAnswer: letter.prepared !== undefined || command.type !== letter.command.type,
      answer: told?.answer,
    };
    const instead = told === undefined ? null : stepOf(from, told.unanswered);
    const written = await denied.untilAllowed(() => entity.apply(decision, asked, summary, arrival, instead));
    if ('isUnproven' in written)
      log.error('an answer of a provider was not given to a worker', {
        id: entity.publicId,
        command: command.type,
      });
    switch (written.kind) {
      case 'applied': {
        const event = asWritten(from, command, decision.event, written.at);
        const next = entity.evolve(from, event);
        timeline.add(event);
        onStep({ line: display.eventLine(next, event), isAnswered: letter.isAnswered }, letter.command.type);
        resolve({ event: toWire(event), status: next.status });
        const notRunning: string[] = [];
        for (const workflowId of written.wake) if (!(await wake(workflowId))) notRunning.push(workflowId);
        logEvent(display.logs, event, entity.publicId);
        await entity.afterEvent?.(next, event, notRunning);
        return next;
      }
      case 'refused': {
        const other = entity.fallbackCommand?.(command) ?? null;
        if (other === null) {
          await answerRefusal(letter, written);
          return from;
        }
        await recordLine(`refused ${command.type}: ${written.code}, ${written.detail}`);
        return carryOut(from, { ...letter, command: other, prepared: { command: other, told } });
      }
      case 'repeated':
        await recordLine(
          written.isUnproven === true
            ? `refused ${command.type}: the answer is not signed by a worker`
            : `carried out before: ${written.stored.event.type}`,
        );
        resolve(written.stored);
        return await reload();
      case 'behind':
        await recordLine('another writer was first; the command is decided again');
        return carryOut(restore(written.snapshot), letter);
    }
  };
  return carryOut;

  function stepOf(from: State | null, command: Command) {
    const decision = entity.decide(from, command, entity.clock.now());
    return decision.kind === 'refused' ? null : { decision, next: entity.evolve(from, decision.event) };
  }

  /**
   * The event as the database has it. When a run is replayed, this code runs again, and the workflow's clock may differ by
   * seconds from the one with which the event was decided and written.
   */
  function asWritten(from: State | null, command: Command, event: Event, at: Instant): Event {
    if (event.at === at) return event;
    const decision = entity.decide(from, command, at);
    return decision.kind === 'accepted' ? decision.event : { ...event, at };
  }

  /** The decision about a message if it came before: a reset sends it again. */
  function decidedBefore({ command }: Letter<Command, CommandResult<Event>>): Promise<StoredDecision | null> {
    return denied.untilAllowed(() =>
      findDecision({
        kind: entity.kind,
        companyId: companyOfRun(),
        id: entity.id,
        commandId: command.commandId,
      }),
    );
  }

  /**
   * Answers with a refusal, or with the decision from the first time that the command came. A refused message is refused
   * permanently.
   */
  async function answerRefusal(letter: Letter<Command, CommandResult<Event>>, refusal: Refused) {
    const { command, sent, isAnswered } = letter;
    if (sent === null) return answer(letter, refusal);
    const settled = await denied.untilAllowed(() =>
      settleRefusal({
        kind: entity.kind,
        companyId: companyOfRun(),
        id: entity.id,
        commandId: command.commandId,
        message: { workflowId: workflowInfo().workflowId, sent, isSignal: !isAnswered },
        refusal,
      }),
    );
    await answer(letter, settled, settled.source);
  }

  /** Answers with a decision that is stored. */
  async function answer(
    { command, resolve, reject }: Letter<Command, CommandResult<Event>>,
    settled: StoredDecision,
    source?: Source,
  ): Promise<void> {
    if (settled.kind === 'refused') {
      await recordLine(`refused ${command.type}: ${settled.code}, ${settled.detail}`);
      reject(ApplicationFailure.nonRetryable(settled.detail, settled.code, settled.details), source);
      return;
    }
    const stored = settled.stored as CommandResult<Event>; // of this entity, by its kind and id
    await recordLine(`carried out before: ${stored.event.type}`);
    resolve(stored);
  }
}

function refuseExpired({ sent }: { readonly sent: SentMessage | null }): Refused | null {
  return sent !== null && isMessageExpired(sent, Date.now())
    ? refuse('message_expired', `the message is older than ${MESSAGE_LIFETIME_HOURS} hours`)
    : null;
}
