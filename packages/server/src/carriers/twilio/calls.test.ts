import { expect, it } from "vitest";
import { readCall } from "./calls.ts";

it.each([
  [{ status: "ringing" }, { stage: "RINGING" }],
  [{ status: "in-progress" }, { stage: "ANSWERED" }],
  [
    { status: "completed", duration: "61" },
    { stage: "ENDED", outcome: "HANGUP", durationSeconds: 61 },
  ],
  [
    { status: "completed", answeredBy: "human" },
    { stage: "ENDED", outcome: "HANGUP", durationSeconds: 0 },
  ],
  [
    { status: "completed", duration: "5", answeredBy: "machine_end_beep" },
    { stage: "ENDED", outcome: "VOICEMAIL", durationSeconds: 5 },
  ],
  [
    { status: "completed", duration: "5", answeredBy: "fax" },
    { stage: "ENDED", outcome: "FAX", durationSeconds: 5 },
  ],
  [
    { status: "completed", duration: "-1e3" },
    { stage: "ENDED", outcome: "HANGUP", durationSeconds: 0 },
  ],
  [{ status: "busy" }, { stage: "ENDED", outcome: "BUSY", durationSeconds: 0 }],
  [
    { status: "no-answer", duration: "30" },
    { stage: "ENDED", outcome: "NO_ANSWER", durationSeconds: 0 },
  ],
  [{ status: "failed" }, { stage: "ENDED", outcome: "CARRIER_UNKNOWN", durationSeconds: 0 }],
  [
    { status: "failed", sipStatus: "404" },
    { stage: "ENDED", outcome: "INVALID_NUMBER", durationSeconds: 0 },
  ],
  [
    { status: "failed", sipStatus: "480" },
    { stage: "ENDED", outcome: "UNREACHABLE", durationSeconds: 0 },
  ],
  [
    { status: "failed", sipStatus: "603" },
    { stage: "ENDED", outcome: "BLOCKED", durationSeconds: 0 },
  ],
  [
    { status: "failed", sipStatus: "608" },
    { stage: "ENDED", outcome: "CARRIER_FILTERED", durationSeconds: 0 },
  ],
  [{ status: "canceled" }, { stage: "ENDED", outcome: "CARRIER_UNKNOWN", durationSeconds: 0 }],
  [{ status: "queued" }, undefined],
  [{ status: "initiated" }, undefined],
  [{ status: "" }, undefined],
])("the state %j of a call is reported as %j", (state, report) => {
  expect(readCall(state)).toEqual(report);
});
