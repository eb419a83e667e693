import { workflowInfo } from '@temporalio/workflow';

/**
 * After this many events a run continues as new. Temporal suggests it only at 4,096, and a worker that takes over such a run
 * would need longer to replay it than WORKFLOW_TASK_TIMEOUT allows. The run would never proceed again.
 */
const MAX_HISTORY_EVENTS = 250;
/** An entity's limit is up to this many events lower. Entities that work at the same pace then continue one after the other. */
const SPREAD_EVENTS = 50;
/**
 * An idle run with this many events continues as new, so a worker that has evicted it replays a short history. A command adds
 * six or seven events, and most escrows end before the ninth command: they never pay for it (docs/adr/0029).
 */
const MAX_IDLE_HISTORY_EVENTS = 64;

/**
 * Whether a run of the entity with this id should continue as new as soon as no caller waits for it. The limit follows from the
 * id, so it is the same in each of the entity's runs.
 */
export function isHistoryLong(id = ''): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  const codes = Array.from(id, (character) => character.charCodeAt(0));
  const earlier = codes.reduce((sum, code) => sum + code, 0) % SPREAD_EVENTS;
  return continueAsNewSuggested || historyLength >= MAX_HISTORY_EVENTS - earlier;
}

/** Whether the run should continue as new when it is idle. */
export function isHistoryLongForIdle(): boolean {
  return workflowInfo().historyLength >= MAX_IDLE_HISTORY_EVENTS;
}
