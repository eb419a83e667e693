import { ApplicationFailure } from '@temporalio/workflow';
import { type Id, type IdKind, parseId } from '../domain/ids.ts';

/** The bare id from a workflow's input, which contains the public id. Fails the run for any other input. */
export function requireId<K extends IdKind>(kind: K, text: unknown): Id<K> {
  const id = typeof text === 'string' ? parseId(kind, text) : undefined;
  if (id === undefined) throw ApplicationFailure.nonRetryable(`the input holds no id of a ${kind}`, 'invalid_id');
  return id;
}
