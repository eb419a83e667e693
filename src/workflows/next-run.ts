import { makeContinueAsNewFunc } from '@temporalio/workflow';

/**
 * Ends this run and begins the next one from the database. Where workers are versioned, a run stays with the release that it
 * began on, and the next run begins on the current release.
 */
export function continueAsNextRun(input: object): Promise<never> {
  const next = makeContinueAsNewFunc<(input: object) => Promise<unknown>>({
    initialVersioningBehavior: 'AUTO_UPGRADE',
  });
  return next(input);
}
