import { workflowInfo } from '@temporalio/workflow';
import type { CommandId } from '../domain/ids.ts';
import { commandIdFrom } from '../domain/messages/command-ids.ts';

/**
 * Ids for signals that carry none. The id is derived from the run, the signal's name and content, and the number of equal
 * signals before it. A reset keeps the original run id and replays the same signals in the same order, so each keeps its id.
 */
export class SignalIds {
  readonly #counts = new Map<string, number>();

  next(signal: string, content: string): CommandId {
    const key = `${signal}/${content}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return commandIdFrom(`${workflowInfo().originalExecutionRunId}/${count}/${key}`);
  }
}
