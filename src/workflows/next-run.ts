import { makeContinueAsNewFunc } from '@temporalio/workflow';

/**
 * Ends this run and starts the next one from the database. If workers are versioned, a run stays on the release on which it
 * began, and the next run begins on the current release.
 */
export function continueAsNextRun(input: object): Promise<never> {
  const next = makeContinueAsNewFunc<(input: object) => Promise<unknown>>({
    initialVersioningBehavior: 'AUTO_UPGRADE',
  });
  return next(input);
}
