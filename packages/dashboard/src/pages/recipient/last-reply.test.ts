import { expect, it } from "vitest";
import { findLastReply } from "./last-reply.ts";

const change = (source: string | null, day: number) => ({
  ...{ merchantId: "m1", channel: "SMS" as const, status: "OPT_IN" as const, source, changedBy: "mkt_1" },
  changedAt: `2026-11-0${day}T00:00:00Z`,
});
const stop = (day: number) => ({
  number: "+12025550181",
  word: "END",
  saidAt: `2026-11-0${day}T00:00:00Z`,
  overrides: [],
});

it.each([
  ["none", { changes: [change("form", 5), change(null, 4)], stops: [] }, undefined],
  ["a STOP", { changes: [change("form", 5), change("SMS_REPLY:START", 2)], stops: [stop(1), stop(4)] }, "END"],
  ["a START", { changes: [change("SMS_REPLY:START", 6)], stops: [stop(4)] }, "START"],
])("finds the last reply: %s", (_what, story, word) => {
  expect(findLastReply(story)?.word).toBe(word);
});
