import { workflowInfo } from '@temporalio/workflow';
import { commandIdFrom } from '../domain/command-ids.ts';
import type { CommandId } from '../domain/ids.ts';

/**
 * Ids of signals that name none. The id follows from the run, the signal's name and content, and how many of the same came before.
 * A reset keeps the original run id and sends the same signals again in the same order, so each keeps its id.
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
