import { describe, expect, it } from "vitest";
import { parseDuration } from "./calendar.ts";

describe("parseDuration", () => {
  it.each([
    ["0s", 0],
    ["90s", 90_000],
    ["5m", 300_000],
    ["72h", 259_200_000],
    ["30d", 2_592_000_000],
    ["1h30m", 5_400_000],
    ["1d2h3m4s", 93_784_000],
  ])("reads %s as %i ms", (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));

  it.each(["", "72", "h", "-1h", "1.5h", "1h 30m", "30m1h", "1h1h", "1w", "1H", "9999999999s", " 1h"])(
    "refuses %j",
    (text) => expect(parseDuration(text)).toBeUndefined(),
  );
});
