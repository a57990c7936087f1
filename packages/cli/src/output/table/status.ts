/** Colours statuses: green if good, red if bad, yellow if pending. Other words have no colour. */
import type { Style } from "../text/style.ts";

const NAME = /(?:status|state|severity)$/i;

const GOOD = words(
  "DELIVERED COMPLETED SUCCESS SUCCEEDED APPROVED ACTIVE ASSIGNED VERIFIED VETTED_VERIFIED FINAL FINALIZED",
  "OPT_IN OPTED_IN AVAILABLE MNO_PROVISIONED",
);
const BAD = words(
  "UNDELIVERED FAILED EXPIRED REJECTED SUSPENDED BUSY NO_ANSWER CRITICAL OPT_OUT OPTED_OUT",
  "FAILED_ASSIGNMENT FAILED_UNASSIGNMENT TCR_FAILED TCR_SUSPENDED TCR_EXPIRED PROVIDER_FAILED MNO_REJECTED",
  "MNO_PROVISIONING_FAILED",
);
const WAITING = words(
  "QUEUED SCHEDULED SENDING SENT PENDING PROCESSING REQUIRES_ACTION IN_PROGRESS IN_REVIEW SYNTHESIZING DIALING",
  "INITIATED RINGING NOT_STARTED PLAYING PROVISIONAL PENDING_ASSIGNMENT PENDING_UNASSIGNMENT",
  "TCR_PENDING TCR_ACCEPTED PROVIDER_ACCEPTED MNO_PENDING MNO_ACCEPTED",
  "WARNING PARTIAL COMPLETED_WITH_ERRORS UNKNOWN",
);

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}

/** Whether a field of this name holds a status. */
export function isStatusField(name: string): boolean {
  return NAME.test(name);
}

/** Returns the colour of a status; undefined if it has none. */
export function findColour(status: unknown): "green" | "red" | "yellow" | undefined {
  if (typeof status !== "string") return undefined;
  if (GOOD.has(status)) return "green";
  if (BAD.has(status)) return "red";
  return WAITING.has(status) ? "yellow" : undefined;
}

/** Colours `text`, the formatted `value`, if the value is a status. */
export function paintStatus(name: string, value: unknown, text: string, style: Style): string {
  const colour = isStatusField(name) ? findColour(value) : undefined;
  return colour === undefined ? text : style[colour](text);
}
