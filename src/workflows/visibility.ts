import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { STATUS_ATTRIBUTE } from './search-attributes.ts';

/** Keeps the search attribute that ops filter by. Costs a history event, so only where the status did change. */
export function showStatus(status: string): void {
  if (workflowInfo().typedSearchAttributes.get(STATUS_ATTRIBUTE) === status) return;
  upsertSearchAttributes([{ key: STATUS_ATTRIBUTE, value: status }]);
}
