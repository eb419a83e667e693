import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { type Id, type IdKind, parseId } from '../domain/ids.ts';

/**
 * The bare id from the field of a workflow's input that contains the public id. Any client of Temporal can start a workflow. The
 * run fails if its input has no such id, or if its workflow id names another entity: clients would reach the wrong one.
 */
export function requireId<K extends IdKind>(
  kind: K,
  input: object | undefined,
  field: string,
  workflowIdOf: (id: Id<K>) => string,
): Id<K> {
  const text: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, field) : undefined;
  const id = typeof text === 'string' ? parseId(kind, text) : undefined;
  if (id === undefined) throw invalid(`the input holds no id of a ${kind}`);
  if (workflowInfo().workflowId !== workflowIdOf(id)) throw invalid('the input and the workflow id name different ids');
  return id;
}

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, 'invalid_id');
}
