import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { MaintenanceActivities, RebuiltBatch } from '../activities/maintenance.activities.ts';
import { isHistoryLong } from './history.ts';

const activities = proxyActivities<MaintenanceActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

const NOTHING_YET: RebuiltBatch = { checked: 0, started: 0, last: null };

/** Starts runs for open escrows, links and withdrawals that have none, batch by batch. Answers how many there are and how many had none. */
export async function rebuildWorkflow(before = NOTHING_YET): Promise<Omit<RebuiltBatch, 'last'>> {
  let { checked, started, last } = before;
  do {
    const batch = await activities.startMissingRuns(last);
    checked += batch.checked;
    started += batch.started;
    last = batch.last;
    if (last !== null && isHistoryLong()) await continueAsNew<typeof rebuildWorkflow>({ checked, started, last });
  } while (last !== null);
  return { checked, started };
}
