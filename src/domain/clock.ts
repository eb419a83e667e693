/** The test clock moves by at most a year at once. */
export const MAX_ADVANCE_HOURS = 366 * 24;
/** A company's time is at most ten years ahead of real time. */
export const MAX_CLOCK_AHEAD_HOURS = 10 * MAX_ADVANCE_HOURS;
