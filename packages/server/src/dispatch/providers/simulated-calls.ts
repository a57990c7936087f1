// How simulated calls go: data, chosen by the number called.

import type { CallOutcome } from "../../rules/calls.ts";
import type { CallReport, CallTerms } from "./provider.ts";

/** A report, and how long after dialling it is sent. */
export interface CallHappening {
  readonly afterMs: number;
  readonly kind: "call";
  readonly report: CallReport;
}

const RING_MS = 200;
const ANSWER_MS = 500;
const PLAY_MS = 550;
const END_MS = 900;
/** How long the slow number rings before it answers: less than the default ring timeout. */
const SLOW_RING_MS = 25_000;
/** Speaking takes no simulated time: only its length is reported. */
const SPOKEN_SECONDS = 20;

function tell(afterMs: number, report: CallReport): CallHappening {
  return { afterMs, kind: "call", report };
}

/** Answered after `ringMs`; a person or a machine listens for `durationSeconds`. */
function answered(outcome: CallOutcome, durationSeconds = SPOKEN_SECONDS, ringMs = ANSWER_MS): CallHappening[] {
  const laterMs = ringMs - ANSWER_MS;
  return [
    tell(RING_MS, { stage: "RINGING" }),
    tell(ringMs, { stage: "ANSWERED" }),
    tell(PLAY_MS + laterMs, { stage: "PLAYING" }),
    tell(END_MS + laterMs, { stage: "ENDED", outcome, durationSeconds }),
  ];
}

/** Answered, and nothing is played. */
function unheard(outcome: CallOutcome, durationSeconds: number): CallHappening[] {
  return answered(outcome, durationSeconds).filter(({ report }) => report.stage !== "PLAYING");
}

/** It rings, and nobody answers. */
function unanswered(outcome: CallOutcome): CallHappening[] {
  return [tell(RING_MS, { stage: "RINGING" }), tell(END_MS, { stage: "ENDED", outcome, durationSeconds: 0 })];
}

/** It does not even ring. */
function refused(outcome: CallOutcome): CallHappening[] {
  return [tell(RING_MS, { stage: "ENDED", outcome, durationSeconds: 0 })];
}

export const heard: readonly CallHappening[] = answered("HEARD");

/** By the last two digits of `+1 NPA 555 01XX`. A call to any other number is heard. */
const callHappenings: Readonly<Record<string, readonly CallHappening[]>> = {
  "01": answered("HEARD", SPOKEN_SECONDS, SLOW_RING_MS),
  "02": [tell(RING_MS, { stage: "RINGING" })],
  "10": refused("UNREACHABLE"),
  "11": refused("BLOCKED"),
  "12": refused("UNKNOWN_HANDSET"),
  "14": refused("CARRIER_FILTERED"),
  "15": refused("CARRIER_UNKNOWN"),
  "16": refused("UNREGISTERED_SENDER"),
  "18": unanswered("NO_ANSWER"),
  "30": refused("BUSY"),
  "31": unanswered("NO_ANSWER"),
  "32": answered("VOICEMAIL"),
  "33": answered("HANGUP", 0.4 * SPOKEN_SECONDS),
  "34": refused("INVALID_NUMBER"),
  "35": unanswered("BLOCKED"),
  "36": unheard("FAX", 5),
  "38": unheard("PLAYBACK_FAILED", 5),
  "39": answered("HEARD", 125),
  "60": heard.flatMap((happening) => [happening, happening]),
  "61": heard.map(({ report }, index) => tell((heard.length - index) * RING_MS, report)),
};

/** What happens to a call to the number, within its ring timeout. */
export function listHappenings(key: string | undefined, terms: CallTerms | undefined): readonly CallHappening[] {
  const happenings = key !== undefined && Object.hasOwn(callHappenings, key) ? callHappenings[key] : undefined;
  return ringOut(happenings ?? heard, terms === undefined ? Number.POSITIVE_INFINITY : terms.ringSeconds * 1_000);
}

/** Hangs up a call that is not answered in time. */
function ringOut(happenings: readonly CallHappening[], ringMs: number): readonly CallHappening[] {
  const isLate = happenings.some(({ report, afterMs }) => report.stage === "ANSWERED" && afterMs > ringMs);
  if (!isLate) return happenings;
  const before = happenings.filter(({ report, afterMs }) => report.stage === "RINGING" && afterMs <= ringMs);
  return [...before, tell(ringMs, { stage: "ENDED", outcome: "NO_ANSWER", durationSeconds: 0 })];
}
