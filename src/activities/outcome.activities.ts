/** Activities that exist only for their line in the history. */

export interface OutcomeActivities {
  /**
   * Does nothing. The summary of this local activity's marker says why a command did not become an event. The marker of the
   * step cannot show this, because its summary is set before the outcome is known.
   */
  recordOutcome(outcome: string): Promise<void>;
}

export function createOutcomeActivities(): OutcomeActivities {
  return { recordOutcome: () => Promise.resolve() };
}
