import { expect, it } from "vitest";
import { Listening } from "./listening.ts";

const minuteMs = 60_000;

it("counts from the start, and again from the end of a long outage", () => {
  const listening = new Listening();
  expect(listening.sinceWhen(0)).toBe(Number.POSITIVE_INFINITY);
  listening.begin(1_000);
  expect(listening.sinceWhen(2_000)).toBe(1_000);
  listening.noteFailure(2_000);
  listening.noteFailure(2_000 + 9 * minuteMs);
  const endsAt = 2_000 + 10 * minuteMs;
  expect(listening.sinceWhen(endsAt)).toBe(endsAt);
  listening.noteSuccess(endsAt);
  expect(listening.sinceWhen(endsAt + minuteMs)).toBe(endsAt);
});

it("goes on counting where a write fails now and then", () => {
  const listening = new Listening();
  listening.begin(1_000);
  for (const minute of [1, 20, 40]) {
    listening.noteFailure(minute * minuteMs);
    listening.noteSuccess((minute + 5) * minuteMs);
  }
  listening.noteSuccess(60 * minuteMs);
  expect(listening.sinceWhen(60 * minuteMs)).toBe(1_000);
});
