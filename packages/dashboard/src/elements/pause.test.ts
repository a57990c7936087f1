import { expect, it } from "vitest";
import { describePause } from "./pause.ts";

it.each([
  ["2026-11-01T00:00:00.000Z", "+0 s"],
  ["2026-11-01T00:00:00.040Z", "+0.04 s"],
  ["2026-11-01T00:00:01.900Z", "+1.9 s"],
  ["2026-11-01T00:01:30.000Z", "+90 s"],
  ["2026-11-01T00:12:00.000Z", "+12 min"],
  ["2026-11-01T03:00:00.000Z", "+3 h"],
  ["2026-11-04T00:00:00.000Z", "+3 d"],
])("describes the time until %s as %s", (to, words) => {
  expect(describePause("2026-11-01T00:00:00.000Z", to)).toBe(words);
});
