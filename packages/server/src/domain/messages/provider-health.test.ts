import { describe, expect, it } from "vitest";
import { addAnswer, describeFailing, hasRecovered } from "../carriers/rules.ts";

const ok = (count: number) => "0".repeat(count);

describe("describeFailing", () => {
  it.each([
    ["", undefined],
    ["1111", undefined],
    ["11111", "failed 5 times in a row"],
    ["0011111", "failed 5 times in a row"],
    ["111110", undefined],
    ["1101110", undefined],
    [`1111${ok(15)}`, undefined],
    [`1111${ok(16)}`, "failed 4 of the last 20 times"],
    [`1110${ok(16)}`, undefined],
    [`${ok(10)}1010101010`, "failed 5 of the last 20 times"],
  ])("returns for the answers '%s': %s", (recent, words) => {
    expect(describeFailing(recent)).toBe(words);
  });
});

it("at most twenty answers are remembered, even if more equal ones are added at once", () => {
  expect(addAnswer("11", false, 3)).toBe("11000");
  expect(addAnswer("11", false, 1_000_000_000)).toBe(ok(20));
});

describe("hasRecovered", () => {
  it.each([
    ["111110", false],
    [`11111${ok(15)}`, false],
    [`1111${ok(16)}`, false],
    [`111${ok(17)}`, true],
    [ok(20), true],
  ])("returns for the answers '%s': %s", (recent, recovered) => {
    expect(hasRecovered(recent)).toBe(recovered);
  });
});

describe("addAnswer", () => {
  it("remembers the last twenty", () => {
    let recent = "";
    for (let count = 0; count < 25; count += 1) recent = addAnswer(recent, count < 6);
    expect(recent).toBe(`1${ok(19)}`);
  });
});
