import { describe, expect, it } from "vitest";
import { extendPatience, PATIENCE_MS } from "./rules.ts";

const giveUpAt = Date.UTC(2026, 0, 15, 12);

describe("extendPatience()", () => {
  it.each([
    { what: "time that is left, unasked", asks: 0, now: giveUpAt - 1, end: giveUpAt },
    { what: "time that is left", asks: 3, now: giveUpAt - 1, end: giveUpAt },
    { what: "the end for what was asked about", asks: 1, now: giveUpAt, end: giveUpAt },
    { what: "all of the time once more for what was not", asks: 0, now: giveUpAt, end: giveUpAt + PATIENCE_MS },
  ])("leaves $what", ({ asks, now, end }) => {
    expect(extendPatience({ giveUpAt, asks }, now)).toBe(end);
  });
});
