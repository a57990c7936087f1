import { describe, expect, it } from "vitest";
import { extendPatience, PATIENCE_MS } from "./rules.ts";

const giveUpAt = Date.UTC(2026, 0, 15, 12);

describe("extendPatience()", () => {
  it.each([
    { what: "before the end of patience, without earlier look-ups", asks: 0, now: giveUpAt - 1, end: giveUpAt },
    { what: "before the end of patience, after look-ups", asks: 3, now: giveUpAt - 1, end: giveUpAt },
    { what: "at the end of patience, after a look-up", asks: 1, now: giveUpAt, end: giveUpAt },
    { what: "at the end of patience, without earlier look-ups", asks: 0, now: giveUpAt, end: giveUpAt + PATIENCE_MS },
  ])("$what, returns $end", ({ asks, now, end }) => {
    expect(extendPatience({ giveUpAt, asks }, now)).toBe(end);
  });
});
