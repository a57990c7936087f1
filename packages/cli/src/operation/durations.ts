/** Durations of waits and intervals of their polls, in seconds. */
export const LONGEST_WAIT_SECONDS = 7 * 86_400;
/** Half an hour: a batch of 10 000 calls takes less unless its calls are scheduled for the morning. */
export const WAIT_SECONDS = 1_800;
/** Two days: a brand review, then a campaign review, and a night. */
export const REGISTRATION_WAIT_SECONDS = 172_800;
export const INTERVAL_SECONDS = 5;
export const LONGEST_INTERVAL_SECONDS = 3_600;
