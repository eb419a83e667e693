import type { WorkflowHandle } from '@temporalio/client';

/** The lines of a history about steps and refusals, in order: summaries of markers, and changes of EscrowLastEvent. */
export async function storyOf(run: WorkflowHandle): Promise<string[]> {
  const { events } = await run.fetchHistory();
  const wordsOf = (data: Uint8Array | null | undefined) =>
    data == null ? [] : [String(JSON.parse(Buffer.from(data).toString()))];
  return (events ?? []).flatMap((event) => {
    const changed = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
    if (changed != null) return wordsOf(changed.EscrowLastEvent?.data);
    return event.markerRecordedEventAttributes == null ? [] : wordsOf(event.userMetadata?.summary?.data);
  });
}
