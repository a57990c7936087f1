/** Default durations of waits and intervals of polls, in seconds. */
export const LONGEST_WAIT_SECONDS = 7 * 86_400;
/** Half an hour. A batch of 10,000 calls takes less, unless its calls are scheduled for the next morning. */
export const WAIT_SECONDS = 1_800;
/** Two days: enough for a brand review, a night, and a campaign review. */
export const REGISTRATION_WAIT_SECONDS = 172_800;
export const INTERVAL_SECONDS = 5;
export const LONGEST_INTERVAL_SECONDS = 3_600;
