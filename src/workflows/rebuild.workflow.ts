import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import { type Healed, NOTHING_HEALED, sumHealed } from '../activities/findings.ts';
import type { MaintenanceActivities } from '../activities/maintenance.activities.ts';
import { isHistoryLong } from './run/served-entity.ts';

const activities = proxyActivities<Pick<MaintenanceActivities, 'sweepRows' | 'sweepRuns' | 'clearAbandoned'>>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** The progress of the sweep. It checks rows against runs, and then runs against rows. */
type Progress = {
  readonly phase: 'rows' | 'runs';
  readonly next: string | null;
  readonly rowsChecked: number;
  readonly runsChecked: number;
  readonly healed: Healed;
};

type SweepResult = Omit<Progress, 'phase' | 'next'>;

const START: Progress = { phase: 'rows', next: null, rowsChecked: 0, runsChecked: 0, healed: NOTHING_HEALED };

/** Compares all open rows with their runs, batch by batch, and repairs differences. Returns its findings. */
export async function rebuildWorkflow(from: Progress = START): Promise<SweepResult> {
  let progress = from;
  if (progress.phase === 'rows') {
    if (progress.next === null) await activities.clearAbandoned();
    do {
      const batch = await activities.sweepRows(progress.next);
      const rowsChecked = progress.rowsChecked + batch.checked;
      progress = { ...progress, rowsChecked, next: batch.next, healed: sumHealed(progress.healed, batch.healed) };
      if (progress.next !== null && isHistoryLong()) await continueAsNew<typeof rebuildWorkflow>(progress);
    } while (progress.next !== null);
    progress = { ...progress, phase: 'runs' };
  }
  do {
    const batch = await activities.sweepRuns(progress.next);
    const runsChecked = progress.runsChecked + batch.checked;
    progress = { ...progress, runsChecked, next: batch.next, healed: sumHealed(progress.healed, batch.healed) };
    if (progress.next !== null && isHistoryLong()) await continueAsNew<typeof rebuildWorkflow>(progress);
  } while (progress.next !== null);
  const { rowsChecked, runsChecked, healed } = progress;
  return { rowsChecked, runsChecked, healed };
}
