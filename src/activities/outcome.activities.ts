/** Activities that exist for the line they leave in the history. */

export interface OutcomeActivities {
  /**
   * Does nothing. The marker of this local activity carries the outcome of a command as its summary, apart from the marker of
   * the step, whose summary is set before the outcome is known.
   */
  recordOutcome(outcome: string): Promise<void>;
}

export function createOutcomeActivities(): OutcomeActivities {
  return { recordOutcome: () => Promise.resolve() };
}
