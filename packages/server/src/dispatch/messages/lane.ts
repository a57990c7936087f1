import type { Clock } from "../../platform/clock.ts";
import { sometimes } from "../../platform/probes.ts";
import type { Randomness } from "../../platform/randomness.ts";
import { LeaseLoop } from "../lease-loop.ts";
import type { MessageClaim, Task } from "./claim.ts";
import type { Pace } from "./pace.ts";

/** Long content in memory past which no more messages are claimed; all short ones together never reach it. */
const MOST_HELD_BYTES = 16 * 1_048_576;

export interface LaneOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly pace: Pick<Pace, "restsUntil" | "beginClaim" | "endClaim">;
  /** How many more calls may begin, given the number in flight. */
  readonly countRoom: (underWay: number) => number;
  readonly claim: (token: string, limit: number) => Promise<MessageClaim>;
  readonly perform: (task: Task) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly looksEveryMs: number | undefined;
  readonly trustsClock: (() => boolean) | undefined;
  readonly leavesRoom?: boolean;
}

/**
 * Creates the lane for provider calls of one kind. Each kind has its own: a carrier that leaves questions unanswered
 * does not delay sends, nor the other way round.
 */
export function createLane(options: LaneOptions): LeaseLoop<Task> {
  const { clock, randomness, pace, countRoom, claim, perform, onError, looksEveryMs, trustsClock } = options;
  const { leavesRoom = false } = options;
  let heldBytes = 0;
  return new LeaseLoop({
    clock,
    randomness,
    countRoom: (underWay) => (heldBytes < MOST_HELD_BYTES ? countRoom(underWay) : 0),
    restsUntil: () => pace.restsUntil,
    async claim(token, room) {
      let found: Pick<MessageClaim, "oldestDueAt" | "isMoreDue"> = { oldestDueAt: undefined, isMoreDue: false };
      try {
        const most = pace.beginClaim();
        const claimed = await claim(token, sometimes("a claim is of one") ? 1 : Math.min(most, room));
        found = claimed;
        return claimed;
      } finally {
        pace.endClaim(found);
      }
    },
    async perform(task) {
      const bytes = task.kind === "submit" ? (task.message.longBytes ?? 0) : 0;
      heldBytes += bytes;
      try {
        await perform(task);
      } finally {
        heldBytes -= bytes;
      }
    },
    onError,
    looksEveryMs,
    trustsClock,
    leavesRoom,
  });
}
