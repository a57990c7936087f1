import type { MessageStatus } from "./transitions.ts";

/** What has become of a message, in four words. */
export type Outcome = "delivered" | "failed" | "unknown" | "underWay";

const outcomes: Readonly<Record<MessageStatus, Outcome>> = {
  QUEUED: "underWay",
  SENDING: "underWay",
  SENT: "underWay",
  DELIVERED: "delivered",
  UNDELIVERED: "failed",
  FAILED: "failed",
  EXPIRED: "failed",
  CANCELED: "failed",
  UNKNOWN: "unknown",
};

export function outcomeOf(status: MessageStatus): Outcome {
  return outcomes[status];
}
