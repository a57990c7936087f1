import { describe, expect, it } from "vitest";
import { countCharacters } from "../unicode.ts";
import { type CallOutcome, chargedMinutes, endOf, estimatedMinutes, messageTypeOf } from "./rules.ts";
import { speechKey } from "./speech.ts";

describe("the end of a call", () => {
  const outcomes: CallOutcome[] = [
    "HEARD",
    "VOICEMAIL",
    "HANGUP",
    "PLAYBACK_FAILED",
    "FAX",
    "BUSY",
    "NO_ANSWER",
    "BLOCKED",
  ];
  it.each(outcomes)(
    "with the outcome %s has a reason unless the call was heard, and an error if it failed",
    (outcome) => {
      const end = endOf(outcome);
      expect(end.reason === null).toBe(end.finalStatus === "SUCCESS");
      expect(end.error === null).toBe(end.finalStatus !== "FAILED");
      expect(end.status).toBe(end.finalStatus === "FAILED" ? "FAILED" : "COMPLETED");
    },
  );

  it("is SUCCESS if a person heard the whole text, and PARTIAL for voicemail or a hang-up", () => {
    expect(outcomes.map((outcome) => endOf(outcome).finalStatus)).toEqual([
      "SUCCESS",
      "PARTIAL",
      "PARTIAL",
      ...Array.from({ length: 5 }, () => "FAILED"),
    ]);
  });
});

it.each([
  [0, 0],
  [1, 1],
  [60, 1],
  [61, 2],
  [125, 3],
])("%i answered seconds are charged as %i minutes", (seconds, minutes) => {
  expect(chargedMinutes(seconds)).toBe(minutes);
});

it.each([
  [1, 1],
  [900, 1],
  [901, 2],
  [3_000, 4],
])("%i characters reserve %i minutes", (characters, minutes) => {
  expect(estimatedMinutes(characters)).toBe(minutes);
});

it.each([
  ["otp", "OTP"],
  ["Reminder", "REMINDER"],
  ["TRANSACTIONAL", "TRANSACTIONAL"],
  ["marketing", "MARKETING"],
  ["newsletter", "MARKETING"],
  ["", "MARKETING"],
])("the use case %j counts as %s", (useCase, type) => {
  expect(messageTypeOf(useCase)).toBe(type);
});

describe("speech", () => {
  const request = { provider: "p", model: "m", voice: "v", language: "en-US", text: "Caf\u00e9" };
  it("has the same key for a text in any normalization form, and different keys otherwise", () => {
    expect(speechKey({ ...request, text: "Cafe\u0301" })).toBe(speechKey(request));
    const others = Object.keys(request).map((member) => speechKey({ ...request, [member]: "other" }));
    expect(new Set([speechKey(request), ...others]).size).toBe(others.length + 1);
  });

  it.each([
    ["Hello", 5],
    [" a\n", 3],
    ["👋🏽", 2],
  ])("is charged by code points: %j", (text, characters) => {
    expect(countCharacters(text)).toBe(characters);
  });
});
