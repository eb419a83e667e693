import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';

const STATUS = defineSearchAttributeKey('EscrowStatus', SearchAttributeType.KEYWORD);

/** Keeps the search attribute that ops filter by. Costs a history event, so only where the status did change. */
export function showStatus(status: string): void {
  if (workflowInfo().typedSearchAttributes.get(STATUS) === status) return;
  upsertSearchAttributes([{ key: STATUS, value: status }]);
}
