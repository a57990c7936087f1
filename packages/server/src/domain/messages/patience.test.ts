import { describe, expect, it } from "vitest";
import { extendPatience, PATIENCE_MS } from "./rules.ts";

const giveUpAt = Date.UTC(2026, 0, 15, 12);

describe("extendPatience()", () => {
  it.each([
    { what: "before its end, without questions", asks: 0, now: giveUpAt - 1, end: giveUpAt },
    { what: "before its end, after questions", asks: 3, now: giveUpAt - 1, end: giveUpAt },
    { what: "at its end, after a question", asks: 1, now: giveUpAt, end: giveUpAt },
    { what: "at its end, without questions", asks: 0, now: giveUpAt, end: giveUpAt + PATIENCE_MS },
  ])("$what: gives up at $end", ({ asks, now, end }) => {
    expect(extendPatience({ giveUpAt, asks }, now)).toBe(end);
  });
});
