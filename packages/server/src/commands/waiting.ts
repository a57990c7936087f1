// Messages that wait for a carrier, as commands print them.

import { viewTime } from "../domain/calendar.ts";
import { MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import type { Uncarried } from "../domain/reports/tenant-carriers.ts";

/** How long messages wait at most. */
export const LONGEST_WAIT = "for 72 hours at most, one-time passwords for as long as they are valid";

export interface WaitingView {
  /** Number of waiting messages. `MOST_COUNTED` means that many or more. */
  readonly waiting: number;
  /** When the oldest waiting message was accepted; null if none waits. */
  readonly waitingSince: string | null;
}

export function viewWaiting({ waiting, oldestAt }: Uncarried): WaitingView {
  return { waiting, waitingSince: viewTime(oldestAt) };
}

/** Returns a text such as `3 messages wait, the oldest since 2026-01-05T12:00:00.000Z`. */
export function describeWaiting({ waiting, oldestAt }: Uncarried): string {
  const count = waiting === MOST_COUNTED ? `${waiting} or more messages wait` : `${waiting} messages wait`;
  const words = waiting === 1 ? "1 message waits" : count;
  return oldestAt === null ? words : `${words}, the oldest since ${new Date(oldestAt).toISOString()}`;
}
